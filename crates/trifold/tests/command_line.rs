//! The command line as users see it: options, exit status, formats, files.

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;
use support::{DEADLINE, Example, Run, Scratch, run, trifold, workspace};

const REVERSE: [&str; 3] = ["analyze", "examples/tvp/sll/reverse.tvp", "examples/tvp/sll/sll.tvs"];
const NULL_DEREF: [&str; 3] = ["analyze", "examples/tvp/sll/null_deref.tvp", "examples/tvp/sll/sll.tvs"];

/// Runs one of the above with more arguments.
fn with(base: [&str; 3], more: &[&str]) -> Run {
    trifold(base.iter().chain(more))
}

/// The number of structures by location.
fn counts(report: &Value) -> BTreeMap<String, u64> {
    let locations = report["locations"].as_array().unwrap();
    locations.iter().map(|l| (l["name"].as_str().unwrap().to_string(), l["structures"].as_u64().unwrap())).collect()
}

/// The text between the braces of a location of TVS output.
fn location_block<'a>(tvs: &'a str, location: &str) -> &'a str {
    let start = tvs.find(&format!("%location {location} =")).expect("the location is printed");
    let block = &tvs[start..];
    let open = block.find('{').unwrap() + 1;
    &block[open..block.find("\n}").unwrap()]
}

/// The structures of a location, sorted, without those that a message is about.
fn structures<'a>(tvs: &'a str, location: &str) -> Vec<&'a str> {
    let mut about_message = false;
    let mut found = Vec::new();
    for (number, part) in location_block(tvs, location).split("%n =").enumerate() {
        let (structure, message) = part.split_once("%message").map_or((part, None), |(s, m)| (s, Some(m)));
        if number > 0 && !about_message {
            found.push(structure.trim());
        }
        about_message = message.is_some();
    }
    found.sort_unstable();
    found
}

mod help {
    use super::*;

    fn mentions(command: &str, options: &[&str]) {
        for flag in ["--help", "-h"] {
            let help = trifold([command, flag]).expect(0).stdout;
            let words: Vec<&str> = help.split(|c: char| c.is_whitespace() || ",<>[]".contains(c)).collect();
            for option in options {
                assert!(words.contains(option), "{command} {flag} does not mention {option}:\n{help}");
            }
            // What the help mentions, the test should know.
            for word in words.iter().filter(|word| word.starts_with("--") && word.len() > 2) {
                assert!(options.contains(word), "{command} {flag} mentions {word}, which is not tested");
            }
        }
    }

    #[test]
    fn of_analyze_mentions_every_option() {
        mentions(
            "analyze",
            &[
                "-D",
                "-I",
                "--color",
                "--join",
                "--order",
                "--blur",
                "--save",
                "--traversal",
                "--no-automatic-constraints",
                "--threads",
                "--max-structures",
                "--max-messages",
                "--timeout",
                "--format",
                "-o",
                "--output",
                "--force",
                "--significant-names",
                "--rotate",
                "--dump",
                "--log",
                "-d",
                "--debug",
                "-q",
                "--quiet",
                "--help",
                "--version",
            ],
        );
        let help = trifold(["analyze", "--help"]).expect(0).stdout;
        for value in ["relational", "partial", "single", "concrete", "fpucb", "definite", "merge", "back", "post-order"]
        {
            assert!(help.contains(value), "{value}");
        }
        for status in ["0  proved", "1  some messages", "2  the input is wrong", "3  partial"] {
            assert!(help.contains(status), "{status}");
        }
    }

    #[test]
    fn of_draw_mentions_every_option() {
        mentions(
            "draw",
            &[
                "-D",
                "-I",
                "--color",
                "--spec",
                "-o",
                "--output",
                "--dot",
                "--force",
                "--rotate",
                "--significant-names",
                "--help",
                "--version",
            ],
        );
    }

    #[test]
    fn of_the_program_lists_its_commands() {
        let help = trifold(["--help"]).expect(0).stdout;
        assert!(help.contains("analyze") && help.contains("draw"), "{help}");
        assert!(trifold(["--version"]).expect(0).stdout.starts_with("trifold "));
        // Without a command there is nothing to do: the help says what there is.
        let nothing: [&str; 0] = [];
        assert!(trifold(nothing).expect(2).stderr.contains("analyze"));
    }
}

mod status {
    use super::*;

    #[test]
    fn is_0_when_proved() {
        let run = with(REVERSE, &[]).expect(0);
        assert!(run.stdout.contains("proved"), "{}", run.stdout);
        assert_eq!(run.stderr, "", "nothing to say, and no progress when not on a terminal");
    }

