//! A small root with a script in the place of the tool.

use super::*;
use crate::process::{Finished, observe};
use std::process::Command;

/// A directory `lists` with two programs, a file to be included, and inputs.
fn root() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = root.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for (name, text) in [
        ("lists/reverse.tvp", "%p x(v)\n%%\n%%\n"),
        ("lists/merge.tvp", "%p x(v)\n%%\n%%\n"),
        ("lists/predicates.tvp", "%p x(v)\n"),
        ("lists/merge.tvs", ""),
        ("lists/one.tvs", ""),
        ("lists/two.tvs", ""),
        ("lists/lists.properties", ""),
    ] {
        write(name, text);
    }
    root
}

fn titles(runs: &[Run]) -> Vec<String> {
    runs.iter().map(Run::title).collect()
}

#[test]
fn programs_are_found_with_their_inputs() {
    let found = titles(&list::discover(root().path()).unwrap());
    let expected = ["lists/merge", "lists/reverse one", "lists/reverse two"];
    assert_eq!(found, expected.map(|title| format!("{title} -props lists.properties")));
}

#[test]
fn programs_are_listed() {
    let csv = "program,note,directory,options,input\nreverse,x,lists,-join rel,one\n\n";
    assert_eq!(titles(&list::read(csv).unwrap()), ["lists/reverse one -join rel"]);
    assert!(list::read("program,directory\n").unwrap_err().contains("input"));
}

#[test]
fn what_tvla_prints_is_understood() {
    let output = "L1:\t3\tstructures\tmax graph=2\t0 messages, time: 0.0\n\
                  exit:\t4\tstructures\tmax graph=2\t2 messages, time: 0.0\n\
                  number of structures in graph          : 7\n\
                  Total analysis time          : 1.099\tseconds\n\
                  Total number of messages   : 2\n";
    let finished = |output: &str, status| Finished {
        status,
        output: "L1    exit\n".to_string(),
        errors: output.to_string(),
        seconds: 2.0,
        memory_mb: Some(9.0),
        cpu: None,
    };
    let measured = theirs::understand(finished(output, Some(0)));
    assert_eq!((measured.outcome, measured.saved, measured.messages), (Outcome::Done, Some(7), Some(2)));
    assert_eq!(measured.analysis_s, Some(1.099));
    assert_eq!(measured.structures, Some([("L1".to_string(), 3), ("exit".to_string(), 4)].into()));
    assert_eq!(measured.message_locations, Some(["exit".to_string()].into()));
    assert_eq!(theirs::understand(finished("no such predicate", Some(0))).outcome, Outcome::Rejected);
    assert_eq!(theirs::understand(finished(output, None)).outcome, Outcome::Timeout);
}

#[cfg(unix)]
#[test]
fn processes_are_observed_and_ended() {
    let run = |script: &str, limit| observe(Command::new("sh").args(["-c", script]), limit).unwrap();
    let done = run("echo out; echo err >&2; exit 3", Duration::from_secs(20));
    assert_eq!((done.status, done.output.as_str(), done.errors.as_str()), (Some(3), "out\n", "err\n"));
    assert_eq!(run("exec sleep 20", Duration::from_millis(50)).status, None);
}

/// A tool that finds two structures at `L1`, and a message there, in all programs but one.
#[cfg(unix)]
fn pretender(directory: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = directory.join("pretender");
    let script = r#"#!/bin/sh
case "$2" in merge) echo "no way" >&2; exit 2;; esac
cat <<END
{"structures": {"saved": 2}, "contradictions": [], "time": {"analysis_s": 0.5},
 "locations": [{"name": "L1", "structures": 2, "messages": [{}]}]}
END
"#;
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[cfg(unix)]
#[test]
fn results_are_compared_with_recorded_ones() {
    let root = root();
    let tool = pretender(root.path());
    let file = |name: &str, text: &str| {
        let path = root.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let figures = file(
        "runs.csv",
        "directory,program,input,options,outcome,structures_saved,messages,cpu_s_whole_process,\
         analysis_s_idle_machine,max_mem_mb\n\
         lists,reverse,one,-join rel,ok,3,0,,1.5,20\n\
         lists,merge,merge,,ok,5,0,,,\n",
    );
    let locations = file(
        "locations.csv",
        "directory,program,input,options,location,structures,messages\nlists,reverse,one,-join rel,L1,3,0\n",
    );
    let directory = root.path().display().to_string();
    let words = ["bench", "--root", &directory, "--list", &figures, "--figures", &figures, "--locations", &locations];
    let options = Options::parse_from(words);
    let mut shown = Vec::new();
    let summary = compare(&options, &tool, |row| shown.push((table::text(row), table::csv(row)))).unwrap();
    let [(reverse, csv), (merge, _)] = &shown[..] else { panic!("{shown:?}") };
    for expected in [
        "done",
        "2/3",
        "1/0",
        "0.500/1.500",
        "3.0",
        " 250000.0 ",
        "L1: 2 structures, TVLA 3",
        "L1: a message that TVLA",
    ] {
        assert!(reverse.contains(expected), "{expected} in {reverse}");
    }
    assert!(csv.starts_with("lists,reverse,one,-join rel,done,done,2,3,1,1,0,1,0,false,0.5,1.5,"), "{csv}");
    for expected in ["rejected/done", "-/5", "trifold: no way"] {
        assert!(merge.contains(expected), "{expected} in {merge}");
    }
    let summary = summary.to_string();
    assert!(summary.contains("2 runs, 1 that both tools finish"), "{summary}");
    assert!(summary.contains("0 have as many structures, 1 fewer, 0 more; 0 of 1 have messages"), "{summary}");
}
