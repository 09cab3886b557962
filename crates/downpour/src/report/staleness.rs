//! How old the parameters were that gradients had been computed from.

use super::chart::{Axis, Chart, Colour, Look, Series, Unit};
use super::html::prose;
use crate::amounts;
use crate::comparison::{Figures, Stale};
use crate::record::{Run, Staleness};

/// The part of all updates that a chart shows.
const NEARLY_ALL: f64 = 0.98;
/// And at least the staleness up to this.
const FEWEST: usize = 8;

pub fn html(run: &Run) -> String {
    if run.tasks().iter().filter(|task| task.trains()).count() < 2 {
        return String::new();
    }
    match Figures::of(run, run.name()).staleness {
        Stale::Unknown => {
            "<p>Not known: workers read and change the variables inside of one graph, where nobody \
                           counts how many updates lie between.</p>\n"
                .into()
        }
        Stale::Never => {
            "<p>None: every update was made of gradients of the parameters it changed.</p>\n".into()
        }
        Stale::Counted(staleness) => {
            let words = format!(
                "A gradient met parameters that were {} updates further on average, {} or fewer for 95 % of them; the largest \
                 was {}. Counted at the servers; the worker's own updates count, too.",
                amounts::figures(staleness.mean(), 3),
                staleness.quantile(0.95),
                most(&staleness)
            );
            format!(
                "<p>{}</p>\n<div class=\"grid\">\n{}</div>\n",
                prose(&words),
                chart(&staleness, Colour::Numbered(0)).figure()
            )
        }
    }
}

fn most(staleness: &Staleness) -> String {
    match staleness.beyond() {
        true => format!("{} or more", staleness.largest()),
        false => staleness.largest().to_string(),
    }
}

/// The share of updates with each staleness.
pub fn chart(staleness: &Staleness, colour: Colour) -> Chart {
    let all = staleness.updates().max(1) as f64;
    // The last few of a long tail would squeeze the rest.
    let shown = staleness.quantile(NEARLY_ALL).max(FEWEST);
    let shares = staleness.counts().iter().map(|count| *count as f64 / all).enumerate();
    let points = shares.clone().take(shown + 1).map(|(age, share)| (age as f64, share)).collect();
    let rest: f64 = shares.skip(shown + 1).map(|(_, share)| share).sum();
    let label = match staleness.largest() > shown {
        true => format!(
            "staleness in updates ({} % further, up to {})",
            amounts::figures(100.0 * rest, 1),
            most(staleness)
        ),
        false => "staleness in updates".to_string(),
    };
    Chart {
        x: Axis { label, unit: Unit::Count, ..Axis::default() },
        y: Axis {
            label: "share of updates".into(),
            unit: Unit::Share,
            from_zero: true,
            bounds: Some((0.0, 1.0)),
            ..Axis::default()
        },
        series: vec![Series {
            name: String::new(),
            colour,
            look: Look::Columns,
            pieces: vec![points],
        }],
        half: true,
        ..Chart::default()
    }
}
