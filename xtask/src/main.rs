//! Developer commands of the workspace.
fn main() {}
