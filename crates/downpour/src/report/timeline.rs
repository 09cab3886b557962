//! What happened to the tasks: lanes to see it, a list to read it.

use super::html::{Table, escape};
use super::lanes;
use crate::amounts;
use crate::record::{Happening, Kind, Run};

/// Rows beyond this are only counted.
const ROWS: usize = 60;
/// Incidents within this many seconds are one.
const TOGETHER: f64 = 2.0;

pub fn html(run: &Run) -> String {
    let all = run.happenings();
    if all.is_empty() {
        return String::new();
    }
    lanes::html(run) + &list(run, &all)
}

/// Tasks to which the same happens one after the other share a row.
fn list(run: &Run, all: &[Happening]) -> String {
    let clock = run.clock();
    let groups: Vec<&[Happening]> = all.chunk_by(alike).collect();
    let mut table = Table::new(&["#after", "task", "what"]);
    for group in groups.iter().take(ROWS) {
        let class = match group[0].kind {
            Kind::Failed => "failed",
            Kind::Restarted | Kind::Warned => "notable",
            _ => "",
        };
        let cells = [
            amounts::time(clock.elapsed(group[0].time)),
            escape(&who(group)),
            escape(&what(group)),
        ];
        table.row(class, &cells);
    }
    let more = match groups.len().saturating_sub(ROWS) {
        0 => String::new(),
        more => format!("<p class=\"note\">and {more} more</p>\n"),
    };
    table.html() + &more
}

/// Starts and ends of a run belong together; incidents only if they are one.
fn alike(left: &Happening, right: &Happening) -> bool {
    let together = match left.kind {
        Kind::Started | Kind::Resumed | Kind::Ended => true,
        Kind::Warned => false,
        Kind::Restarted | Kind::Failed => right.time - left.time <= TOGETHER,
    };
    together && left.kind == right.kind && left.text == right.text
}

fn who(group: &[Happening]) -> String {
    let names: Vec<&str> = group.iter().map(|happening| happening.task.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        names if names.len() > 4 => amounts::count(names.len() as u64, "task"),
        names => names.join(", "),
    }
}

fn what(group: &[Happening]) -> String {
    let first = &group[0];
    let step = amounts::grouped(first.step);
    match first.kind {
        Kind::Started => "started".into(),
        Kind::Resumed => format!("resumed from step {step}"),
        Kind::Restarted => format!("restarted, at step {step}"),
        Kind::Failed => format!("failed at step {step}: {}", first.text),
        Kind::Warned => format!("warned: {}", first.text),
        Kind::Ended => first.text.clone(),
    }
}
