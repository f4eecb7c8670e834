//! Imports from an in-memory file system, and built-in files.

use echis_base::{SourceFile, SourceMap};
use echis_syntax::ast::{MemberKind, Program};
use echis_syntax::{Loader, ReadError, add_library_file, library_paths, parse_program};
use expect_test::{Expect, expect};

struct Memory<'a>(&'a [(&'a str, &'a str)]);

impl Loader for Memory<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        match self.0.iter().find(|(name, _)| *name == path) {
            Some((_, text)) => Ok(text.as_bytes().to_vec()),
            None => Err(ReadError::Missing(path.to_string())),
        }
    }
}

fn names(program: &Program) -> Vec<String> {
    let name = |kind: &MemberKind| match kind {
        MemberKind::Method(method) => method.name.name.to_string(),
        MemberKind::Domain(domain) => domain.name.name.to_string(),
        kind => format!("{kind:?}"),
    };
    program.members.iter().map(|member| name(&member.kind)).collect()
}

/// Checks the files; the first one is the main file.
fn check(files: &[(&str, &str)], expected: Expect) {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new(files[0].0, files[0].1));
    let (program, diagnostics) = parse_program(&mut sources, main, &Memory(files));
    let mut text = format!("{}\n", names(&program).join(" "));
    for diagnostic in diagnostics {
        let position = sources.position(diagnostic.span.expect("has a range"));
        text += &format!("{} {}--{}: {}\n", position.file, position.start, position.end, diagnostic.message);
    }
    expected.assert_eq(&text);
}

#[test]
fn paths_are_relative_to_the_importing_file() {
    check(
        &[
            ("a/main.vpr", "import \"lib/b.vpr\"\nmethod main_() {}"),
            ("a/lib/b.vpr", "import \"../c.vpr\"\nimport \"./../lib/b.vpr\"\nmethod b() {}"),
            ("a/c.vpr", "method c() {}"),
        ],
        expect![[r#"
            main_ b c
        "#]],
    );
}

#[test]
fn cycles_and_self_imports_are_harmless() {
    check(
        &[
            ("a.vpr", "import \"b.vpr\"\nimport \"a.vpr\"\nmethod a() {}"),
            ("b.vpr", "import \"./a.vpr\"\nimport \"b.vpr\"\nmethod b() {}"),
        ],
        expect![[r#"
            a b
        "#]],
    );
}

#[test]
fn a_missing_file_is_an_error_at_the_import() {
    check(
        &[
            ("a.vpr", "import \"b.vpr\"\nimport <no/such.vpr>\nmethod a() {}"),
            ("b.vpr", "method b() {}\n@x() import \"c.vpr\"\nmethod { }"),
        ],
        expect![[r#"
            a b
            b.vpr 3.8--3.8: expected an identifier, found `{`
            b.vpr 2.1--2.20: cannot import "c.vpr": there is no file c.vpr
            a.vpr 2.1--2.21: cannot import <no/such.vpr>: there is no such provided file
        "#]],
    );
}

#[test]
fn macros_are_imported() {
    check(
        &[
            ("a.vpr", "import \"b.vpr\"\nmethod a() { assert twice(1) == 2 act }"),
            ("b.vpr", "define twice(x) 2 * x\ndefine act { assert true }"),
        ],
        expect![[r#"
            a
        "#]],
    );
}

#[test]
fn provided_files_are_read_once() {
    check(
        &[("a.vpr", "import <decreases/int.vpr>\nimport <decreases/bool.vpr>\nimport <adt/derives.vpr>")],
        expect![[r#"
            IntWellFoundedOrder BoolWellFoundedOrder WellFoundedOrder ContainsDomain
        "#]],
    );
}

#[test]
fn every_provided_file_can_be_added_later() {
    for path in library_paths() {
        let mut sources = SourceMap::default();
        let mut program = Program::default();
        assert!(add_library_file(&mut sources, &mut program, path), "{path}");
        assert!(!program.members.is_empty(), "{path}");
        let count = program.members.len();
        assert!(add_library_file(&mut sources, &mut program, path), "{path}");
        assert_eq!(program.members.len(), count, "{path} is there already");
        assert!(!add_library_file(&mut sources, &mut program, "no/such.vpr"));
    }
}

#[test]
fn derivations_are_switched_on_by_the_text_of_an_import() {
    let enabled = |text: &str| {
        let mut sources = SourceMap::default();
        let main = sources.add(SourceFile::new("a.vpr", text));
        parse_program(&mut sources, main, &Memory(&[])).0.derives_enabled
    };
    assert!(enabled("import <adt/derives.vpr>"));
    assert!(enabled("// import   <adt/derives.vpr>"));
    assert!(!enabled("import <adt/contains.vpr>"));
}
