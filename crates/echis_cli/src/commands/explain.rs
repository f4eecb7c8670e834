//! `echis explain`: prints the pages of the error index.

use crate::args;
use crate::exit::Exit;
use crate::output::{complain, is_coloured, print};
use echis_report::Style;
use echis_report::explain::{PAGES, closest, pages, terminal};

pub fn run(args: &args::Explain) -> Exit {
    if args.list {
        PAGES.iter().for_each(|page| print(&format!("{}\n", page.id)));
    }
    let style = if is_coloured(args.color) { Style::Coloured } else { Style::Plain };
    args.ids.iter().map(|id| explain(id, style)).max().unwrap_or(Exit::Success)
}

fn explain(id: &str, style: Style) -> Exit {
    let Some(pages) = pages(id) else {
        complain(format!(
            "there is no page for `{id}`; did you mean `{}`? `echis explain --list` lists all",
            closest(id)
        ));
        return Exit::Invalid;
    };
    let texts: Vec<String> = pages.into_iter().map(|page| terminal(page, style)).collect();
    print(&texts.join("\n"));
    Exit::Success
}
