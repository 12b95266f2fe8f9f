//! Pages in a real browser: clicks, keys and the sight of a reader.
//!
//! The tests need Chromium. Where there is none, they say that they are skipped.

mod chromium;
#[path = "../support/mod.rs"]
mod support;

use chromium::Browser;
use std::path::{Path, PathBuf};
use support::{Scratch, trifold, workspace};
use trifold_report::page::{FilePage, PointEntry};
use trifold_report::{Page, Picture, Value};

fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Writes a page by a command of Trifold.
fn page(scratch: &Scratch, arguments: &[&str]) -> PathBuf {
    let html = scratch.path("page.html");
    trifold(arguments.iter().copied().chain(["--html", &html]));
    let path = PathBuf::from(html);
    assert!(path.exists(), "{arguments:?} writes a page");
    path
}

fn no_complaint(browser: &Browser) {
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

const NULL_DEREFERENCE: [&str; 4] = ["check", "examples/c/sll/append_bug.c", "--domain", "tvl"];
const MESSAGES: [&str; 3] = ["analyze", "examples/tvp/sll/null_deref.tvp", "examples/tvp/sll/sll.tvs"];

#[test]
fn a_trace_is_walked_through() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    browser.open(&address(&page(&scratch, &NULL_DEREFERENCE)));
    assert_eq!(browser.text("document.title"), "examples/c/sll/append_bug.c – Trifold");
    assert!(browser.text("document.querySelector('h1').textContent").contains("1 finding, 1 confirmed by a run"));
    // The finding is open at its end, with the heap of a run.
    assert_eq!(browser.count(".finding"), 1);
    assert_eq!(browser.count(".card.concrete svg"), 1);
    let line = browser.text("file.findings[0].place.join(':')");
    assert_eq!(browser.text("document.querySelector('.source .current').dataset.line"), line);
    let steps = browser.count(".step") as usize;
    assert!(steps > 5);
    // Every step has a heap before and after, and moves in the program.
    browser.click("[data-step='0']");
    assert_eq!(browser.text("document.getElementById('step').textContent"), format!("Step 1 of {}", steps - 1));
    let mut lines = std::collections::BTreeSet::new();
    let mut changes = 0;
    for step in 1..steps - 1 {
        browser.press("ArrowRight");
        let at = format!("Step {} of {}", step + 1, steps - 1);
        assert_eq!(browser.text("document.getElementById('step').textContent"), at);
        assert_eq!(browser.count(".pair .card"), 2);
        assert!(browser.count(".what li") > 0, "what changes is said in words");
        changes += browser.count(".card .changed");
        lines.insert(browser.text("document.querySelector('.source .current').dataset.line"));
    }
    assert!(changes > 0, "what changes is marked");
    assert!(lines.len() > 3, "{lines:?}");
    browser.press("ArrowRight");
    assert_eq!(browser.count(".card.concrete"), 1);
    browser.press("ArrowLeft");
    browser.click(".stepper button");
    assert_eq!(
        browser.text("document.getElementById('step').textContent"),
        format!("Step {} of {}", steps - 2, steps - 1)
    );
    no_complaint(&browser);
}

#[test]
fn lines_show_their_shapes_and_loops_their_invariants() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    browser.open(&address(&page(&scratch, &["check", "examples/c/sll/reverse.c", "--domain", "tvl"])));
    assert!(browser.text("document.querySelector('.badge').textContent") == "proved");
    // The first thing that is seen is the invariant of a loop.
    assert!(browser.text("document.querySelector('.invariant').textContent").contains("whenever an iteration begins"));
    assert!(browser.count(".card svg[role=img][aria-label]") > 0);
    let first = browser.text("document.querySelector('.source .current').dataset.line");
    browser.click(".source li:not(.current) button");
    assert_ne!(browser.text("document.querySelector('.source .current').dataset.line"), first);
    // Summary nodes are explained.
    let found = "data.files[0].points.findIndex(p => p.pictures.some(i => data.pictures[i].n.some(n => n[0] === 1)))";
    browser.evaluate(&format!("openPoint({found})"));
    browser.click(".card details summary");
    let words = browser.text("[...document.querySelectorAll('.card li')].map(l => l.textContent).join()");
    assert!(
        words.contains("one or more objects") && words.contains("reachable from") && words.contains("not shared"),
        "{words}"
    );
    no_complaint(&browser);
}