    #[test]
    fn is_1_when_messages_may_fire() {
        let run = with(NULL_DEREF, &[]).expect(1);
        assert!(run.stdout.contains("may fail, 3 messages"), "{}", run.stdout);
        // The message points at the edge of the program.
        assert!(run.stderr.contains("Null dereference: y->n"), "{}", run.stderr);
        assert!(run.stderr.contains("examples/tvp/sll/null_deref.tvp:"), "{}", run.stderr);
        assert!(run.stderr.contains("at n4"), "{}", run.stderr);
    }

    #[test]
    fn is_1_when_the_specification_contradicts_itself() {
        let scratch = Scratch::new();
        let program = scratch.file(
            "both.tvp",
            "%p x(v) unique\n%p n(v1, v2)\n%i has() = E(v) x(v)\n%%\n\
             %action Take() { { x(v) = 0 } }\n%%\na Take() b\n",
        );
        let input = scratch.file("both.tvs", "%n = {u} %p = { x = {u} has = 1 }");
        let run = trifold(["analyze", &program, &input, "--format", "json"]).expect(1);
        let report = run.json();
        assert_eq!(report["verdict"], "may-fail");
        let contradiction = &report["contradictions"][0];
        assert_eq!((&contradiction["location"], &contradiction["action"]), (&"a".into(), &"Take()".into()), "{report}");
        assert!(contradiction["constraint"].as_str().unwrap().contains("has"), "{report}");
        for part in ["contradict", "before the action", "after the action", "both.tvp:7"] {
            assert!(run.stderr.contains(part), "no `{part}` in:\n{}", run.stderr);
        }
    }

    #[test]
    fn is_2_when_the_arguments_are_wrong() {
        let wrong: &[&[&str]] = &[
            &["analyze"],
            &["analyze", "a.tvp"],
            &["analyze", "a.tvp", "b.tvs", "c"],
            &["draw"],
            &["sing"],
            &["analyze", "a", "b", "--join", "sideways"],
            &["analyze", "a", "b", "--order", "bcupf"],
            &["analyze", "a", "b", "--timeout", "soon"],
            &["analyze", "a", "b", "--timeout", "-1"],
            &["analyze", "a", "b", "--timeout", "NaN"],
            &["analyze", "a", "b", "--max-structures", "-5"],
            &["analyze", "a", "b", "--dump", "5"],
            &["analyze", "a", "b", "--dump", "0", "-o", "x"],
            &["analyze", "a", "b", "--threads", "many"],
            &["analyze", "a", "b", "--format", "pdf"],
        ];
        for arguments in wrong {
            let run = trifold(*arguments).expect(2);
            assert!(run.stderr.contains("error") || run.stderr.contains("Usage"), "{arguments:?}: {}", run.stderr);
            assert_eq!(run.stdout, "", "{arguments:?}");
        }
    }

    #[test]
    fn is_2_when_files_cannot_be_read() {
        let scratch = Scratch::new();
        let cases = [
            ["no/such.tvp", "examples/tvp/sll/sll.tvs"],
            ["examples/tvp/sll/reverse.tvp", "no/such.tvs"],
            ["examples/tvp", "examples/tvp/sll/sll.tvs"],
            ["examples/tvp/sll/reverse.tvp", "examples/tvp"],
        ];
        for [program, input] in cases {
            let run = trifold(["analyze", program, input]).expect(2);
            let wrong = if program.ends_with("reverse.tvp") { input } else { program };
            assert!(run.stderr.contains("error") && run.stderr.contains(wrong), "{}", run.stderr);
            assert_eq!(run.stdout, "");
        }
        assert!(trifold(["draw", "no/such.tvs"]).expect(2).stderr.contains("no/such.tvs"));
        assert!(trifold(["draw", "examples"]).expect(2).stderr.contains("examples"));
        let missing = scratch.file("missing.tvp", "#include \"nowhere.tvp\"\n%%\n%%\n");
        let run = trifold(["analyze", &missing, "examples/tvp/sll/sll.tvs"]).expect(2);
        assert!(run.stderr.contains("nowhere.tvp") && run.stderr.contains("missing.tvp:1"), "{}", run.stderr);
    }

