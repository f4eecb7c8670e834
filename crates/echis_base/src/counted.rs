//! Counts in messages.

/// "1 argument", "2 arguments"
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
