//! The texts of `--help`.

use super::*;

fn mentions(command: &str, options: &[&str]) {
    for flag in ["--help", "-h"] {
        let help = trifold([command, flag]).expect(0).stdout;
        let words: Vec<&str> = help.split(|c: char| c.is_whitespace() || ",<>[]".contains(c)).collect();
        for option in options {
            assert!(words.contains(option), "{command} {flag} does not mention {option}:\n{help}");
        }
        // The test should know all options that the help mentions.
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
            "--props",
            "--join",
            "--order",
            "--transformer",
            "--blur",
            "--save",
            "--traversal",
            "--backward",
            "--no-automatic-constraints",
            "--no-derived-updates",
            "--derive-all-updates",
            "--keep-dead",
            "--prove",
            "--no-confirm",
            "--threads",
            "--max-structures",
            "--max-messages",
            "--timeout",
            "--memory",
            "--format",
            "-o",
            "--output",
            "--html",
            "--summaries",
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
    for value in ["relational", "partial", "single", "concrete", "fpucb", "definite", "merge", "back", "post-order"] {
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
            "--png",
            "--force",
            "--rotate",
            "--significant-names",
            "--help",
            "--version",
        ],
    );
}

#[test]
fn of_tvla_mentions_every_option() {
    let of_tvla = ["-join", "-action", "-save", "-props", "-ms", "-mm", "-backward", "-td", "-xml", "-dump", "-mode"];
    let of_trifold = ["--format", "--threads", "--help", "--version"];
    mentions("tvla", &[&of_tvla[..], &of_trifold].concat());
}

#[test]
fn of_most_precise_operations_mentions_every_option() {
    let reading = ["-D", "-I", "--color", "--spec", "--help", "--version"];
    let asking = [&reading[..], &["--solver", "--timeout"]].concat();
    for command in ["assume", "abstract", "meet", "entails"] {
        mentions(command, &asking);
    }
    mentions("best-transformer", &[&asking[..], &["--action"]].concat());
    mentions("formula", &[&reading[..], &["--format"]].concat());
}

#[test]
fn of_the_program_lists_its_commands() {
    let help = trifold(["--help"]).expect(0).stdout;
    assert!(help.contains("analyze") && help.contains("draw"), "{help}");
    assert!(trifold(["--version"]).expect(0).stdout.starts_with("trifold "));
    // Without a command there is nothing to do: the help names the commands.
    let nothing: [&str; 0] = [];
    assert!(trifold(nothing).expect(2).stderr.contains("analyze"));
}