    #[cfg(unix)]
    #[test]
    fn is_2_when_a_file_may_not_be_read() {
        use std::os::unix::fs::PermissionsExt;
        let scratch = Scratch::new();
        let secret = scratch.file("secret.tvp", "%%\n%%\n");
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o0)).unwrap();
        if std::fs::read(&secret).is_ok() {
            return; // whoever runs this may read everything
        }
        let run = trifold(["analyze", &secret, "examples/tvp/sll/sll.tvs"]).expect(2);
        assert!(run.stderr.contains("secret.tvp"), "{}", run.stderr);
    }

    #[cfg(unix)]
    #[test]
    fn is_2_for_a_file_without_end() {
        let deadline = std::time::Duration::from_secs(20);
        let endless = |arguments: &[&str]| support::trifold_within(arguments, 1024, deadline).expect(2).stderr;
        assert!(endless(&["analyze", "/dev/zero", "examples/tvp/sll/sll.tvs"]).contains("/dev/zero"));
        assert!(endless(&["draw", "/dev/zero"]).contains("/dev/zero"));
    }

    #[test]
    fn is_3_when_a_limit_is_reached() {
        let limits: &[(&[&str], &str)] = &[
            (&["--max-structures", "5"], "structure-limit"),
            (&["--max-messages", "1"], "message-limit"),
            (&["--timeout", "0"], "timeout"),
        ];
        for (limit, reason) in limits {
            let json: Vec<&str> = limit.iter().copied().chain(["--format", "json"]).collect();
            let report = with(NULL_DEREF, &json).expect(3).json();
            assert_eq!((&report["verdict"], &report["stop"]), (&"partial".into(), &Value::from(*reason)));
            let text = with(NULL_DEREF, limit).expect(3).stdout;
            assert!(text.contains("partial"), "{text}");
        }
        let report = with(NULL_DEREF, &["--max-structures", "5", "--format", "json"]).json();
        assert!(report["structures"]["created"].as_u64().unwrap() < 58, "{report}");
        // A limit that is not reached limits nothing.
        with(REVERSE, &["--max-structures", "100000", "--max-messages", "1", "--timeout", "1000"]).expect(0);
    }

    #[test]
    fn is_3_for_an_endless_analysis_that_is_stopped() {
        // Without blur a loop that allocates goes on for ever.
        let create = ["analyze", "examples/tvp/sll/create.tvp", "examples/tvp/sll/sll.tvs"];
        let report =
            with(create, &["--join", "concrete", "--max-structures", "200", "--format", "json"]).expect(3).json();
        assert_eq!(report["stop"], "structure-limit");
        let run = with(create, &["--join", "concrete", "--timeout", "0.2", "--format", "json"]).expect(3);
        assert_eq!(run.json()["stop"], "timeout");
        assert!(run.time.as_secs() < 10, "{:?}", run.time);
    }

    #[test]
    fn is_2_when_there_is_nothing_to_analyse() {
        let scratch = Scratch::new();
        let empty = scratch.file("empty.tvs", "");
        let run = trifold(["analyze", REVERSE[1], &empty]).expect(2);
        assert!(run.stderr.contains("there is no input structure"), "{}", run.stderr);
        // x points to two different individuals, though it is unique.
        let impossible = scratch.file("impossible.tvs", "%n = {u, w} %p = { x = {u, w} r[n,x] = {u, w} }");
        let run = trifold(["analyze", REVERSE[1], &impossible]).expect(2);
        assert!(run.stderr.contains("no input structure represents a store"), "{}", run.stderr);
        // One that is possible is enough; the other one is mentioned.
        let both = scratch.file("both.tvs", "%n = {} %p = {} %n = {u, w} %p = { x = {u, w} r[n,x] = {u, w} }");
        let run = trifold(["analyze", REVERSE[1], &both]).expect(0);
        assert!(run.stderr.contains("input structure 2 represents no store"), "{}", run.stderr);
    }
}

mod formats {
    use super::*;

    #[test]
    fn json_has_every_field() {
        for (base, status) in [(REVERSE, 0), (NULL_DEREF, 1)] {
            let report = with(base, &["--format", "json"]).expect(status).json();
            assert_eq!(report["version"], 1);
            assert_eq!((&report["program"], &report["input"]), (&base[1].into(), &base[2].into()));
            assert_eq!(report["verdict"], if status == 0 { "proved" } else { "may-fail" });
            assert_eq!(report["stop"], "fixpoint");
            for field in ["created", "saved", "max_per_location"] {
                assert!(report["structures"][field].as_u64().is_some_and(|n| n > 0), "{field}");
            }
            for field in ["load_s", "analysis_s"] {
                assert!(report["time"][field].as_f64().is_some_and(|t| t > 0.0), "{field}");
            }
            let locations = report["locations"].as_array().unwrap();
            let number = |value: &Value| value.as_u64().unwrap();
            assert_eq!(
                locations.iter().map(|l| number(&l["structures"])).sum::<u64>(),
                number(&report["structures"]["saved"])
            );
            assert_eq!(
                locations.iter().map(|l| number(&l["structures"])).max().unwrap(),
                number(&report["structures"]["max_per_location"])
            );
            for location in locations {
                assert!(location["name"].is_string());
                for message in location["messages"].as_array().expect("messages") {
                    assert!(message["text"].is_string() && message["definite"].is_boolean(), "{message}");
                }
            }
        }
    }

