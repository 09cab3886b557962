//! What was trained and how, as the job said it.

use super::html::{Table, escape};
use crate::record::Run;

pub fn html(run: &Run) -> String {
    let job = run.job();
    if job.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["setting", "value"]);
    for (name, value) in &job {
        table.row("", &[escape(name), format!("<span class=\"setting\">{}</span>", escape(value))]);
    }
    table.html()
}