#[test]
fn lines_that_are_not_reached_are_marked() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    let text = "static int never(int x) {\n    return x + 1;\n}\nint main(void) {\n    int x = 0;\n    if (x)\n        \
                return never(3);\n    return 0;\n}\n";
    browser.open(&address(&page(&scratch, &["check", &scratch.file("missed.c", text)])));
    let marked = browser.text("[...document.querySelectorAll('.source .missed')].map(l => l.dataset.line).join()");
    assert_eq!(marked, "0:1,0:2,0:7");
    let why = browser.text("document.querySelector('.source .missed .code').title");
    assert!(why.starts_with("not reached"), "{why}");
    no_complaint(&browser);
}

#[test]
fn predicates_are_chosen() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    browser.open(&address(&page(&scratch, &["check", "examples/c/sll/reverse.c", "--domain", "tvl"])));
    let linked =
        "data.files[0].points.findIndex(p => p.pictures.some(i => data.pictures[i].w && data.pictures[i].e.length))";
    browser.evaluate(&format!("openPoint({linked})"));
    let texts = "[...document.querySelectorAll('.card svg text')].map(t => t.textContent).join(' ')";
    let defined =
        browser.text("file.predicates.find(p => p.defined && p.sort === 'label' && p.name.startsWith('r[')).name");
    assert!(!browser.text(texts).contains("r["), "what is defined by others is not drawn at first");
    browser.click("#chooser > summary");
    browser.click(&format!("[data-predicate='{defined}']"));
    assert!(browser.evaluate(&format!("shown.has('{defined}')")).as_bool().unwrap());
    browser.click("#predicates fieldset:last-child legend button");
    assert!(browser.text(texts).contains("r["), "then it is");
    // No text is larger than its node.
    let outside = "[...document.querySelectorAll('.card .node')].filter(g => { const r = g.querySelector('rect').getBoundingClientRect();
        return [...g.querySelectorAll('text:not(.number)')].some(t => { const b = t.getBoundingClientRect();
        return b.left < r.left - 1 || b.right > r.right + 1 || b.top < r.top - 1 || b.bottom > r.bottom + 1; }); }).length";
    assert_eq!(browser.evaluate(outside), serde_json::json!(0));
    let before = browser.count(".card svg .edge:not(.from-box)");
    let field = browser.text("file.predicates.find(p => p.sort === 'field').name");
    browser.click(&format!("[data-predicate='{field}']"));
    assert!(browser.count(".card svg .edge:not(.from-box)") < before, "a field can be left out");
    browser.press("Escape");
    assert!(!browser.evaluate("document.getElementById('chooser').open").as_bool().unwrap());
    no_complaint(&browser);
}

#[test]
fn search_and_keyboard() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    browser.open(&address(&page(&scratch, &MESSAGES)));
    browser.press("/");
    browser.enter("y->n");
    assert!(browser.count("#results button") >= 1);
    assert!(browser.count("#results mark") >= 1);
    browser.press("Enter");
    assert!(browser.evaluate("document.getElementById('results').hidden").as_bool().unwrap());
    assert!(browser.text("document.querySelector('#content h2').textContent").contains("y->n"));
    browser.press("/");
    browser.enter("nothing has this name");
    assert!(browser.text("document.getElementById('results').textContent").contains("Nothing is called that"));
    browser.press("Escape");
    browser.press("Escape");
    assert_eq!(browser.evaluate("state.finding"), serde_json::Value::Null, "back at the program point");
    let at = browser.evaluate("state.point");
    browser.press("j");
    assert_ne!(browser.evaluate("state.point"), at);
    browser.press("k");
    assert_eq!(browser.evaluate("state.point"), at);
    browser.press("f");
    assert_eq!(browser.evaluate("state.finding"), serde_json::json!(0));
    browser.press("F");
    assert_eq!(browser.evaluate("state.finding"), serde_json::json!(2));
    for (key, zoom) in [("+", "125%"), ("0", "100%"), ("-", "80%")] {
        browser.press(key);
        assert_eq!(browser.text("document.getElementById('zoom').textContent"), zoom);
    }
    browser.press("?");
    assert!(browser.evaluate("document.getElementById('guide').open").as_bool().unwrap());
    let keys = browser.text("[...document.querySelectorAll('#guide kbd')].map(k => k.textContent).join(' ')");
    let documented = browser.evaluate(
        "Object.keys(KEYS).filter(k => k !== '=').every(k => [...document.querySelectorAll('#guide kbd')].some(d =>
            d.textContent === ({ArrowRight: '→', ArrowLeft: '←', Escape: 'Esc'}[k] || k)))",
    );
    assert!(documented.as_bool().unwrap(), "every key is documented: {keys}");
    browser.press("Escape");
    // Locations of the control-flow graph can be clicked.
    browser.click("#program a[data-point='1']");
    assert_eq!(browser.evaluate("state.point"), serde_json::json!(1));
    assert!(browser.text("location.hash").ends_with("/point/1"), "a place has an address");
    no_complaint(&browser);
}