    #[test]
    fn text_and_json_agree() {
        let report = with(NULL_DEREF, &["--format", "json"]).expect(1).json();
        let text = with(NULL_DEREF, &[]).expect(1).stdout;
        for (name, structures) in counts(&report) {
            let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{name} "))).expect("a line");
            assert_eq!(line.split_whitespace().nth(1), Some(structures.to_string().as_str()), "{line}");
        }
    }

    #[test]
    fn tvs_output_is_input_again() {
        let scratch = Scratch::new();
        let tvs = with(REVERSE, &["--format", "tvs"]).expect(0).stdout;
        let all = scratch.file("all.tvs", &tvs);
        let svg = trifold(["draw", &all]).expect(0).stdout;
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        trifold(["draw", &all, "--spec", REVERSE[1], "--dot"]).expect(0);

        let exit = scratch.file("exit.tvs", location_block(&tvs, "exit"));
        let again = ["analyze", "examples/tvp/sll/reverse_fig6.tvp", exit.as_str()];
        // To reverse the reversed list in y, and not x, leaks it.
        let report = with(again, &["--format", "json"]).expect(1).json();
        let first = with(REVERSE, &["--format", "json"]).expect(0).json();
        assert_eq!(counts(&report)["n1"], counts(&first)["exit"], "the structures at the exit are those at the entry");
        // A whole result, blocks and all, is an input too.
        trifold(["analyze", REVERSE[1], &all]).expect(1);
    }

    #[test]
    fn tvs_output_contains_the_structures_of_messages() {
        let scratch = Scratch::new();
        let tvs = with(NULL_DEREF, &["--format", "tvs"]).expect(1).stdout;
        let block = location_block(&tvs, "n4");
        assert!(block.contains("%message \"Null dereference: y->n"), "{block}");
        trifold(["draw", &scratch.file("messages.tvs", &tvs)]).expect(0);
    }

    #[test]
    fn names_of_merged_individuals_are_read_again() {
        let scratch = Scratch::new();
        let tvs = with(REVERSE, &["--format", "tvs", "--significant-names"]).expect(0).stdout;
        let exit = scratch.file("exit.tvs", location_block(&tvs, "exit"));
        let again = trifold(["analyze", REVERSE[1], &exit, "--significant-names", "--format", "tvs"]).expect(1).stdout;
        assert_eq!(structures(&again, "n1"), structures(&tvs, "exit"));
        let drawn = trifold(["draw", &exit, "--significant-names"]).expect(0).stdout;
        assert!(drawn.contains("[u"), "{drawn}");
    }

    /// Every brace outside of quotes has its counterpart.
    fn assert_balanced(dot: &str) {
        let (mut depth, mut quoted, mut escaped) = (0i64, false, false);
        for c in dot.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                '{' | '[' if !quoted => depth += 1,
                '}' | ']' if !quoted => depth -= 1,
                _ => {}
            }
            assert!(depth >= 0, "{dot}");
        }
        assert!(depth == 0 && !quoted, "{dot}");
    }

    #[test]
    fn dot_is_balanced_and_complete() {
        for base in [REVERSE, NULL_DEREF] {
            let dot = with(base, &["--format", "dot"]).stdout;
            assert_balanced(&dot);
            let report = with(base, &["--format", "json"]).json();
            let saved = report["structures"]["saved"].as_u64().unwrap() as usize;
            assert_eq!(dot.matches("subgraph").count(), saved, "a picture for each structure");
            assert!(dot.starts_with("digraph cfg"), "the control-flow graph comes first");
            for location in counts(&report).keys() {
                assert!(dot.contains(&format!("{location}: structure 1")), "{location}");
            }
        }
    }

    #[test]
    fn rotate_turns_the_graphs() {
        let upright = with(REVERSE, &["--format", "dot"]).stdout;
        let rotated = with(REVERSE, &["--format", "dot", "--rotate"]).stdout;
        assert!(upright.contains("rankdir=TB") && !upright.contains("rankdir=LR"));
        assert!(rotated.contains("rankdir=LR") && !rotated.contains("rankdir=TB"));
        assert_eq!(upright.replace("rankdir=TB", "rankdir=LR"), rotated);
    }
}

mod output {
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
}

mod diagnostics {
    use super::*;

    #[test]
    fn go_into_a_log() {
        let scratch = Scratch::new();
        let log = scratch.path("log");
        let run = with(NULL_DEREF, &["--log", &log]).expect(1);
        assert_eq!(run.stderr, "");
        let plain = with(NULL_DEREF, &[]).expect(1);
        assert_eq!(std::fs::read_to_string(&log).unwrap(), plain.stderr, "the log has what would have been shown");
        with(NULL_DEREF, &["--log", &log, "--debug"]).expect(1);
        let text = std::fs::read_to_string(&log).unwrap();
        assert!(text.contains("constraints, in order") && text.contains(": blur") && text.contains("Null dereference"));
    }

