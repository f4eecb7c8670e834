//! Where the pages of the error index are: in the package, or, where links are not followed, in the repository.

use std::path::Path;

fn main() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [here.join("errors"), here.join("../../docs/errors")];
    let pages = folders.iter().find(|folder| folder.is_dir()).expect("the pages are in one of two places");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=ECHIS_PAGES={}", pages.display());
}