#[test]
fn both_colour_schemes_and_print() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    browser.open(&address(&page(&scratch, &MESSAGES)));
    let paper = "getComputedStyle(document.body).backgroundColor";
    browser.prefer("light", "");
    assert_eq!(browser.text(paper), "rgb(255, 255, 255)");
    browser.prefer("dark", "");
    assert_eq!(browser.text(paper), "rgb(20, 24, 29)");
    browser.click("#theme");
    assert_eq!(browser.text(paper), "rgb(255, 255, 255)");
    browser.press("t");
    assert_eq!(browser.text(paper), "rgb(20, 24, 29)");
    browser.prefer("light", "");
    assert_eq!(browser.text(paper), "rgb(20, 24, 29)", "what the reader has chosen counts more");
    browser.prefer("dark", "print");
    assert_eq!(browser.text(paper), "rgb(255, 255, 255)", "print is light");
    assert_eq!(browser.text("getComputedStyle(document.querySelector('.toolbar')).display"), "none");
    no_complaint(&browser);
}

/// A screen reader has a name for everything that can be used or seen, and the keyboard gets everywhere.
#[test]
fn everything_has_a_name_and_is_reached_by_keys() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    for arguments in [&NULL_DEREFERENCE[..], &MESSAGES] {
        let path = page(&scratch, arguments);
        browser.open(&address(&path));
        std::fs::remove_file(path).unwrap();
        let tree = browser.call("Accessibility.getFullAXTree", serde_json::json!({}));
        let mut named = 0;
        for node in tree["nodes"].as_array().unwrap().iter().filter(|node| node["ignored"] == false) {
            let role = node["role"]["value"].as_str().unwrap_or_default();
            if ["button", "link", "image", "img", "searchbox", "combobox", "checkbox", "figure"].contains(&role) {
                let name = node["name"]["value"].as_str().unwrap_or_default();
                assert!(role == "figure" || !name.trim().is_empty(), "{node}");
                named += 1;
            }
        }
        assert!(named > 10, "{named}");
        // One tab after the other: first a way past the program, in the end around again; each place is seen to have
        // the focus.
        let mut reached = std::collections::BTreeSet::new();
        for number in 0..400 {
            browser.press("Tab");
            let focus =
                browser.text("(e => e.id || e.className.baseVal || e.className || e.tagName)(document.activeElement)");
            if number == 0 {
                assert_eq!(focus, "skip");
            } else if focus == "skip" || focus == "BODY" {
                break;
            }
            if number % 20 == 1 {
                assert_ne!(browser.text("getComputedStyle(document.activeElement).outlineStyle"), "none", "{focus}");
            }
            reached.insert(focus);
        }
        for wanted in ["search", "theme", "help", "finding", "zoom-in", "step"] {
            assert!(reached.contains(wanted), "{wanted} of {reached:?}");
        }
    }
    no_complaint(&browser);
}

#[test]
fn several_files_are_one_page() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    let files = ["check", "examples/c/dll/insert.c", "examples/java/list/ReverseIterativeBug.java"];
    browser.open(&address(&page(&scratch, &files)));
    assert_eq!(browser.count("#files option"), 2);
    // The first one is proved by shape graphs.
    assert!(browser.count(".card svg .node") > 0);
    browser.evaluate("document.getElementById('files').value = '1', document.getElementById('files').onchange()");
    assert!(browser.text("document.querySelector('h1').textContent").contains("ReverseIterativeBug.java"));
    assert_eq!(browser.count(".card.concrete"), 1);
    browser.evaluate("location.hash = '#file/0/point/2'");
    browser.evaluate("new Promise(r => setTimeout(r, 50))");
    assert_eq!(browser.evaluate("state.file"), serde_json::json!(0));
    no_complaint(&browser);
}

