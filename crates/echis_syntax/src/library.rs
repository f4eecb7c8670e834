//! The provided files, for `import <…>`.

/// Path and text.
const FILES: [(&str, &str); 15] = [
    ("adt/contains.vpr", include_str!("../library/adt/contains.vpr")),
    ("adt/derives.vpr", include_str!("../library/adt/derives.vpr")),
    ("decreases/all.vpr", include_str!("../library/decreases/all.vpr")),
    ("decreases/bool.vpr", include_str!("../library/decreases/bool.vpr")),
    ("decreases/declaration.vpr", include_str!("../library/decreases/declaration.vpr")),
    ("decreases/int.vpr", include_str!("../library/decreases/int.vpr")),
    ("decreases/multiset.vpr", include_str!("../library/decreases/multiset.vpr")),
    ("decreases/perm.vpr", include_str!("../library/decreases/perm.vpr")),
    ("decreases/predicate_instance.vpr", include_str!("../library/decreases/predicate_instance.vpr")),
    ("decreases/predicate_instance_nested.vpr", include_str!("../library/decreases/predicate_instance_nested.vpr")),
    ("decreases/rational.vpr", include_str!("../library/decreases/rational.vpr")),
    ("decreases/ref.vpr", include_str!("../library/decreases/ref.vpr")),
    ("decreases/seq.vpr", include_str!("../library/decreases/seq.vpr")),
    ("decreases/set.vpr", include_str!("../library/decreases/set.vpr")),
    ("predicateinstance/pi.vpr", include_str!("../library/predicateinstance/pi.vpr")),
];

/// The paths of all provided files, sorted.
pub fn library_paths() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(path, _)| *path)
}

pub(crate) fn library_text(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(found, _)| *found == path).map(|(_, text)| *text)
}