    #[test]
    fn trace_every_phase() {
        let trace = with(REVERSE, &["--debug", "--order", "fcpucb"]).expect(0).stderr;
        for phase in [
            ": focus",
            ": coerce before the precondition",
            ": precondition",
            ": update",
            ": coerce after the update",
            ": blur",
        ] {
            assert!(trace.lines().any(|line| line.ends_with(phase)), "no{phase}");
        }
        // Constraints have numbers, and each says which ones read what it changes.
        assert!(trace.contains("E(v1) n(v1,v2) & n(v1,v3) ==> v2 == v3"), "{trace}");
        assert!(trace.contains("        read by "), "{trace}");
        // A discarded structure is shown with the constraint and the assignment.
        let discarded: Vec<&str> = trace.lines().filter(|line| line.contains(": discarded by coerce")).collect();
        assert!(!discarded.is_empty());
        assert!(discarded.iter().all(|line| line.contains(" ==> ") && line.contains(", for v")), "{discarded:?}");
        let after = trace.split(discarded[0]).nth(1).unwrap();
        assert!(after.trim_start().starts_with("%n = {"), "the structure follows");
        // Order without coerce: no coerce in the trace.
        let trace = with(REVERSE, &["--debug", "--order", "fpub", "--max-structures", "100"]).stderr;
        assert!(!trace.lines().any(|line| line.contains(": coerce")));
    }

    #[test]
    fn tracing_changes_nothing() {
        for base in [REVERSE, NULL_DEREF] {
            let plain = with(base, &["--format", "tvs"]);
            let traced = with(base, &["--format", "tvs", "--debug"]);
            assert_eq!((plain.status, plain.stdout), (traced.status, traced.stdout));
        }
    }

    #[test]
    fn are_coloured_only_when_told_to_or_on_a_terminal() {
        assert!(!with(NULL_DEREF, &[]).stderr.contains('\x1b'));
        assert!(!with(NULL_DEREF, &["--color", "never"]).stderr.contains('\x1b'));
        assert!(with(NULL_DEREF, &["--color", "always"]).stderr.contains('\x1b'));
        assert!(trifold(["draw", "no/such.tvs", "--color", "always"]).expect(2).stderr.contains('\x1b'));
    }

    /// On a terminal there are colours, unless NO_COLOR says otherwise. Needs the `script` program of Linux.
    #[test]
    fn respect_no_color_on_a_terminal() {
        let on_terminal = |no_color: Option<&str>| {
            let mut script = Command::new("script");
            script.args(["-qec", &format!("{} {}", env!("CARGO_BIN_EXE_trifold"), NULL_DEREF.join(" ")), "/dev/null"]);
            script.env("TERM", "xterm");
            let probe = Command::new("script").arg("--version").output();
            if !cfg!(target_os = "linux") || !probe.is_ok_and(|output| output.status.success()) {
                return None;
            }
            match no_color {
                Some(value) => {
                    let mut shell = Command::new("env");
                    shell.arg(format!("NO_COLOR={value}")).arg("script").args(script.get_args());
                    Some(run(shell, DEADLINE))
                }
                None => Some(run(script, DEADLINE)),
            }
        };
        let Some(coloured) = on_terminal(None) else { return };
        assert!(coloured.stdout.contains("\x1b["), "{}", coloured.stdout);
        // Progress may rewrite its line; colours end in `m`.
        let has_colour = |text: &str| {
            text.split("\x1b[")
                .skip(1)
                .any(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m'))
        };
        assert!(has_colour(&coloured.stdout));
        assert!(!has_colour(&on_terminal(Some("1")).unwrap().stdout));
        assert!(has_colour(&on_terminal(Some("")).unwrap().stdout), "an empty NO_COLOR says nothing");
    }

    #[test]
    fn of_loading_are_warnings_unless_quiet() {
        let scratch = Scratch::new();
        // An action that is never used deserves no word, a set that is never used neither; a focus formula that stays
        // unknown does.
        let program = scratch.file(
            "warn.tvp",
            "%p x(v) nonabs\n%p n(v1, v2)\n%%\n%action Look() { %f { n(v, w) } { x(v) = x(v) } }\n%%\na Look() b\n",
        );
        let input = scratch.file("warn.tvs", "%n = {u} %p = { sm = {u:1/2} n = {u->u:1/2} }");
        let run = trifold(["analyze", &program, &input]).expect(0);
        assert!(run.stderr.contains("stays unknown") && run.stderr.contains("warn.tvp:4"), "{}", run.stderr);
        assert_eq!(trifold(["analyze", &program, &input, "--quiet"]).expect(0).stderr, "");
        assert_eq!(trifold(["analyze", &program, &input, "--format", "json"]).expect(0).json()["unfocusable"], 1);
    }
}

mod analysis {
    use super::*;

