//! The comparison as a table for terminals.

use super::{Comparison, Figures};
use crate::amounts;

/// Metrics that have a column.
const METRICS: usize = 2;

pub fn table(comparison: &Comparison) -> String {
    let figures = comparison.figures();
    let Some(reference) = figures.get(comparison.reference()) else { return String::new() };
    let metrics: Vec<String> =
        reference.metrics.iter().take(METRICS).map(|metric| metric.name.clone()).collect();
    let mut head: Vec<String> =
        ["run", "steps", "examples", "seconds", "examples/s"].map(String::from).to_vec();
    for name in &metrics {
        head.extend([name.clone(), "+/-".to_string()]);
    }
    head.extend(["moved", "B/example", "staleness", "waiting"].map(String::from));
    let mut rows = vec![head];
    rows.extend(figures.iter().map(|one| row(one, reference, &metrics)));
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in &rows {
        let cell = |(column, cell): (usize, &String)| {
            let pad = " ".repeat(widths[column].saturating_sub(cell.chars().count()));
            // Names to the left, numbers to the right.
            if column == 0 { format!("{cell}{pad}") } else { format!("{pad}{cell}") }
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn row(one: &Figures, reference: &Figures, metrics: &[String]) -> Vec<String> {
    let none = || "-".to_string();
    let name = if one.ended { one.name.clone() } else { format!("{} (not finished)", one.name) };
    let mut cells = vec![
        name,
        amounts::grouped(one.steps),
        amounts::grouped(i64::try_from(one.examples).unwrap_or(i64::MAX)),
        format!("{:.1}", one.seconds),
        one.examples_per_second.map_or_else(none, amounts::rounded),
    ];
    for metric in metrics {
        let value = one.metric(metric);
        cells.push(value.map_or_else(none, |value| amounts::figures(value, 4)));
        cells.push(difference(value, reference.metric(metric)).unwrap_or_default());
    }
    cells.extend([
        one.bytes().map_or_else(none, amounts::bytes),
        one.bytes_per_example().map_or_else(none, amounts::rounded),
        one.staleness.words(),
        one.waiting().map_or_else(none, amounts::percent),
    ]);
    cells
}

/// `+0.0021`, with as many digits as matter; nothing where there is none.
pub(crate) fn difference(value: Option<f64>, reference: Option<f64>) -> Option<String> {
    let difference = value? - reference?;
    match difference {
        0.0 => None,
        difference if difference > 0.0 => Some(format!("+{}", amounts::figures(difference, 2))),
        difference => Some(amounts::figures(difference, 2)),
    }
}
