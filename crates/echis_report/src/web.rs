//! The web interface: its document, and the page that contains it. The application is built from `web/` and committed
//! in `assets/web`.

mod program;

pub use program::{Proofs, program};

use crate::json::{Head, Run, compact};
use crate::markup::escape;

/// The application. `app.js` only needs a document in the page or a server to connect to.
pub const SCRIPT: &str = include_str!("../assets/web/app.js");
pub const STYLE: &str = include_str!("../assets/web/app.css");
/// The digest of the script, in the format of content security policies.
const SCRIPT_DIGEST: &str = include_str!("../assets/web/app.sha256");

/// A document of programs, each written by [`program`].
pub fn document(run: Run<'_>, programs: &[String]) -> String {
    let head = compact(&Head::new(run));
    format!("{},\"files\":[{}]}}\n", &head[..head.len() - 1], programs.join(","))
}

/// A self-contained page with an embedded document, which loads nothing.
pub fn page(title: &str, document: &str) -> String {
    let title = escape(title);
    // `<` occurs only inside strings, so the JSON stays equivalent; unescaped, a text could end the element.
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

/// The page sent by a server: script and style are separate files.
pub fn live_page() -> String {
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Echis</title>\n\
     <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
     <meta name=\"echis-live\" content=\"ws\">\n<link rel=\"stylesheet\" href=\"app.css\"></head><body>\n\
     <noscript>Echis needs JavaScript.</noscript>\n<div id=\"app\"></div>\n<script src=\"app.js\"></script>\n</body></html>\n"
        .to_string()
}

/// The content security policy of [`live_page`].
pub const LIVE_POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
     script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'";
