//! Tests of precedence and recovery.
