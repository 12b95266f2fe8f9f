//! Programs with the verdicts they must get.

use trifold_oracle::graphs::expect;
trifold_oracle::verdict_tests!(expect);
