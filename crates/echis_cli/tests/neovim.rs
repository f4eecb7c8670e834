//! The language server in Neovim, if it is installed.

mod common;

use common::Folder;
use std::process::Command;

const PROGRAM: &str = "\
field f: Int
function one(): Int ensures result > 0 { 1 }
method good(r: Ref) requires acc(r.f) { r.f := one() assert r.f > 0 }
method bad(r: Ref) requires acc(r.f) { assert r.f > 0 }
";

#[test]
fn neovim_opens_edits_hovers_jumps_renames_and_asks() {
    if Command::new("nvim").arg("--version").output().is_err() {
        println!("skipped: there is no Neovim (`nvim`) here");
        return;
    }
    let (folder, path) = Folder::with("neovim", PROGRAM);
    let script = folder.file("script.lua", include_str!("common/neovim.lua"));
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", &format!("luafile {script}")])
        .env("PROGRAM", path)
        .env("ECHIS", env!("CARGO_BIN_EXE_echis"))
        .env("ECHIS_CACHE", folder.path("cache"))
        .env_remove("ECHIS_SOLVER")
        .envs(["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"].map(|name| (name, folder.path("editor"))))
        .output()
        .expect("it was there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
