//! What each task sent and received.

use super::SINGLE_ROWS;
use super::html::{Table, details, escape, prose};
use crate::amounts;
use crate::record::{Run, Task};

pub fn html(run: &Run) -> String {
    // One process alone has nobody to send to.
    let Some(all) = run.traffic().filter(|_| run.tasks().len() > 1) else { return String::new() };
    let mut words = vec![format!("{} went over the network", amounts::bytes(all.sent))];
    let examples = run.examples();
    if examples > 0 {
        let each = (all.sent as f64 / examples as f64).round() as u64;
        words[0].push_str(&format!(", {} for each example", amounts::bytes(each)));
    }
    words[0].push('.');
    if let Some(times) = all.compression() {
        let (before, after) = (amounts::bytes(all.gradients), amounts::bytes(all.packed));
        let times = amounts::figures(times, 3);
        words.push(format!(
            "Gradients were compressed from {before} to {after}, {times} times smaller; parameters come back whole."
        ));
    }
    let tasks: Vec<&Task> =
        run.tasks().into_iter().filter(|task| task.traffic().is_some()).collect();
    let most = tasks.iter().filter_map(|task| task.traffic());
    let most = most.map(|traffic| traffic.sent.max(traffic.received)).max().unwrap_or(0).max(1);
    let mut table = Table::new(&["task", "#sent", "", "#received", ""]);
    for task in &tasks {
        let Some(traffic) = task.traffic() else { continue };
        let bar = |bytes: u64| {
            let share = 100.0 * bytes as f64 / most as f64;
            format!("<span class=\"track small\"><i style=\"width:{share:.1}%\"></i></span>")
        };
        let (sent, received) = (traffic.sent, traffic.received);
        table.row(
            "",
            &[
                escape(&task.name),
                amounts::bytes(sent),
                bar(sent),
                amounts::bytes(received),
                bar(received),
            ],
        );
    }
    let table = match tasks.len() > SINGLE_ROWS {
        true => details("every task", &table.html()),
        false => table.html(),
    };
    format!("<p>{}</p>\n{table}", prose(&words.join(" ")))
}