    #[test]
    fn macros_can_be_defined() {
        let scratch = Scratch::new();
        let program = scratch.file(
            "macro.tvp",
            "%p x(v)\n%%\n#ifdef BAD\n#if LEVEL > 2\n%action S() { %message 1 -> \"high\" }\n#else\n\
             %action S() { %message 1 -> \"low\" }\n#endif\n#else\n%action S() { }\n#endif\n%%\na S() b\n",
        );
        let input = scratch.file("macro.tvs", "%n = {} %p = {}");
        let run = |options: &[&str]| trifold([&["analyze", &program, &input, "--format", "json"], options].concat());
        let message = |run: Run| run.json()["locations"][0]["messages"][0]["text"].as_str().unwrap().to_string();
        run(&[]).expect(0);
        assert_eq!(message(run(&["-D", "BAD"]).expect(1)), "low");
        assert_eq!(message(run(&["-DBAD", "-DLEVEL=3"]).expect(1)), "high");
        assert_eq!(message(run(&["-DBAD", "-D", "LEVEL(3)"]).expect(1)), "high");
        assert_eq!(message(run(&["-DBAD=1", "-DLEVEL=2"]).expect(1)), "low");
    }

    #[test]
    fn included_files_are_searched() {
        let scratch = Scratch::new();
        std::fs::create_dir(scratch.path("lib")).unwrap();
        scratch.file("lib/predicates.tvp", "%p x(v)\n");
        let program =
            scratch.file("include.tvp", "#include \"predicates.tvp\"\n%%\n%action S() { { x(v) = 0 } }\n%%\na S() b\n");
        let input = scratch.file("include.tvs", "%n = {u} %p = { x = {u} }");
        let run = trifold(["analyze", &program, &input]).expect(2);
        assert!(run.stderr.contains("predicates.tvp"), "{}", run.stderr);
        trifold(["analyze", &program, &input, "-I", &scratch.path("lib")]).expect(0);
        trifold(["draw", &input, "--spec", &program, "-I", &scratch.path("lib")]).expect(0);
    }

    #[test]
    fn significant_names_tell_where_individuals_come_from() {
        let tvs = with(REVERSE, &["--format", "tvs", "--significant-names"]).expect(0).stdout;
        // The summary u is split into u.0 and u.1; u.1 is merged with u0, the head of the list, again.
        assert!(tvs.contains("u.1") && tvs.contains("u.0"), "{tvs}");
        assert!(tvs.contains("[u0,u.1]") || tvs.contains("[u.1,u0]"), "{tvs}");
        let plain = with(REVERSE, &["--format", "tvs"]).expect(0).stdout;
        assert!(!plain.contains("u.1"), "{plain}");
        // Names are names: they change nothing else.
        let json = |more: &[&str]| counts(&with(REVERSE, &[&["--format", "json"], more].concat()).expect(0).json());
        assert_eq!(json(&[]), json(&["--significant-names"]));
        // New individuals get names that were never used before.
        let create = ["analyze", "examples/tvp/sll/create.tvp", "examples/tvp/sll/sll.tvs"];
        let tvs = with(create, &["--format", "tvs", "--significant-names"]).expect(0).stdout;
        let new = tvs.split(|c: char| !c.is_alphanumeric()).any(|word| {
            word.strip_prefix('m')
                .is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
        });
        assert!(new, "{tvs}");
    }

    #[test]
    fn automatic_constraints_matter() {
        let run = |more: &[&str]| with(REVERSE, &[&["--format", "json", "--max-structures", "1000"], more].concat());
        run(&[]).expect(0);
        // Without them, nothing tells that an individual found by focus is the same as another one: there are thousands.
        run(&["--no-automatic-constraints"]).expect(3);
        let trace = with(REVERSE, &["--debug", "--no-automatic-constraints", "--max-structures", "10"]).stderr;
        assert!(!trace.contains("==> v2 == v3"), "no constraint is generated");
    }

    #[test]
    fn joins_get_coarser() {
        let saved = |join: &str, base: [&str; 3]| {
            let report = with(base, &["--join", join, "--format", "json"]).json();
            assert_eq!(report["stop"], "fixpoint", "{join}");
            report["structures"]["saved"].as_u64().unwrap()
        };
        let merge = ["analyze", "examples/tvp/sll/merge.tvp", "examples/tvp/sll/merge.tvs"];
        for base in [REVERSE, NULL_DEREF, merge] {
            let [relational, partial, single] = ["relational", "partial", "single"].map(|join| saved(join, base));
            assert!(partial <= relational && single <= partial, "{relational} {partial} {single}");
        }
        let report = with(REVERSE, &["--join", "single", "--format", "json"]).json();
        assert_eq!(report["structures"]["max_per_location"], 1, "reverse has no nullary predicates");
        // On a store of three elements nothing needs to be blurred.
        let scratch = Scratch::new();
        let store = scratch.file("store.tvs", "%n = {a, b, c} %p = { x = {a} n = {a->b, b->c} r[n,x] = {a, b, c} }");
        let report =
            trifold(["analyze", REVERSE[1], &store, "--join", "concrete", "--format", "json"]).expect(0).json();
        assert_eq!(report["structures"]["max_per_location"], 4, "one store for each round of the loop");
        assert_eq!(counts(&report)["exit"], 1);
    }

