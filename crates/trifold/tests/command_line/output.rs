//! Where results go.

use super::*;

#[test]
fn goes_into_a_directory_and_overwrites_only_when_told_to() {
    let scratch = Scratch::new();
    let directory = scratch.path("new/results");
    for (format, extension) in [("text", "txt"), ("json", "json"), ("tvs", "tvs"), ("dot", "dot")] {
        let arguments = ["--format", format, "-o", &directory];
        let run = with(REVERSE, &arguments).expect(0);
        assert_eq!(run.stdout, "", "the result goes into the directory");
        let path = format!("{directory}/reverse.{extension}");
        let first = std::fs::read_to_string(&path).expect("the result is written");
        let printed = with(REVERSE, &["--format", format]).expect(0).stdout;
        if matches!(format, "tvs" | "dot") {
            assert_eq!(first, printed);
        }
        std::fs::write(&path, "precious").unwrap();
        let refused = with(REVERSE, &arguments).expect(2);
        assert!(refused.stderr.contains("--force") && refused.stderr.contains("reverse."), "{}", refused.stderr);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
        with(REVERSE, &[&arguments[..], &["--force"]].concat()).expect(0);
        assert_ne!(std::fs::read_to_string(&path).unwrap(), "precious");
    }
}

#[test]
fn pages_are_written_beside_it_and_overwrite_only_when_told_to() {
    let scratch = Scratch::new();
    let html = scratch.path("page.html");
    let check = ["check", "examples/c/sll/reverse.c", "-q", "--html", &html];
    let analyze = [&REVERSE[..], &["--html", &html]].concat();
    for arguments in [&check[..], &analyze] {
        let printed = trifold(arguments).expect(0).stdout;
        assert!(printed.contains("proved"), "{printed}");
        let first = std::fs::read_to_string(&html).expect("the page is written");
        assert!(first.starts_with("<!DOCTYPE html>") && first.contains("default-src 'none'"), "it loads nothing");
        let refused = trifold(arguments).expect(2);
        assert!(refused.stderr.contains("--force") && refused.stdout.is_empty(), "{}", refused.stderr);
        trifold(arguments.iter().chain(&["--force"])).expect(0);
        assert_eq!(std::fs::read_to_string(&html).unwrap(), first, "equal results are equal pages");
        std::fs::remove_file(&html).unwrap();
    }
}

#[test]
fn that_cannot_be_written_is_an_error() {
    let scratch = Scratch::new();
    let file = scratch.file("file", "");
    for arguments in [["-o", &file], ["--log", &scratch.path("no/such/log")]] {
        let run = with(REVERSE, &arguments).expect(2);
        assert!(run.stderr.contains("error: cannot"), "{}", run.stderr);
    }
}

#[test]
fn dumps_show_what_was_found_so_far() {
    let scratch = Scratch::new();
    let directory = scratch.path("dumps");
    with(REVERSE, &["--dump", "20", "-o", &directory, "--format", "tvs"]).expect(0);
    let mut dumps: Vec<(usize, String)> = Vec::new();
    for entry in std::fs::read_dir(&directory).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if let Some(number) = name.strip_prefix("reverse.").and_then(|rest| rest.strip_suffix(".tvs")) {
            dumps.push((number.parse().expect("the number of structures"), name));
        }
    }
    dumps.sort();
    assert!(dumps.len() >= 2, "{dumps:?}");
    assert!(dumps[0].0 >= 20 && dumps.windows(2).all(|pair| pair[1].0 >= pair[0].0 + 20), "{dumps:?}");
    let sizes: Vec<usize> = dumps
        .iter()
        .map(|(_, name)| std::fs::read_to_string(format!("{directory}/{name}")).unwrap().matches("%n =").count())
        .collect();
    assert!(sizes.is_sorted(), "{sizes:?}");
    trifold(["draw", &format!("{directory}/{}", dumps[0].1)]).expect(0);
}

#[test]
fn goes_on_without_a_reader() {
    if cfg!(unix) {
        let mut shell = Command::new("sh");
        let command = format!("{} {} --format tvs | head -n 1", env!("CARGO_BIN_EXE_trifold"), REVERSE.join(" "));
        shell.arg("-c").arg(command);
        let run = run(shell, DEADLINE).expect(0);
        assert_eq!(run.stderr, "");
    }
}

/// On a terminal a line shows how far it is, and is gone in the end. The program `script` has terminals to give.
#[test]
fn progress_is_one_line_of_a_terminal() {
    let on_terminal = |more: &str| {
        let mut shell = Command::new("script");
        let program = env!("CARGO_BIN_EXE_trifold");
        shell.arg("-qec").arg(format!("{program} check examples/c/skip/delete.c --domain tvl --timeout 1 {more}"));
        shell.arg("/dev/null");
        run(shell, DEADLINE).stdout
    };
    if !require("script") {
        return;
    }
    let shown = on_terminal("");
    let lines: Vec<&str> = shown.split("\r\x1b[2K").collect();
    assert!(lines.len() > 2, "{shown:?}");
    for line in &lines[1..lines.len() - 1] {
        assert!(line.contains("  examples/c/skip/delete.c: ") && !line.contains('\n'), "{line:?}");
    }
    assert!(lines[1].contains(" of 0.7 s  examples/c/skip/delete.c: main, in "), "{:?}", lines[1]);
    // After the last one there is the text that is printed without a terminal, too.
    assert!(!lines[lines.len() - 1].contains("structures, ") || lines[lines.len() - 1].contains("  from `main`"));
    assert!(!on_terminal("--quiet").contains("\x1b["), "nothing moves");
}
