//! The commands that go on from here.

use super::html::escape;
use crate::commands;
use crate::record::{Outcome, Run};

pub fn html(run: &Run) -> String {
    let mut rows = String::new();
    let mut add = |what: &str, command: String| {
        rows.push_str(&format!("<dt>{what}</dt><dd><code>{}</code></dd>\n", escape(&command)));
    };
    if run.last_checkpoint().is_some() {
        add("Go on from the last checkpoint", commands::resume(run));
    }
    add("Curves, histograms and the graph", commands::tensorboard(run));
    if matches!(run.outcome(), Outcome::Ended { .. }) {
        add("Use the model", commands::predict(run));
    }
    format!("<dl class=\"commands\">\n{rows}</dl>\n")
}