    #[test]
    fn orders_are_accepted_and_printed_in_traces() {
        for order in ["fpucb", "fcpucb", "pub"] {
            let run = with(REVERSE, &["--order", order, "--format", "json", "--max-structures", "100000"]);
            assert!(matches!(run.status, Some(0 | 1)), "{order}: {:?}\n{}", run.status, run.stderr);
            let early = with(REVERSE, &["--order", order, "--debug", "--max-structures", "50"]).stderr;
            assert_eq!(early.lines().any(|l| l.ends_with(": focus")), order.starts_with('f'), "{order}");
            assert_eq!(early.contains("coerce before"), order.starts_with("fc"), "{order}");
        }
        // Without focus, reverse cannot be proved precisely: there are other structures.
        let json = |order: &str| counts(&with(REVERSE, &["--order", order, "--format", "json"]).json());
        assert_ne!(json("fpucb"), json("pub"));
        assert_eq!(json("fpucb"), json("fcpucb"), "an early coerce drops only what the late one drops");
    }

    #[test]
    fn definite_blur_merges_more() {
        let saved = |blur: &str| {
            let report = with(REVERSE, &["--order", "pucb", "--blur", blur, "--format", "json"]).json();
            assert_eq!(report["stop"], "fixpoint");
            report["structures"]["saved"].as_u64().unwrap()
        };
        with(REVERSE, &["--blur", "definite"]).expect(0);
        assert!(saved("definite") <= saved("different"));
    }

    #[test]
    fn saving_less_and_visiting_otherwise_finds_the_same() {
        for base in [REVERSE, NULL_DEREF, ["analyze", "examples/tvp/sll/delete.tvp", "examples/tvp/sll/sll.tvs"]] {
            let all = with(base, &["--format", "tvs"]).stdout;
            for options in [["--save", "merge"], ["--save", "back"], ["--traversal", "post-order"]] {
                let other = with(base, &[&options[..], &["--format", "tvs"]].concat());
                let exit = structures(&other.stdout, "exit");
                // An exit that is no merge point keeps nothing, unless it is listed.
                if !exit.is_empty() || options[0] == "--traversal" {
                    assert_eq!(exit, structures(&all, "exit"), "{base:?} {options:?}");
                }
            }
        }
    }

    #[test]
    fn saving_less_keeps_what_the_program_lists() {
        let scratch = Scratch::new();
        let source = std::fs::read_to_string(workspace().join(REVERSE[1])).unwrap();
        let listed =
            source.replace("../../../specs", &workspace().join("specs").to_string_lossy()) + "\n%%\nexit, n4\n";
        let program = scratch.file("reverse.tvp", listed);
        let run = |save: &str| {
            let run = trifold(["analyze", &program, REVERSE[2], "--save", save, "--format", "tvs"]).expect(0);
            assert_eq!(run.stdout.matches("%location").count(), 2, "only what is listed is printed");
            let sorted = |location: &str| structures(&run.stdout, location).join("\n");
            (sorted("exit"), sorted("n4"))
        };
        let all = run("all");
        assert!(!all.0.is_empty() && !all.1.is_empty());
        assert_eq!(run("merge"), all);
        assert_eq!(run("back"), all);
    }

    #[test]
    fn messages_at_locations_that_are_not_listed_are_reported() {
        let scratch = Scratch::new();
        let program = scratch.file(
            "listed.tvp",
            "%p x(v)\n%%\n%action Bad() { %message 1 -> \"bad\" }\n%action Good() { }\n%%\n\
             a Good() b\nb Bad() c\n%%\nc\n",
        );
        let input = scratch.file("listed.tvs", "%n = {} %p = {}");
        let run = trifold(["analyze", &program, &input, "--format", "json"]).expect(1);
        let report = run.json();
        let b = report["locations"].as_array().unwrap().iter().find(|l| l["name"] == "b");
        assert_eq!(b.map(|b| b["messages"][0]["text"].clone()), Some("bad".into()), "{report}");
        assert!(report["locations"].as_array().unwrap().iter().all(|l| l["name"] != "a"), "{report}");
        let text = trifold(["analyze", &program, &input]).expect(1).stdout;
        assert!(text.contains("1 message"), "{text}");
        let tvs = trifold(["analyze", &program, &input, "--format", "tvs"]).expect(1).stdout;
        assert!(tvs.contains("%message \"bad\""), "{tvs}");
    }

