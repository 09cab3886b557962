//! The checkpoints: when, how large, how long they took.

use super::html::{Table, details, escape, prose};
use crate::amounts;
use crate::record::{Run, Saved};

/// More are shown when asked for,
const SHOWN: usize = 8;
/// and not even then beyond this.
const LISTED: usize = 300;

pub fn html(run: &Run) -> String {
    let saved = run.checkpoints();
    let Some(last) = saved.last() else {
        return "<p>None were written: a run that stops early starts from the beginning.</p>\n"
            .into();
    };
    let clock = run.clock();
    let mean = saved.iter().map(|saved| saved.seconds).sum::<f64>() / saved.len() as f64;
    let longest = saved.iter().map(|saved| saved.seconds).fold(0.0, f64::max);
    let summary = format!(
        "{}; the last at step {} after {}, {}. Writing took {} on average and {} at most, while training went on.",
        amounts::count(saved.len() as u64, "checkpoint"),
        amounts::grouped(last.step),
        amounts::time(clock.elapsed(last.time)),
        amounts::bytes(last.bytes),
        amounts::time(mean),
        amounts::time(longest)
    );
    let latest: Vec<&Saved> = saved.iter().rev().take(SHOWN).rev().copied().collect();
    let all = match saved.len() {
        ..=SHOWN => String::new(),
        number if number <= LISTED => {
            details(&format!("all {number} checkpoints"), &table(run, &saved))
        }
        number => details(
            &format!("the last {LISTED} checkpoints"),
            &table(run, &saved[number - LISTED..]),
        ),
    };
    format!("<p>{}</p>\n{}{all}", prose(&summary), table(run, &latest))
}

fn table(run: &Run, saved: &[&Saved]) -> String {
    let clock = run.clock();
    let mut table = Table::new(&["#step", "#after", "#size", "#written in", "path"]);
    for saved in saved {
        table.row(
            "",
            &[
                amounts::grouped(saved.step),
                amounts::time(clock.elapsed(saved.time)),
                amounts::bytes(saved.bytes),
                amounts::time(saved.seconds),
                format!("<code>{}</code>", escape(&saved.path)),
            ],
        );
    }
    table.html()
}
