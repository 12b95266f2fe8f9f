//! Names of files, messages and texts of programs cannot break, or command, a reader of the output.

use super::*;
use trifold_source::is_hidden;

/// Colours, the end of an element, quotes, a line break that pretends to be a verdict, a turned direction, and a
/// command in one character.
const NAME: &str = "a\u{1b}[31m<b>&\"'\nproved\u{202e}\u{9b}1m";

/// A null dereference after a comment that is hostile, too, in a program that needs no preprocessor.
const TEXT: &str = "struct s { struct s *n; };\nint main(void) { struct s *p = 0;\n\
    /* \u{1b}[32m</script><b>&\u{202e}\u{9b}2J */ p->n = 0; return 0; }\n";

/// The text, in which nothing but line breaks and tabs may be hidden.
#[track_caller]
fn harmless(text: &str) -> &str {
    let hidden = text.chars().find(|c| !matches!(c, '\n' | '\t') && is_hidden(*c));
    assert_eq!(hidden, None, "{text:?}");
    text
}

fn program(scratch: &Scratch) -> String {
    scratch.file(&format!("{NAME}.c"), TEXT)
}

#[test]
fn terminals() {
    let scratch = Scratch::new();
    let file = program(&scratch);
    for text in [TEXT.to_string(), format!("#include <stddef.h>\n{TEXT}")] {
        std::fs::write(&file, &text).unwrap();
        let run = trifold(["check", &file]).expect(1);
        assert!(harmless(&run.stdout).lines().next().unwrap().contains("␊proved"), "{}", run.stdout);
        // The preprocessor leaves comments out.
        let is_shown = harmless(&run.stderr).contains("␛[32m");
        assert!(is_shown || text.starts_with('#'), "{}", run.stderr);
        assert!(run.stderr.contains("a␛[31m<b>&\"'␊proved"), "{}", run.stderr);
        assert!(!run.stdout.lines().chain(run.stderr.lines()).any(|line| line.starts_with("proved")));
        // With colours, only ours are there.
        let run = trifold(["check", &file, "--color", "always"]).expect(1);
        let plain: String = run
            .stderr
            .split('\u{1b}')
            .map(|part| part.trim_start_matches(|c: char| c == '[' || c == ';' || c.is_ascii_digit()))
            .collect();
        assert!(!run.stderr.contains("\u{1b}[32m</") && !run.stderr.contains("\u{1b}[31m<b>"), "{:?}", run.stderr);
        harmless(&plain);
    }
    for arguments in [
        vec!["check", "no\u{1b}[31m\nproved.c"],
        vec!["check", "x.c", "--\u{1b}[31mflag"],
        vec!["draw", "no\u{1b}[31m\nproved.tvs"],
        vec!["draw", LISTS, "-o", "no\u{1b}[31m\nproved/x.svg"],
        vec!["analyze", "no\u{1b}[31m\nproved.tvp", LISTS],
        vec!["check", &file, "--entry", "\u{1b}[31m\nproved"],
        vec!["check", &file, "--baseline", "no\u{1b}[31m\nproved"],
    ] {
        let run = trifold(&arguments).expect(2);
        assert!(!harmless(&run.stderr).lines().any(|line| line.starts_with("proved")), "{arguments:?}: {}", run.stderr);
    }
}

const LISTS: &str = "examples/tvp/sll/sll.tvs";

