//! The final figures, a row for each run.

use crate::amounts;
use crate::comparison::{Comparison, Figures, curve, difference};
use crate::report::html::{Table, escape, prose};

/// Metrics that have columns.
const METRICS: usize = 2;

const NONE: &str = "–";

fn number(count: u64) -> String {
    amounts::grouped(i64::try_from(count).unwrap_or(i64::MAX))
}

/// How good the models are, and how far from the reference's.
pub fn outcome(comparison: &Comparison, figures: &[Figures]) -> String {
    let Some(reference) = figures.get(comparison.reference()) else { return String::new() };
    let metrics: Vec<String> =
        reference.metrics.iter().take(METRICS).map(|metric| metric.name.clone()).collect();
    let goal = comparison.goal();
    let mut head = vec!["run".to_string(), "#steps".into(), "#examples".into()];
    for name in &metrics {
        head.extend([format!("#{}", escape(name)), "#±".to_string()]);
    }
    head.push("#training loss".into());
    if let Some(goal) = goal {
        let goal = amounts::figures(goal, 2);
        head.extend([format!("#examples to {goal}"), format!("#time to {goal}")]);
    }
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new(&head);
    for (run, one) in comparison.runs().iter().zip(figures) {
        let mut cells = vec![escape(&one.name), amounts::grouped(one.steps), number(one.examples)];
        for name in &metrics {
            let value = one.metric(name);
            cells.push(value.map_or(NONE.into(), |value| amounts::figures(value, 4)));
            cells.push(difference(value, reference.metric(name)).unwrap_or_default());
        }
        cells.push(one.training_loss.map_or(NONE.into(), |loss| amounts::figures(loss, 3)));
        if let Some(goal) = goal {
            let reached = curve(run).into_iter().find(|point| point.loss <= goal);
            cells.push(reached.map_or(NONE.into(), |point| amounts::rounded(point.examples)));
            cells.push(reached.map_or(NONE.into(), |point| amounts::time(point.seconds)));
        }
        let class = if one.ended { "" } else { "failed" };
        table.row(class, &cells);
    }
    let goal = match goal {
        Some(goal) => format!(
            " The last columns say when the training loss came down to {}, which about half of the runs end below.",
            amounts::figures(goal, 2)
        ),
        None => String::new(),
    };
    format!(
        "<p>{}</p>\n<div class=\"figures\">{}</div>",
        prose(&format!(
            "± is the difference to {}: at as many examples, it is the price (or the gain) of training otherwise.{goal}",
            reference.name
        )),
        table.html()
    )
}

/// What each run took.
pub fn cost(figures: &[Figures]) -> String {
    let any = |wanted: fn(&Figures) -> bool| figures.iter().any(wanted);
    let compressed = any(|one| compression(one).is_some());
    let dropped = any(|one| one.books.as_ref().is_some_and(|books| books.dropped > 0));
    let lost = any(|one| one.books.as_ref().is_some_and(|books| books.lost > 0));
    let mut head =
        vec!["run", "#workers", "#servers", "#time", "#examples/s", "#moved", "#per example"];
    let further = [("#compressed", compressed), ("#dropped", dropped), ("#lost", lost)];
    head.extend(further.iter().filter(|(_, shown)| *shown).map(|(name, _)| *name));
    head.extend(["#staleness", "#waiting"]);
    let mut table = Table::new(&head);
    for one in figures {
        let each = one.bytes_per_example().map(|bytes| amounts::bytes(bytes.round() as u64));
        let mut cells = vec![
            escape(&one.name),
            one.workers.to_string(),
            one.servers.to_string(),
            amounts::time(one.seconds),
            one.examples_per_second.map_or(NONE.into(), amounts::rounded),
            one.bytes().map_or(NONE.into(), amounts::bytes),
            each.unwrap_or(NONE.into()),
        ];
        let books = one.books.as_ref();
        let counted = [
            compression(one).map(|times| format!("{} ×", amounts::figures(times, 3))),
            books.map(|books| number(books.dropped)),
            books.map(|books| number(books.lost)),
        ];
        let shown = counted.into_iter().zip(further).filter(|(_, (_, shown))| *shown);
        cells.extend(shown.map(|(cell, _)| cell.unwrap_or(NONE.into())));
        cells.push(one.staleness.words());
        cells.push(one.waiting().map_or("in steps".into(), amounts::percent));
        table.row("", &cells);
    }
    let processes: usize = figures.iter().map(|one| one.workers + one.servers).max().unwrap_or(0);
    format!(
        "<div class=\"figures\">{}</div><p class=\"note\">Time: from the first training step to the last. Waiting: the \
         part of the workers' training time that went into exchanging with others; “in steps” where that happens inside of \
         the graph. On one machine up to {processes} processes shared its processors: seconds of a real cluster are others, \
         bytes are the same.</p>\n",
        table.html()
    )
}

fn compression(one: &Figures) -> Option<f64> {
    one.traffic.and_then(|traffic| traffic.compression())
}
