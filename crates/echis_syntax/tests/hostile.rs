//! Inputs that try to exhaust the stack, memory or time. Each is accepted or rejected; none causes a crash.

mod common;

use common::parse_text;
use echis_syntax::{decode, dump_program, print_program};

/// Parses, prints and dumps with a small stack. Returns the message of the first error.
fn run(text: String) -> Option<String> {
    let work = move || {
        let parsed = parse_text("file.vpr", &text);
        let printed = print_program(&parsed.program);
        let _ = dump_program(&parsed.program);
        drop(printed);
        parsed.diagnostics.into_iter().find(|diagnostic| diagnostic.id == "parser.error").map(|error| error.message)
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread").join().expect("no crash")
}

fn assert_works(text: String) {
    assert_eq!(run(text), None);
}

fn assert_fails(text: String, message: &str) {
    let found = run(text).expect("there is an error");
    assert!(found.contains(message), "{found}");
}

fn body(assertion: String) -> String {
    format!("method m(x: Ref, b: Bool) {{ assert {assertion} }}")
}

#[test]
fn open_brackets() {
    let many = 1_000_000;
    for bracket in ["(", "[", "|", "!", "-(", "f(", "x[", "perm(", "old(", "forall x: Int :: ", "b ? ", "Seq("] {
        assert_fails(format!("method m() {{ assert {}", bracket.repeat(many / bracket.len())), "");
    }
    assert_fails("method m() ".to_string() + &"{".repeat(many), "nested too deeply");
    assert_fails("field f: ".to_string() + &"Seq[".repeat(many / 4), "nested too deeply");
    assert_fails(body("(".repeat(many) + "b" + &")".repeat(many)), "nested too deeply");
    assert_fails("define ".repeat(many / 7), "expected an identifier");
    assert_fails("@a() ".repeat(many / 5), "expected a declaration");
}

#[test]
fn long_chains_work() {
    let many = 100_000;
    assert_works(body(vec!["b"; many].join(" && ")));
    assert_works(body(vec!["b"; many].join(" ==> ")));
    assert_works(body(format!("0 == {}", vec!["1"; many].join(" + "))));
    assert_works(body(vec!["1"; many].join(" < ")));
    assert_works(body("b ? b : ".repeat(many) + "b"));
    assert_works(body("x".to_string() + &".f".repeat(many) + " == x"));
    assert_works(body("true --* ".repeat(many) + "true"));
    assert_works("method m(b: Bool) { if (b) { } ".to_string() + &"elseif (b) { } ".repeat(many) + "}");
    assert_works("method m() { ".to_string() + &"assert true ".repeat(180_000) + "}");
    assert_fails(body("(b && ".repeat(many) + "b" + &")".repeat(many)), "nested too deeply");
}

#[test]
fn deep_nesting_within_the_limit_works() {
    assert_works(body("(b && ".repeat(4_000) + "b" + &")".repeat(4_000)));
    assert_works("method m() ".to_string() + &"{".repeat(400) + &"}".repeat(400));
}

#[test]
fn macros_that_explode() {
    let doubling: String = (1..40).map(|i| format!("define m{i}(x) m{}(m{}(x))\n", i - 1, i - 1)).collect();
    assert_fails(format!("define m0(x) x + x\n{doubling}method m() {{ assert m39(1) == 1 }}"), "too large");
    let doubling: String = (1..40).map(|i| format!("define m{i} {{ m{} m{} }}\n", i - 1, i - 1)).collect();
    assert_fails(format!("define m0 {{ assert true }}\n{doubling}method m() {{ m39 }}"), "too large");
    let nesting: String = (1..5_000).map(|i| format!("define m{i} {{ {{ m{} }} }}\n", i - 1)).collect();
    assert_fails(format!("define m0 {{ assert true }}\n{nesting}method m() {{ m4999 }}"), "too deeply");
    let chain: String = (1..5_000).map(|i| format!("define m{i} 1 + m{}\n", i - 1)).collect();
    assert_works(format!("define m0 1\n{chain}method m() {{ assert m4999 == 1 }}"));
    assert_works(format!("define id(x) x\nmethod m() {{ assert {}1{} == 1 }}", "id(".repeat(3_000), ")".repeat(3_000)));
}

#[test]
fn odd_bytes() {
    assert_works(String::new());
    assert_works("\u{feff}method m() { }".into());
    assert_works("method m()\r\n{\r\n  assert true // é\r\n}\r\n".into());
    assert_works(decode(b"method m() { } // \xff\xfe"));
    assert_works(decode(b"\xef\xbb\xbfmethod m() { }"));
    assert_fails(decode(b"method m() { \xff }"), "not valid UTF-8");
    assert_fails("\0".repeat(100_000), "expected a declaration");
    assert_fails("/*".repeat(100_000), "expected a declaration");
    assert_fails(format!("import \"{}", "a".repeat(1_000_000)), "expected `\"`");
    assert_fails(format!("@a(\"{}", "\n".repeat(1_000_000)), "end of the string");
    assert_works(format!("// {}", "x".repeat(2_000_000)));
    assert_works(format!("method m() {{ assert {} }}", "1".repeat(1_000_000)));
}
