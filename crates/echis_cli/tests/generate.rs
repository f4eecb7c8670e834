//! Shell completions and the manual page.

mod common;

use common::{Folder, out, run};

#[test]
fn completions_and_the_manual_know_every_command() {
    let help = out(&["--help"]);
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next().filter(|_| !line.starts_with("   ")))
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.contains(&"verify") && commands.contains(&"serve"), "{commands:?}");
    let folder = Folder::new("generate");
    let man = folder.path("man");
    out(&["generate", "--man", &man]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let completions = out(&["generate", "--completions", shell]);
        assert!(commands.iter().all(|command| completions.contains(command)), "{shell}");
    }
    for command in &commands {
        assert!(folder.read(&format!("man/echis-{command}.1")).contains(".TH"), "{command}");
    }
    assert_eq!(run(&["generate"]).status.code(), Some(2));
}
