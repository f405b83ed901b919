//! Writes man pages and completions into `packaging/share`, of what the command line is: `DOPPEL_WRITE=1 cargo test -p
//! doppel-launcher pages`. Otherwise compares.

use crate::cli;
use clap_complete::Shell;
use std::collections::BTreeMap;
use std::path::Path;

/// All files with what they hold, by their paths in `share`.
fn pages() -> BTreeMap<String, Vec<u8>> {
    let mut pages = BTreeMap::new();
    for (shell, path) in [
        (Shell::Bash, "bash-completion/completions/doppel"),
        (Shell::Zsh, "zsh/site-functions/_doppel"),
        (Shell::Fish, "fish/vendor_completions.d/doppel.fish"),
    ] {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut cli::command(), "doppel", &mut text);
        pages.insert(path.to_owned(), text);
    }
    let mut whole = cli::command().disable_help_subcommand(true);
    whole.build();
    let mut page = |command: &clap::Command, name: &str| {
        let mut text = Vec::new();
        // The builder takes names that live for ever.
        let name: &'static str = name.to_owned().leak();
        let title = command.clone().name(name).display_name(name);
        clap_mangen::Man::new(title).render(&mut text).unwrap();
        pages.insert(format!("man/man1/{name}.1"), text);
    };
    page(&whole, "doppel");
    for command in whole.get_subcommands() {
        page(command, &format!("doppel-{}", command.get_name()));
        for inner in command.get_subcommands() {
            page(inner, &format!("doppel-{}-{}", command.get_name(), inner.get_name()));
        }
    }
    pages
}

#[test]
fn pages_are_what_the_command_line_is() {
    let share = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/share");
    for (path, text) in pages() {
        let file = share.join(&path);
        if std::env::var_os("DOPPEL_WRITE").is_some() {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, &text).unwrap();
        }
        let there = std::fs::read(&file).unwrap_or_default();
        assert!(there == text, "packaging/share/{path} is stale: DOPPEL_WRITE=1 cargo test -p doppel-launcher pages");
    }
}
