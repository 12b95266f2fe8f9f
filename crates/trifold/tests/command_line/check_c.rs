//! `trifold check`.

use super::*;

const LIST: &str = "struct node { struct node *next; int data; };
void *malloc(unsigned long);
void free(void *);
int __VERIFIER_nondet_int(void);
static struct node *push(struct node *list, int data)
{
    struct node *node = malloc(sizeof *node);
    node->next = list;
    node->data = data;
    return node;
}
int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int())
        list = push(list, 1);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
";

fn json(words: &[&str], status: i32) -> Value {
    let words = words.iter().copied().chain(["--format", "json"]);
    let output = trifold(std::iter::once("check").chain(words)).expect(status);
    serde_json::from_str(&output.stdout).unwrap()
}

/// The findings of a report: function, kind, line.
fn findings(report: &Value) -> Vec<(String, String, u64)> {
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let of_function = |function: &Value| {
        let name = text(&function["name"]);
        let findings = function["findings"].as_array().unwrap().iter();
        findings.map(|f| (name.clone(), text(&f["kind"]), f["line"].as_u64().unwrap())).collect::<Vec<_>>()
    };
    report["functions"].as_array().unwrap().iter().flat_map(of_function).collect()
}

#[test]
fn a_correct_program_is_proved() {
    let scratch = Scratch::new();
    let file = scratch.file("list.c", LIST);
    let report = json(&[&file], 0);
    assert_eq!((&report["verdict"], &report["domain"]), (&Value::from("proved"), &Value::from("checkers")));
    assert_eq!(report["file"], Value::from(file.as_str()));
    let functions = report["functions"].as_array().unwrap();
    let names: Vec<&str> = functions.iter().map(|function| function["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["push", "main"]);
    assert!(functions.iter().all(|f| f["verdict"] == "proved" && f["stats"]["structures"].as_u64().unwrap() > 0));
    let text = trifold(["check", &file]).expect(0);
    assert!(text.stdout.contains("list.c: proved"), "{}", text.stdout);
    assert_eq!(text.stderr, "");
}

/// `t` is dead while the list is walked, but not forgotten if it is wanted.
#[test]
fn dead_variables_are_forgotten() {
    let scratch = Scratch::new();
    let walk =
        |t: &str| format!("struct node *{t} = list;\n while (__VERIFIER_nondet_int() && {t})\n {t} = {t}->next;\n");
    let file =
        scratch.file("walk.c", LIST.replace("    while (list) {", &(walk("t") + &walk("u") + "    while (list) {")));
    for domain in ["tvl", "checkers"] {
        let run = |more: &[&str]| json(&[&[file.as_str(), "--domain", domain], more].concat(), 0);
        let total = |report: &Value, statistic: &str| -> u64 {
            let functions = report["functions"].as_array().unwrap().iter();
            functions.map(|function| function["stats"][statistic].as_u64().unwrap()).sum()
        };
        let (forgotten, kept) = (run(&[]), run(&["--keep-dead"]));
        assert!(total(&forgotten, "forgotten") > 0);
        assert_eq!(total(&kept, "forgotten"), 0);
        let (less, more) = (total(&forgotten, "structures"), total(&kept, "structures"));
        assert!(less < more, "{domain}: {less} against {more}");
    }
    assert!(trifold(["check", &file]).expect(0).stdout.contains(" dead variables forgotten"));
}

/// A finding has kind, place and a trace of statements with structures.
#[test]
fn errors_are_found_at_their_lines() {
    let scratch = Scratch::new();
    for (old, new, kind, line) in [
        ("while (list) {", "while (1) {", "null-dereference", 18),
        ("        list = next;", "        list = list->next;", "use-after-free", 20),
        ("        free(list);", "        free(list); free(list);", "double-free", 19),
        ("        free(list);\n", "", "leak", 19),
        ("    struct node *list = 0;", "    struct node *list;", "uninitialised-pointer", 17),
        ("    return 0;", "    struct node n; free(&n); return 0;", "invalid-free", 22),
    ] {
        let file = scratch.file("bug.c", LIST.replace(old, new));
        let report = json(&[&file], 1);
        assert_eq!(report["verdict"], Value::from("bug"));
        let found = findings(&report);
        assert!(found.contains(&("main".to_string(), kind.to_string(), line)), "{new}: {found:?}");
        let finding =
            &report["functions"].as_array().unwrap().iter().find(|f| f["name"] == "main").unwrap()["findings"][0];
        let trace = finding["trace"].as_array().unwrap();
        assert!(!trace.is_empty());
        assert!(trace.iter().all(|step| step["line"].as_u64().unwrap() > 0 && step["structure"].is_string()));
        let text = trifold(["check", &file]).expect(1);
        assert!(text.stderr.contains(&format!("error[{kind}]")), "{}", text.stderr);
        assert!(text.stderr.contains(&format!("bug.c:{line}:")), "{}", text.stderr);
    }
}

#[test]
fn what_is_not_understood_is_named_and_not_proved() {
    let scratch = Scratch::new();
    let file = scratch.file("asm.c", LIST.replace("    return node;", "    __asm__(\"nop\");\n    return node;"));
    let report = json(&[&file], 3);
    assert_eq!(report["verdict"], Value::from("not-analysed"));
    assert_eq!(findings(&report), [("push".to_string(), "not-analysed".to_string(), 10)]);
    let verdicts: Vec<&Value> = report["functions"].as_array().unwrap().iter().map(|f| &f["verdict"]).collect();
    assert_eq!(verdicts, ["not-analysed", "not-analysed"]);
}

#[test]
fn without_main_the_interface_is_used() {
    let scratch = Scratch::new();
    let functions = LIST.split("int main").next().unwrap().to_string()
        + "struct node *second(struct node *list) { return list->next; }
void destroy(struct node *list) { while (list) { struct node *next = list->next; free(list); list = next; } }
struct node *two(void) { return push(push(0, 1), 2); }
";
    let file = scratch.file("library.c", &functions);
    let report = json(&[&file], 0);
    assert_eq!(report["entry"], serde_json::json!(["a client of node"]));
    assert_eq!(findings(&report), []);
    assert!(!report["assumptions"].as_array().unwrap().is_empty());
    // By itself a function needs something of its callers.
    let report = json(&[&file, "--entry", "second"], 4);
    assert_eq!(report["entry"], serde_json::json!(["second"]));
    assert_eq!(report["functions"][0]["needs"][0], "list != NULL");
    json(&[&file, "--entry", "second", "--strict"], 1);
    let refused = trifold(["check", &file, "--entry", "nobody"]).expect(2);
    assert!(refused.stderr.contains("defines no function `nobody`"), "{}", refused.stderr);
}

#[test]
fn what_declarations_ask_for_is_a_precondition_from_the_start() {
    let scratch = Scratch::new();
    let text = "struct node { struct node *next; };
struct node *next(struct node *list) __attribute__((nonnull));
struct node *next(struct node *list) { return list ? list->next : 0; }
int first(int values[static 1]) { return values ? *values : 0; }
";
    let file = scratch.file("declared.c", text);
    for (function, need) in [("next", "list != NULL"), ("first", "values != NULL")] {
        let report = json(&[&file, "--entry", function], 4);
        assert_eq!(report["functions"][0]["needs"][0], need);
    }
    let called = scratch.file("called.c", format!("{text}int main(void) {{ return next(0) != 0; }}"));
    let report = json(&[&called], 1);
    assert_eq!(findings(&report), [("main".to_string(), "null-dereference".to_string(), 5)]);
}

#[test]
fn options_change_what_is_an_error() {
    let scratch = Scratch::new();
    let file = scratch.file("list.c", LIST);
    let report = json(&[&file, "--malloc-may-fail"], 1);
    assert_eq!(findings(&report), [("push".to_string(), "null-dereference".to_string(), 8)]);
    let kept = LIST
        .replace("static struct", "struct node *kept;\nstatic struct")
        .replace("    while (list) {", "    kept = list;\n    while (0) {");
    let file = scratch.file("kept.c", &kept);
    json(&[&file], 0);
    let report = json(&[&file, "--leaks-at-exit"], 1);
    assert_eq!(findings(&report), [("main".to_string(), "leak".to_string(), 24)]);
}

const REVERSE: &str = "#include <stdlib.h>
struct node { struct node *next; };
static struct node *reverse(struct node *p) {
    if (!p || !p->next) return p;
    struct node *t = p->next;
    p->next = NULL;
    struct node *r = reverse(t);
    t->next = p;
    return r;
}
int main(void) {
    struct node *x = NULL;
    for (int i = 0; i < 10; i++) {
        struct node *e = malloc(sizeof *e);
        if (!e) break;
        e->next = x;
        x = e;
    }
    x = reverse(x);
    while (x) {
        struct node *y = x;
        x = x->next;
        free(y);
    }
    return 0;
}
";

/// A program that begins with its static objects.
const STATIC: &str = "
struct node { struct node *next; };
struct list { struct node *first; };
static struct list all;
void *malloc(unsigned long);
void free(void *);
void add(struct list *list) {
    struct node *x = malloc(sizeof *x);
    x->next = list->first;
    list->first = x;
}
int main(void) {
    add(&all);
    struct node *x = all.first;
    all.first = 0;
    free(x);
    return 0;
}
";

/// The written specification runs on its own and comes to the same.
#[test]
fn the_specification_can_be_run_by_analyze() {
    let scratch = Scratch::new();
    let texts = [
        (LIST.to_string(), 0),
        (LIST.replace("while (list) {", "while (1) {"), 1),
        (REVERSE.to_string(), 0),
        (REVERSE.replace("t->next = p;", "t->next->next = p;"), 1),
        (STATIC.to_string(), 0),
    ];
    for (text, status) in texts {
        let file = scratch.file("list.c", &text);
        let name = scratch.path("spec");
        let checked = json(&[&file, "--emit-tvp", &name, "--force"], status);
        let words =
            ["analyze", &format!("{name}.tvp"), &format!("{name}.tvs"), "--join", "partial", "--order", "fcpucb"];
        let analysed = trifold(words.into_iter().chain(["--format", "json"])).expect(status);
        let analysed: Value = serde_json::from_str(&analysed.stdout).unwrap();
        let messages =
            analysed["locations"].as_array().unwrap().iter().map(|l| l["messages"].as_array().unwrap().len());
        assert_eq!(messages.sum::<usize>() > 0, !findings(&checked).is_empty());
        let procedures = analysed["procedures"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap());
        assert_eq!(procedures.collect::<Vec<_>>().contains(&"reverse"), text.contains("reverse("));
    }
    let file = scratch.file("list.c", LIST);
    let again = trifold(["check", &file, "--emit-tvp", &scratch.path("spec")]).expect(2);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
}

#[test]
fn several_files_are_several_programs() {
    let scratch = Scratch::new();
    let (good, bad) = (scratch.file("good.c", LIST), scratch.file("bad.c", "int main(void) { return x; }"));
    let output = trifold(["check", &good, &bad, "--format", "json"]).expect(2);
    let reports: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(reports.as_array().unwrap().len(), 1);
    assert!(output.stderr.contains("bad.c:1:"), "{}", output.stderr);
    trifold(["check", "no such file.c"]).expect(2);
}

#[test]
fn a_limit_makes_the_result_partial() {
    let scratch = Scratch::new();
    let file = scratch.file("list.c", LIST);
    let report = json(&[&file, "--domain", "tvl", "--max-structures", "5"], 3);
    assert_eq!(report["verdict"], Value::from("not-analysed"));
    assert!(report["stop"].is_string());
    json(&[&file, "--timeout", "0"], 3);
}

/// An object whose variable is not read any more is still held: it is lost where the variable goes out of scope, and
/// not at all if the program ends before.
#[test]
fn what_is_not_read_is_still_held() {
    let scratch = Scratch::new();
    let text = "struct node { struct node *next; }; struct pair { struct node *a, *b; };
void *malloc(unsigned long); void exit(int);
static struct pair make(void)
{
    struct pair p;
    p.a = malloc(sizeof *p.a);
    p.b = malloc(sizeof *p.b);
    return p;
}
int main(void)
{
    struct node *n = malloc(sizeof *n);
    struct pair p = make();
    exit(0);
}
";
    json(&[&scratch.file("exit.c", text)], 0);
    let report = json(&[&scratch.file("return.c", text.replace("exit(0);", "return 0;"))], 1);
    assert_eq!(findings(&report), [("main".to_string(), "leak".to_string(), 14)]);
}

#[test]
fn what_is_tracked_can_be_changed() {
    let scratch = Scratch::new();
    let walk = LIST.replace("node->next = list;", "node->next = list; node->prev = 0; if (list) list->prev = node;");
    let walk = walk.replace("struct node *next;", "struct node *next, *prev;");
    let walk = walk.replace("free(list);", "if (next && next->prev != list) __VERIFIER_error(); free(list);");
    let file = scratch.file("dll.c", format!("void __VERIFIER_error(void);\n{walk}"));
    let words = |more: &[&str]| {
        ["check", "--domain", "tvl", "--explain", &file]
            .into_iter()
            .chain(more.iter().copied())
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    let chosen = trifold(words(&[])).expect(0);
    assert!(chosen.stdout.contains("`node::prev` leads back"), "{}", chosen.stdout);
    // Of an observer it is not known that it leads back, so the error may be reached.
    let observed = trifold(words(&["--link", "node::prev=observer"])).expect(1);
    assert!(observed.stdout.contains("`node::prev` leads to objects that something else holds"), "{}", observed.stdout);
    let given = trifold(words(&["--link", "node::prev=back", "--link", "node::next=forward"])).expect(0);
    assert_eq!(given.stdout.lines().next(), chosen.stdout.lines().next());
    let unknown = trifold(words(&["--link", "node::previous=back"])).expect(2);
    assert!(
        unknown.stderr.contains("there is no link `node::previous`; there are `node::data`, `node::next`"),
        "{}",
        unknown.stderr
    );
    let misspelt = trifold(words(&["--link", "node::prev=up"])).expect(2);
    assert!(misspelt.stderr.contains("forward, back or observer"), "{}", misspelt.stderr);
}

#[test]
fn order_is_tracked_if_wanted() {
    let scratch = Scratch::new();
    let compares = LIST.replace("free(list);", "if (next && list->data < next->data) next->data = 0; free(list);");
    let file = scratch.file("list.c", compares);
    let words = ["check", "--domain", "tvl", "--explain", &file];
    let (less, more) =
        (trifold(words).expect(0), trifold(words.into_iter().chain(["--track", "order,in-place"])).expect(0));
    assert!(
        !less.stdout.contains("is compared") && more.stdout.contains("`node::data` is compared"),
        "{}",
        more.stdout
    );
}

/// An object is used as if it had another type. The domain of checkers gives it up, and goes on with the rest.
#[test]
fn what_happens_behind_something_unknown_is_told() {
    let scratch = Scratch::new();
    let text = "struct a { int v; struct a *n; };\nstruct b { struct b *m; };\nvoid *malloc(unsigned long);\n\
        int main(void)\n{\n    struct a *p = malloc(sizeof *p);\n    void *v = p;\n    struct b *q = v;\n    q->m = 0;\n\
        \x20   struct a *r = 0;\n    r->v = 1;\n    return 0;\n}\n";
    let file = scratch.file("punned.c", text);
    for (domain, goes_on, beyond) in [
        ("checkers", true, "the analysis goes on; what goes wrong in memory that this may change is not found"),
        ("tvl", false, "what happens from here on is not analysed"),
    ] {
        let options = [file.as_str(), "--domain", domain, "--no-confirm"];
        let report = json(&options, if goes_on { 1 } else { 3 });
        let of_main = report["functions"][0]["findings"].as_array().unwrap();
        let unknown = of_main.iter().find(|finding| finding["kind"] == "not-analysed").unwrap();
        assert_eq!(unknown["goes_on"], goes_on);
        // A finding after it shows that it goes on.
        let others: Vec<&Value> = of_main.iter().filter(|finding| finding["kind"] == "null-dereference").collect();
        assert_eq!(others.len(), usize::from(goes_on));
        assert!(others.iter().all(|finding| finding["goes_on"].is_null()));
        let words = |format| trifold(["check"].iter().chain(&options).chain(&["--format", format]));
        assert!(words("text").stderr.contains(beyond), "{domain}: {}", words("text").stderr);
        let log = words("sarif").json();
        let mut texts =
            log["runs"][0]["results"].as_array().unwrap().iter().map(|r| r["message"]["text"].as_str().unwrap());
        assert!(texts.any(|text| text.ends_with(beyond)), "{log}");
        let page = scratch.path(&format!("{domain}.html"));
        trifold(["check"].iter().chain(&options).chain(&["--html", &page]));
        assert!(std::fs::read_to_string(page).unwrap().contains(&format!("\"beyond\":\"{beyond}\"")));
    }
}

/// The line of a function in the table has the time that was spent in it, and all of them together are less than the
/// whole.
#[test]
fn functions_have_their_time() {
    let scratch = Scratch::new();
    let file = scratch.file("list.c", LIST);
    let report = json(&[&file], 0);
    let times: Vec<f64> =
        report["functions"].as_array().unwrap().iter().map(|f| f["stats"]["time_s"].as_f64().unwrap()).collect();
    assert!(times.len() == 2 && times.iter().all(|time| *time > 0.0), "{times:?}");
    assert!(times.iter().sum::<f64>() < report["time_s"].as_f64().unwrap());
    let table = trifold(["check", &file]).expect(0).stdout;
    let line = table.lines().find(|line| line.starts_with("  push ")).unwrap();
    assert!([" µs", " ms", " s"].iter().any(|unit| line.ends_with(unit)), "{table}");
    assert!(table.contains("  structures        time\n"), "{table}");
}

/// Lines are shown as they were written, not as the preprocessor leaves them; the mark is at the name of the macro.
#[test]
fn macros_are_shown_as_they_were_written() {
    let scratch = Scratch::new();
    let text = "#include <stddef.h>\nint main(void) {\n  int *p = NULL;\n  *p = 1;\n  return 0;\n}\n";
    let shown = trifold(["check", &scratch.file("null.c", text)]).expect(1).stderr;
    let lines: Vec<&str> = shown.lines().collect();
    let at = lines.iter().position(|line| *line == "3 |   int *p = NULL;").unwrap_or_else(|| panic!("{shown}"));
    assert_eq!(lines[at + 1], "  |            ---- `p` becomes null here");
}

/// A list that may be lost at several places is one finding, in every format.
#[test]
fn one_cause_is_one_finding() {
    let text = "#include <stdlib.h>\nstruct node { struct node *next; };\nextern int any(void);\nint main(void) {\n    \
        struct node *list = 0, *n;\n    while (any()) { n = malloc(sizeof *n); n->next = list; list = n; }\n    \
        if (any()) { list = 0; return 1; }\n    return 0;\n}\n";
    let scratch = Scratch::new();
    let file = scratch.file("lost.c", text);
    let run = trifold(["check", &file]).expect(1);
    assert!(run.stdout.contains("bug, 1 finding, 1 confirmed by a run"), "{}", run.stdout);
    assert!(run.stderr.contains("the same may be lost at line 8"), "{}", run.stderr);
    let report = trifold(["check", &file, "--format", "json"]).expect(1).json();
    let findings = report["functions"][0]["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 2);
    assert!(findings[0]["same_as"].is_null());
    assert_eq!(findings[1]["same_as"], findings[0]["id"]);
    let log = trifold(["check", &file, "--format", "sarif"]).expect(1).json();
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 1);
    let related = &results[0]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"];
    assert_eq!([&results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], related], [7, 8]);
}
