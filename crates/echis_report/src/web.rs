//! The web interface: the document that it shows, and the page with it in. The application is built from `web/` and
//! committed in `assets/web`.

mod program;

pub use program::{Proofs, program};

use crate::json::{Head, Run, compact};
use crate::markup::escape;

/// The application. `app.js` needs nothing but the document in the page or a server to talk to.
pub const SCRIPT: &str = include_str!("../assets/web/app.js");
pub const STYLE: &str = include_str!("../assets/web/app.css");
/// The digest of the script, as content security policies spell it.
const SCRIPT_DIGEST: &str = include_str!("../assets/web/app.sha256");

/// One document of programs, each as [`program`] writes it.
pub fn document(run: Run<'_>, programs: &[String]) -> String {
    let head = compact(&Head::new(run));
    format!("{},\"files\":[{}]}}\n", &head[..head.len() - 1], programs.join(","))
}

/// A self-contained page with a document in it, which loads nothing.
pub fn page(title: &str, document: &str) -> String {
    let title = escape(title);
    // Inside of strings only, so it is the same JSON; without it, text could end the element.
    let document = document.replace('<', "\\u003c");
    let digest = SCRIPT_DIGEST.trim_end();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; \
         style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <style>{STYLE}</style></head><body>\n<noscript>This report needs JavaScript.</noscript>\n<div id=\"app\"></div>\n\
         <script type=\"application/json\" id=\"data\">{document}</script>\n<script>{SCRIPT}</script>\n</body></html>\n"
    )
}

/// The page that a server sends: script and style are files beside it.
pub fn live_page() -> String {
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Echis</title>\n\
     <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
     <meta name=\"echis-live\" content=\"ws\">\n<link rel=\"stylesheet\" href=\"app.css\"></head><body>\n\
     <noscript>Echis needs JavaScript.</noscript>\n<div id=\"app\"></div>\n<script src=\"app.js\"></script>\n</body></html>\n"
        .to_string()
}

/// What the browser may do with [`live_page`].
pub const LIVE_POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
     script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'";