    /// A report without its times.
    fn timeless(run: &Run) -> String {
        let without = |line: &&str| !line.contains("_s\":") && !line.starts_with("  time ");
        run.stdout.lines().filter(without).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn threads_change_nothing() {
        let programs = ["sll/merge", "sll/null_deref", "sll/swap", "sorting/merge_bug", "dll/splice_srw99"];
        for name in programs {
            let example = Example::read(format!("examples/tvp/{name}.tvp"));
            for format in ["json", "tvs", "dot", "text"] {
                let run = |threads: &str| {
                    let more = ["--format", format, "--threads", threads, "--significant-names"];
                    trifold(example.arguments().into_iter().chain(more))
                };
                let one = run("1");
                for threads in ["2", "5"] {
                    let several = run(threads);
                    assert_eq!(timeless(&several), timeless(&one), "{name} {format} with {threads} threads");
                    assert_eq!((several.status, &several.stderr), (one.status, &one.stderr), "{name} {format}");
                }
            }
        }
        let limited =
            |threads: &str| with(NULL_DEREF, &["--max-structures", "30", "--threads", threads, "--format", "tvs"]);
        assert_eq!(limited("1").expect(3).stdout, limited("5").expect(3).stdout, "also where a limit cuts it off");
        with(REVERSE, &["--threads", "0"]); // whatever it means, it ends
    }
}

mod draw {
    use super::*;

    const LISTS: &str = "examples/tvp/sll/sll.tvs";

    #[test]
    fn writes_what_the_name_says() {
        let scratch = Scratch::new();
        for (name, start) in [("a.svg", "<svg"), ("a.dot", "digraph"), ("a.gv", "digraph")] {
            let path = scratch.path(name);
            assert_eq!(trifold(["draw", LISTS, "--spec", REVERSE[1], "-o", &path]).expect(0).stdout, "");
            let drawing = std::fs::read_to_string(&path).unwrap();
            assert!(drawing.starts_with(start), "{name}: {drawing}");
            let refused = trifold(["draw", LISTS, "-o", &path]).expect(2);
            assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
            trifold(["draw", LISTS, "-o", &path, "--force"]).expect(0);
        }
        for name in ["a.png", "a", "a.svg.txt"] {
            let path = scratch.path(name);
            let refused = trifold(["draw", LISTS, "-o", &path]).expect(2);
            assert!(refused.stderr.contains(".svg or .dot"), "{}", refused.stderr);
            assert!(!std::path::Path::new(&path).exists());
        }
    }

    #[test]
    fn prints_svg_unless_dot_is_asked_for() {
        assert!(trifold(["draw", LISTS]).expect(0).stdout.starts_with("<svg"));
        assert!(trifold(["draw", LISTS, "--dot"]).expect(0).stdout.starts_with("digraph"));
    }

    #[test]
    fn rotate_turns_the_drawing() {
        let turns = |path: &str, more: &[&str]| {
            let drawn = |last: &[&str]| trifold([&["draw", path], more, last].concat()).expect(0).stdout;
            drawn(&[]) != drawn(&["--rotate"])
        };
        assert!(turns(LISTS, &["--dot"]));
        // A drawing in SVG chooses its direction: lists go from left to right anyway, trees do not.
        let scratch = Scratch::new();
        let tree = scratch.file("tree.tvs", "%n = {a, b, c} %p = { root = {a} left = {a->b} right = {a->c} }");
        assert!(turns(&tree, &[]));
    }

    #[test]
    fn names_are_shown_when_asked_for() {
        let drawn = |more: &[&str]| trifold([&["draw", LISTS, "--dot"], more].concat()).expect(0).stdout;
        let named = |drawing: &str| drawing.lines().any(|line| line.contains("label=\"u0"));
        assert!(!named(&drawn(&[])));
        assert!(named(&drawn(&["--significant-names"])));
    }

    #[test]
    fn every_example_is_drawn() {
        for path in support::files("examples/tvp", "tvs") {
            let svg = trifold(["draw", &path]).expect(0).stdout;
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{path}");
        }
    }

    #[test]
    fn wrong_structures_are_refused() {
        let scratch = Scratch::new();
        let unknown = scratch.file("unknown.tvs", "%n = {u} %p = { zzz = {u} }");
        let run = trifold(["draw", &unknown, "--spec", REVERSE[1]]).expect(2);
        assert!(run.stderr.contains("zzz") && run.stderr.contains("unknown.tvs:1"), "{}", run.stderr);
        trifold(["draw", &unknown]).expect(0);
    }
}