#[test]
fn json_sarif_and_junit() {
    let scratch = Scratch::new();
    let file = program(&scratch);
    let json = trifold(["check", &file, "--format", "json"]).expect(1);
    harmless(&json.stdout);
    assert_eq!(json.json()["file"], file.as_str());
    assert_eq!(json.json()["functions"][0]["findings"][0]["path"], file.as_str());

    let sarif = trifold(["check", &file, "--format", "sarif", "--color", "always"]).expect(1);
    harmless(&sarif.stdout);
    let place = &sarif.json()["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().unwrap().to_string();
    assert!(uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/:%".contains(&byte)), "{uri}");
    assert_eq!(decoded(uri.strip_prefix("file://").unwrap()), file);
    // A file that is wrong is told about in the log, without colours even if they are wanted.
    let wrong = scratch.file(&format!("{NAME}wrong.c"), "int f( { \u{1b}[31m }\n");
    let sarif = trifold(["check", &wrong, "--format", "sarif", "--color", "always"]).expect(2);
    let notes = sarif.json()["runs"][0]["invocations"][0]["toolExecutionNotifications"].clone();
    harmless(notes[0]["message"]["text"].as_str().unwrap());

    let junit = trifold(["check", &file, "--format", "junit"]).expect(1);
    let document = roxmltree::Document::parse(harmless(&junit.stdout)).expect("it is well formed");
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    assert!(suite.attribute("name").unwrap().ends_with("[31m<b>&\"' proved\u{fffd}\u{fffd}1m.c"));
}

/// A text without the escapes of references.
fn decoded(uri: &str) -> String {
    let mut bytes = uri.bytes();
    let mut decoded = Vec::new();
    while let Some(byte) = bytes.next() {
        let digits = if byte == b'%' { [bytes.next(), bytes.next()] } else { [None, None] };
        decoded.push(match digits {
            [Some(high), Some(low)] => u8::from_str_radix(&String::from_utf8(vec![high, low]).unwrap(), 16).unwrap(),
            _ => byte,
        });
    }
    String::from_utf8(decoded).unwrap()
}

#[test]
fn baselines_and_projects() {
    let scratch = Scratch::new();
    let file = program(&scratch);
    let known = scratch.path("known.json");
    trifold(["check", &file, "-q", "--write-baseline", &known]).expect(1);
    harmless(&std::fs::read_to_string(&known).unwrap());
    trifold(["check", &file, "-q", "--baseline", &known]).expect(0);
    let database = serde_json::json!([{ "directory": "/", "file": file, "arguments": ["cc", "@x\u{1b}.h", "-fpack-struct\u{1b}", "-c", file] },
        { "directory": "/", "file": "x\u{1b}[31m\nproved.cpp", "command": "cc" }]);
    let database = scratch.file("compile_commands.json", database.to_string());
    let run = trifold(["check", "--compile-commands", &database]).expect(1);
    assert!(!harmless(&run.stderr).lines().any(|line| line.starts_with("proved")), "{}", run.stderr);
    let config = scratch.file("trifold.toml", "[check]\ndomain = \"\\u001b[31m\\nproved\"\n");
    let run = trifold(["check", &file, "--config", &config]).expect(2);
    harmless(&run.stderr);
    let config = scratch.file("other.toml", "[check]\n\u{9b} = = \u{202e}\n");
    let run = trifold(["check", &file, "--config", &config]).expect(2);
    harmless(&run.stderr);
}

#[test]
fn drawings_and_tvs() {
    let scratch = Scratch::new();
    let statements = std::fs::read_to_string(workspace().join("specs/sll/statements.tvp")).unwrap();
    let evil = "\u{1b}[31m</title><b>&'\\\u{9b}\u{202e}";
    let statements = statements.replacen("%t \"", &format!("%t \"{evil}"), 100);
    assert!(statements.contains(evil));
    scratch.file("evil.tvp", statements.replace("Null dereference", &format!("{evil}Null dereference")));
    let text = std::fs::read_to_string(workspace().join(NULL_DEREF[1])).unwrap();
    let specs = workspace().join("specs").to_str().unwrap().to_string();
    let text = text.replace("../../../specs/sll/statements.tvp", "evil.tvp").replace("../../../specs", &specs);
    let file = scratch.file(&format!("{NAME}.tvp"), text);
    for format in ["text", "json", "tvs", "dot"] {
        let run = trifold(["analyze", &file, LISTS, "--format", format]).expect(1);
        harmless(&run.stdout);
        harmless(&run.stderr);
        match format {
            "json" => assert_eq!(run.json()["program"], file.as_str()),
            "tvs" => {
                let again = scratch.file("again.tvs", &run.stdout);
                trifold(["draw", &again, "--spec", &file]).expect(0);
            }
            _ => {}
        }
    }
    harmless(&trifold(["analyze", &file, LISTS, "--debug"]).expect(1).stderr);
    harmless(&trifold(["derive", &file]).expect(0).stdout);
    let svg = trifold(["draw", &file]).expect(0).stdout;
    let document = roxmltree::Document::parse(harmless(&svg)).expect("it is well formed");
    assert!(!document.descendants().any(|node| node.has_tag_name("b")));
    assert!(document.root_element().attribute("aria-label").unwrap().contains("<b>&"));
    let dot = trifold(["draw", &file, "--dot"]).expect(0).stdout;
    // Outside of quotes there are only our own words.
    let mut quoted = false;
    let mut outside = String::new();
    let mut characters = harmless(&dot).chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' if quoted => _ = characters.next(),
            '"' => quoted = !quoted,
            c if !quoted => outside.push(c),
            _ => {}
        }
    }
    assert!(!quoted && !outside.contains(['<', '&', '\\']), "{outside}");
    let html = scratch.path("page.html");
    trifold(["analyze", &file, LISTS, "-q", "--html", &html]).expect(1);
    let html = std::fs::read_to_string(html).unwrap();
    assert!(!html.contains('\u{1b}') && html.matches("</title>").count() == 1 && !html.contains("<b>&'"));
}

