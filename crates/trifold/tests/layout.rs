//! The looks of drawings, on the structures and shape graphs of the examples: nothing lies on anything else.
//!
//! Pages hold the layouts of all their pictures, so the tests look at pages.

mod support;

use serde_json::Value;
use support::{Example, Scratch, files, trifold};

/// The width of a character and the height of a line, as the layout assumes them.
const COLUMN: f64 = 7.4;
const LINE: f64 = 15.0;
/// Coordinates are whole pixels.
const ROUNDING: f64 = 1.0;
/// Labels of arrows are broken after so many characters.
const BREAK: usize = 24;

struct Rect {
    what: String,
    place: [f64; 4],
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    std::array::from_fn(|index| value[index].as_f64().expect("a number"))
}

/// The rectangles of a layout: nodes, boxes and labels.
fn rectangles(layout: &Value, names: &Value) -> Vec<Rect> {
    let mut all = Vec::new();
    for kind in ["n", "b"] {
        let list = layout[kind].as_array().expect("a list");
        all.extend(list.iter().enumerate().map(|(i, rect)| Rect { what: format!("{kind}{i}"), place: numbers(rect) }));
    }
    for arrow in layout["a"].as_array().expect("a list").iter().filter(|arrow| !arrow[4].is_null()) {
        let name = |number: &Value| names[number.as_u64().unwrap() as usize].as_str().unwrap().to_string();
        let text = arrow[3].as_array().unwrap().iter().map(name).collect::<Vec<_>>().join(", ");
        let mut lines: Vec<usize> = Vec::new();
        for word in text.split_whitespace().map(|word| word.chars().count()) {
            match lines.last_mut() {
                Some(line) if *line + 1 + word <= BREAK => *line += 1 + word,
                _ => lines.push(word),
            }
        }
        let [x, y] = numbers(&arrow[4]);
        let width = lines.iter().max().copied().unwrap_or(0) as f64 * COLUMN;
        all.push(Rect { what: format!("label {text}"), place: [x, y, width, lines.len() as f64 * LINE] });
    }
    all
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    let near = |axis: usize| {
        let apart = (a.place[axis] - b.place[axis]).abs();
        apart + ROUNDING < (a.place[axis + 2] + b.place[axis + 2]) / 2.0
    };
    near(0) && near(1)
}

/// The data of a page.
fn data(page: &str, of: &str) -> Value {
    let html = std::fs::read_to_string(page).unwrap_or_else(|_| panic!("{of} has a page"));
    let data = html.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).expect("JSON")
}

/// Looks at all pictures of a page and counts them.
fn look_at(page: &str, of: &str) -> usize {
    let data = data(page, of);
    let mut count = 0;
    for (number, picture) in data["pictures"].as_array().unwrap().iter().enumerate() {
        for layout in ["l", "w"].into_iter().map(|kind| &picture[kind]).filter(|layout| !layout.is_null()) {
            count += 1;
            let rectangles = rectangles(layout, &data["names"]);
            for (index, a) in rectangles.iter().enumerate() {
                for b in &rectangles[index + 1..] {
                    assert!(
                        !overlap(a, b),
                        "{of}, picture {number}: {} {:?} on {} {:?}",
                        a.what,
                        a.place,
                        b.what,
                        b.place
                    );
                }
            }
        }
    }
    count
}

#[test]
fn nothing_overlaps_in_examples_in_tvp() {
    let scratch = Scratch::new();
    let mut count = 0;
    for example in Example::all() {
        let html = scratch.path("page.html");
        let more = ["-q", "--no-confirm", "--max-structures", "300", "--force", "--html", &html];
        trifold(example.arguments().into_iter().chain(more));
        count += look_at(&html, &example.path);
    }
    println!("{count} layouts");
    assert!(count > 1_000);
}

