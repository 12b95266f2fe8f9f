//! The results of the paper on sets.

use trifold_examples::sets::{TABLE_2, VARIANTS, document, run};

#[test]
fn structures_at_the_exit_are_those_of_the_paper() {
    for row in TABLE_2.iter().filter(|row| row.program != "tree_insertion") {
        if let Some(published) = row.exit {
            assert_eq!(run(row.program, true).exit, published, "{}", row.name);
        }
    }
}

#[test]
fn the_page_is_up_to_date() {
    let path = trifold_examples::directory().join("../../docs/sets-results.md");
    let written = std::fs::read_to_string(path).unwrap();
    let (checked, _) = written.split_once(VARIANTS).expect("the heading of the second table");
    assert_eq!(checked, document(), "run `cargo xtask sets-results`");
}