/// A list with labels, unlike those of other numbers.
fn numbered_list(number: usize) -> Picture {
    let mut picture = Picture::default();
    let labels: Vec<String> = (0..8).map(|bit| format!("r[n,x{bit}]")).collect();
    let mut last = None;
    for place in 0..6 {
        let chosen = (0..8).filter(|bit| (number >> bit) & 1 == 1 || bit % 6 == place).map(|bit| labels[bit].as_str());
        let node = if place % 3 == number % 3 { picture.summary(chosen) } else { picture.individual(chosen) };
        last.inspect(|last| picture.link(*last, node, "n", if node % 2 == 0 { Value::True } else { Value::Unknown }));
        picture.point(&format!("x{}", (number / 256 + place * 7) % 48), node, true);
        last = Some(node);
    }
    picture
}

#[test]
fn two_thousand_structures_load_in_two_seconds() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    let mut page = Page::default();
    let shown = (0..48).map(|n| format!("x{n}")).chain(["n".to_string()]).collect();
    let mut file = FilePage { name: "two thousand".to_string(), ..FilePage::default() };
    for point in 0..20 {
        let numbers = (0..100).map(|number| page.picture(&numbered_list(point * 100 + number), &shown)).collect();
        file.points.push(PointEntry { label: format!("point {point}"), pictures: numbers, ..PointEntry::default() });
    }
    page.files.push(file);
    assert_eq!(page.len(), 2_000);
    let path = PathBuf::from(scratch.file("page.html", page.to_html()));
    let size = std::fs::metadata(&path).unwrap().len();
    // On a busy machine the best of three counts.
    let time = (0..3).map(|_| browser.open(&address(&path))).min().unwrap();
    assert_eq!(browser.evaluate("data.pictures.length"), serde_json::json!(2_000));
    assert!(browser.count(".card") > 0);
    println!("{size} bytes, loaded in {time:?}");
    assert!(size < 10_000_000, "{size} bytes");
    assert!(time.as_secs_f64() < 2.0, "{time:?}");
    no_complaint(&browser);
}

#[test]
fn a_large_analysis_makes_a_page_of_bounded_size() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    let path = page(&scratch, &["check", "examples/c/sll/search_bug.c", "--domain", "tvl"]);
    browser.open(&address(&path));
    let left_out = browser.evaluate("data.files[0].points.reduce((sum, p) => sum + p.left_out, 0)").as_u64().unwrap();
    assert!(left_out > 0);
    assert!(std::fs::metadata(&path).unwrap().len() < 10_000_000);
    browser.evaluate(
        "state.limit = 1e9; openPoint(data.files[0].points.findIndex(p => p.left_out)); state.limit = 1e9; render()",
    );
    assert!(browser.text("document.getElementById('content').textContent").contains("would make the page too large"));
    no_complaint(&browser);
}

#[test]
fn nothing_can_be_injected() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    let evil = "<img src=x onerror=alert(1)>";
    let long = "x".repeat(100_000);
    let text = format!(
        "// </script><script>throw 1</script> {evil} \u{1b}[31m {long}\n\
         struct s {{ struct s *n; }};\nint main(void) {{\n  struct s *p = 0; /* <b>{evil}</b> */\n  p->n = 0; return 0; }}\n"
    );
    let file = scratch.file("<b>&'\"evil.c", text);
    browser.open(&address(&page(&scratch, &["check", &file])));
    assert_eq!(browser.count("img, b"), 0);
    assert!(browser.text("document.querySelector('.source').textContent").contains(evil));
    assert!(browser.text("document.title").contains("<b>&'\"evil.c"));
    assert_eq!(browser.count(".finding"), 1);
    no_complaint(&browser);
}