#[test]
fn nothing_overlaps_in_examples_in_c_and_java() {
    let scratch = Scratch::new();
    let mut count = 0;
    // Twins with a bug look much the same.
    let shape_graphs = files("examples/c", "c").into_iter().filter(|file| !file.ends_with("_bug.c"));
    let shape_graphs = shape_graphs.map(|file| (file, "checkers"));
    let structures = ["sll/reverse.c", "dll/insert.c", "tree/find_min.c"];
    let structures = structures.into_iter().map(|file| (format!("examples/c/{file}"), "tvl"));
    let java = ["list/MergeIterative.java", "tree/RemoveRootIterative.java"];
    let java = java.into_iter().map(|file| (format!("examples/java/{file}"), "auto"));
    for (file, domain) in shape_graphs.chain(structures).chain(java) {
        let html = scratch.path("page.html");
        let options = ["-q", "--no-confirm", "--timeout", "1", "--domain", domain, "--force", "--html", &html];
        trifold(["check", file.as_str()].into_iter().chain(options));
        count += look_at(&html, &file);
    }
    println!("{count} layouts");
    assert!(count > 1_000);
}

/// How far the arrows of these fields lead to the right, and how far down, in the pictures of a page. Those to the node
/// itself, and those with two heads, lead nowhere.
fn ways(data: &Value, fields: &[&str]) -> Vec<(f64, f64)> {
    let names = &data["names"];
    let mut ways = Vec::new();
    for layout in data["pictures"].as_array().unwrap().iter().map(|picture| &picture["l"]) {
        for arrow in layout["a"].as_array().unwrap() {
            let [flags, from, to] = [0, 1, 2].map(|part| arrow[part].as_u64().unwrap() as usize);
            let name = |number: &Value| names[number.as_u64().unwrap() as usize].as_str().unwrap();
            let is_it = arrow[3].as_array().unwrap().iter().any(|label| fields.contains(&name(label)));
            if is_it && flags & 12 == 0 && from != to {
                let [a, b] = [from, to].map(|node| numbers::<2>(&layout["n"][node]));
                ways.push((b[0] - a[0], b[1] - a[1]));
            }
        }
    }
    ways
}

#[test]
fn lists_lead_to_the_right_and_trees_down() {
    let scratch = Scratch::new();
    let html = scratch.path("page.html");
    let tree = &["left", "right"][..];
    for (file, domain, fields, is_tree) in [
        ("recursive/tree_copy.c", "tvl", tree, true),
        ("checkers/tree_insert.c", "checkers", tree, true),
        ("checkers/parent_insert.c", "checkers", tree, true),
        ("sll/append.c", "tvl", &["next"], false),
        ("dll/insert.c", "tvl", &["next"], false),
        ("nested/rows.c", "tvl", &["row_next", "next"], false),
        ("checkers/rows_push.c", "checkers", &["next"], false),
        ("checkers/skip_insert.c", "checkers", &["next", "far"], false),
    ] {
        let file = format!("examples/c/{file}");
        trifold(["check", &file, "-q", "--no-confirm", "--domain", domain, "--force", "--html", &html]);
        let ways = ways(&data(&html, &file), fields);
        let lead = |(right, down): &&(f64, f64)| if is_tree { *down > 0.0 } else { *right > 0.0 };
        let right = ways.iter().filter(lead).count();
        println!("{file}: {right} of {}", ways.len());
        // While something is inserted into a doubly linked list, its `prev` fields may make more of a list.
        let most_of = if file.contains("dll") { 80 } else { 95 };
        assert!(ways.len() > 3 && right * 100 >= ways.len() * most_of, "{file}: {right} of {}", ways.len());
    }
    // Trees of a specification, too.
    let tree = ["analyze", "examples/tvp/sets/tree_insertion.tvp", "examples/tvp/sets/tree.tvs", "-q", "--no-confirm"];
    trifold(tree.iter().chain(&["--max-structures", "100", "--force", "--html", &html]));
    let ways = ways(&data(&html, tree[1]), &["left", "right"]);
    let down = ways.iter().filter(|(_, down)| *down > 0.0).count();
    println!("{}: {down} of {}", tree[1], ways.len());
    assert!(ways.len() > 20 && down * 20 >= ways.len() * 19, "{down} of {}", ways.len());
}