/// No language has names with characters that are not seen; those with letters of others are shown, and drawn.
#[test]
fn summaries() {
    let scratch = Scratch::new();
    let text = |name: &str| {
        let procedures = format!(
            "%procedure main(m1, m2) {{ m1 %call {name} %enter Do() %return Do() m2 }}\n%procedure {name}(s1, s2) {{ s1 Do() s2 }}"
        );
        format!("%p x(v) unique pointer %% %action Do() {{ %t \"\u{1b}[31mproved\u{202e}\" }} %%\n{procedures}\n")
    };
    let function = |name: &str| {
        format!(
            "struct s {{ struct s *n; }};\nstruct s *{name}(struct s *p) {{ return p ? {name}(p->n) : p; }}\nint main(void) {{ {name}(0); return 0; }}\n"
        )
    };
    let method = |name: &str| {
        format!(
            "class L {{ L n; static L {name}(L a) {{ return a == null ? a : {name}(a.n); }}\n  public static void main(String[] s) {{ {name}(new L()); }} }}\n"
        )
    };
    let input = scratch.file("a.tvs", "%n = {u} %p = { x = {u} }");
    for hidden in ["f\u{202e}", "f\u{200b}g", "f\u{9b}1m", "f\u{1b}[31m"] {
        let program = scratch.file("a.tvp", text(hidden));
        harmless(&trifold(["analyze", &program, &input, "--summaries"]).expect(2).stderr);
        let file = scratch.file("a.c", function(hidden));
        harmless(&trifold(["check", &file, "--summaries"]).expect(2).stderr);
        // The compiler of Java takes some of these characters for a part of a name.
        let run = trifold(["check", &scratch.file("a.java", method(hidden)), "--summaries"]);
        harmless(&run.stdout);
        harmless(&run.stderr);
    }
    let program = scratch.file("a.tvp", text("same"));
    let run = trifold(["analyze", &program, &input, "--summaries"]).expect(1);
    harmless(&run.stderr);
    assert!(harmless(&run.stdout).contains("same: 1 input\n"), "{}", run.stdout);
    for (file, text) in [("\u{202e}\u{1b}[31m\n<b>.c", function("\u{e9}")), ("<b>&.java", method("\u{e9}"))] {
        let file = scratch.file(file, text);
        let run = trifold(["check", &file, "--summaries"]).expect(0);
        assert!(harmless(&run.stdout).contains("\u{e9}: "), "{}", run.stdout);
        let path = scratch.path("summaries.svg");
        trifold(["check", &file, "-q", "--force", &format!("--summaries={path}")]).expect(0);
        let drawn = std::fs::read_to_string(path).unwrap();
        let document = roxmltree::Document::parse(harmless(&drawn)).expect("it is well formed");
        assert!(!document.descendants().any(|node| node.has_tag_name("b")));
    }
}

/// A character that would turn the direction of writing is seen as something else, where source is shown.
#[test]
fn directions_of_writing() {
    let scratch = Scratch::new();
    for turn in
        ['\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}']
    {
        let file =
            scratch.file("turned.c", format!("int main(void) {{ int *p = 0; /* {turn} ; */ *p = 1; return 0; }}\n"));
        let page = scratch.path("page.html");
        let run = trifold(["check", &file, "--force", "--html", &page]).expect(1);
        let line = harmless(&run.stderr).lines().find(|line| line.starts_with("1 |")).unwrap();
        assert!(line.contains("/* \u{fffd} ; */"), "{line}");
        // The mark stands below its place.
        let mark = run.stderr.lines().find(|line| line.contains("^^^")).unwrap();
        let column = |line: &str, c: char| line.chars().position(|found| found == c).unwrap();
        assert_eq!(column(mark, '^'), line.chars().count() - "*p = 1; return 0; }".len());
        let html = std::fs::read_to_string(&page).unwrap();
        assert!(harmless(&html).contains("/* \u{fffd} ; */"));
    }
}

#[test]
fn long_lines_are_cut() {
    let scratch = Scratch::new();
    let long = "x".repeat(100_000);
    let text = format!(
        "struct s {{ struct s *n; }}; /* {long} */\nint main(void) {{ struct s *p = 0; /* {long} */ p->n = 0; /* {long} */ return 0; }}\n"
    );
    let file = scratch.file("long.c", text);
    let run = trifold(["check", &file]).expect(1);
    let longest = run.stderr.lines().chain(run.stdout.lines()).map(|line| line.chars().count()).max();
    assert!(longest < Some(450), "{longest:?}");
    assert!(run.stderr.contains("p->n = 0"), "what it is about is seen: {}", run.stderr);
    let sum = format!("int main(void) {{ int *p = 0; *p = 1{}; return 0; }}\n", " + 1".repeat(5_000));
    let run = trifold(["check", &scratch.file("sum.c", sum)]).expect(2);
    let longest = run.stderr.lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(450), "{longest:?}");
    let name = "f".repeat(20_000);
    let file = scratch
        .file("name.c", format!("struct s {{ struct s *n; }};\nint {name}(struct s *p) {{ p->n = 0; return 0; }}\n"));
    let run = trifold(["check", &file]).expect(0);
    let longest = run.stderr.lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(500), "{longest:?}");
}
