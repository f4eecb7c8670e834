//! Where the pages of the error index are: in the package, or, where links are not followed, in the repository. The path is
//! relative to the sources, so that it stays right when the checkout moves.

use std::path::PathBuf;

fn main() {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it for build scripts"));
    let folders = ["errors", "../../docs/errors"];
    let pages = folders.iter().find(|folder| here.join(folder).is_dir()).expect("the pages are in one of two places");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=ECHIS_PAGES=../{pages}");
}
