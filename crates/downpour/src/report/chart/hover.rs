//! What a chart says under the pointer: the data of the small script (`hover.js`).
//!
//! `[[name, colour, [[x, y, words of x, words of y], ...]], ...]`, places in the SVG's own units.

use serde_json::{Value, json};

use super::draw::Frame;
use super::{Axis, Chart, Look, Unit, Xy};
use crate::amounts;

/// More points than this cannot be pointed at.
const POINTS: usize = 120;

/// The script's data for one drawn chart.
pub fn data(chart: &Chart, frame: &Frame) -> String {
    let lines = chart.series.iter().filter(|series| series.look != Look::Faint);
    let entry = |series: &super::Series| -> Value {
        let all: Vec<Xy> =
            series.pieces.iter().flat_map(|piece| frame.drawn(piece)).flatten().collect();
        let points: Vec<Value> = chosen(&all).map(|point| told(chart, frame, point)).collect();
        json!([series.name, series.colour.css(), points])
    };
    Value::Array(lines.map(entry).collect()).to_string()
}

/// Evenly chosen points, the last among them.
fn chosen(points: &[Xy]) -> impl Iterator<Item = Xy> + '_ {
    let every = points.len().div_ceil(POINTS).max(1);
    let last = points.len().saturating_sub(1) % every;
    points.iter().skip(last).step_by(every).copied()
}

fn told(chart: &Chart, frame: &Frame, (x, y): Xy) -> Value {
    let tenth = |place: f64| (place * 10.0).round() / 10.0;
    let places = (tenth(frame.x.place(x)), tenth(frame.y.place(y)));
    json!([places.0, places.1, words(&chart.x, x), words(&chart.y, y)])
}

fn words(axis: &Axis, value: f64) -> String {
    match axis.unit {
        Unit::Count if value.abs() >= 100.0 => amounts::grouped(value.round() as i64),
        Unit::Count => amounts::rounded(value),
        Unit::Seconds => amounts::time(value),
        Unit::Number => amounts::figures(value, 4),
        Unit::Share => format!("{} %", amounts::figures(100.0 * value, 3)),
    }
}