#[test]
fn png_looks_like_svg() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    for (name, arguments) in [
        ("legend", vec!["draw", "docs/book/src/images/legend.tvs", "--spec", "docs/book/src/images/legend.tvp", "-o"]),
        ("flow", vec!["draw", "examples/c/sll/reverse.c", "-o"]),
        ("shapes", vec!["check", "examples/c/dll/insert.c", "-q", "--domain", "tvl", "--shapes"]),
    ] {
        let [svg, png] = ["svg", "png"].map(|kind| {
            let path = scratch.path(&format!("{name}.{kind}"));
            trifold(arguments.iter().copied().chain([&path[..]])).expect(0);
            encoded(&std::fs::read(path).unwrap())
        });
        // Small blocks of pixels are compared, in which letters of different fonts look about the same.
        let html = format!(
            "<!DOCTYPE html><img id=svg src='data:image/svg+xml;base64,{svg}'><img id=png src='data:image/png;base64,{png}'>
            <script>function gray(id) {{
              const image = document.getElementById(id), w = 2 * svg.naturalWidth, h = 2 * svg.naturalHeight;
              const canvas = Object.assign(document.createElement('canvas'), {{width: w, height: h}}), c = canvas.getContext('2d');
              c.drawImage(image, 0, 0, w, h);
              const d = c.getImageData(0, 0, w, h).data, columns = Math.ceil(w / 12), g = new Array(columns * Math.ceil(h / 12)).fill(0);
              for (let i = 0; i < d.length; i += 4) {{
                const block = Math.floor(i / 4 / w / 12) * columns + Math.floor(i / 4 % w / 12);
                g[block] += 255 - (d[i] + d[i + 1] + d[i + 2]) / 3;
              }}
              return g;
            }}</script>"
        );
        let page = scratch.file("compare.html", html);
        browser.open(&address(Path::new(&page)));
        assert_eq!(
            browser.text("[png.naturalWidth, png.naturalHeight]"),
            browser.text("[svg.naturalWidth, svg.naturalHeight].map(n => Math.ceil(2 * n))")
        );
        browser.evaluate("a = gray('svg'), b = gray('png'), 0");
        let sum = |browser: &mut Browser, what: &str| browser.evaluate(what).as_f64().expect("a number");
        let ink = sum(&mut browser, "a.reduce((s, x) => s + x, 0)");
        let differs = sum(&mut browser, "a.reduce((s, x, i) => s + Math.abs(x - b[i]), 0)");
        // Headings are set in another kind of font. Something else, or something shifted, would differ by 100 % and
        // more.
        let most = if name == "shapes" { 0.35 } else { 0.12 };
        assert!(ink > 0.0 && differs < most * ink, "{name}: {differs} of {ink}");
    }
    no_complaint(&browser);
}

/// Bytes as text of base 64.
fn encoded(bytes: &[u8]) -> String {
    let group = |chunk: &[u8]| {
        let bits = chunk.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        let digit = |place: usize| match place <= chunk.len() {
            true => char::from(DIGITS[(bits >> (18 - 6 * place) & 63) as usize]),
            false => '=',
        };
        (0..4).map(digit).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

/// The pictures of the book, taken anew when they are asked for: `TRIFOLD_SCREENSHOTS=docs/images cargo test --test
/// browser`.
#[test]
fn screenshots() {
    let Some(directory) = std::env::var_os("TRIFOLD_SCREENSHOTS") else { return };
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    let directory = workspace().join(directory);
    let mut take = |name: &str, arguments: &[&str], place: &str, scheme: &str| {
        browser.prefer(scheme, "");
        let path = page(&scratch, arguments);
        browser.open(&format!("{}{place}", address(&path)));
        std::fs::remove_file(path).unwrap();
        std::fs::write(directory.join(name), decoded(&browser.screenshot())).unwrap();
    };
    take(
        "page-trace.png",
        &["check", "examples/c/sll/append_bug.c", "--domain", "tvl"],
        "#file/0/finding/0/16",
        "light",
    );
    take("page-trace-dark.png", &["check", "examples/c/sll/append_bug.c", "--domain", "tvl"], "", "dark");
    take("page-java.png", &["check", "examples/java/list/SpliceIterativeBug.java"], "", "light");
    take("page-invariant.png", &["check", "examples/c/dll/insert.c", "--domain", "tvl"], "", "light");
    take(
        "page-graph.png",
        &["analyze", "examples/tvp/sll/reverse.tvp", "examples/tvp/sll/sll.tvs"],
        "#file/0/point/1",
        "dark",
    );
}

const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Text of base 64 as bytes.
fn decoded(text: &str) -> Vec<u8> {
    let values: Vec<u32> = text
        .bytes()
        .filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte))
        .map(|value| value as u32)
        .collect();
    let group = |chunk: &[u32]| {
        let bits = chunk.iter().fold(0, |bits, value| bits << 6 | value) << (6 * (4 - chunk.len()));
        let bytes = [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8];
        bytes[..chunk.len() - 1].to_vec()
    };
    values.chunks(4).flat_map(group).collect()
}
