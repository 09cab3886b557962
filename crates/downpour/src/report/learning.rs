//! How the model learned: the loss of training batches and the metrics of evaluations, against the step.

use super::SINGLE_LINES;
use super::chart::shape::{reach, smooth, spread};
use super::chart::{Axis, Band, Chart, Colour, Look, Mark, Series, Xy};
use super::curves::{logarithmic, losses, steps_axis};
use super::evaluations;
use crate::amounts;
use crate::record::{Run, Task};

/// Values of many workers are gathered in this many columns.
const COLUMNS: usize = 160;
/// More crosses than this say nothing more.
const CROSSES: usize = 40;

pub fn html(run: &Run) -> String {
    let workers = run.workers();
    let known = workers.iter().any(|task| task.last_point().is_some());
    let loss = match known {
        true => loss_chart(run, &workers).figure(),
        false => String::new(),
    };
    if !known && run.metrics().is_empty() {
        return "<p>No training step was told of: the run ended before its first.</p>\n".into();
    }
    loss + &evaluations::html(run)
}

fn loss_chart(run: &Run, workers: &[&Task]) -> Chart {
    let curves: Vec<(&str, Vec<Vec<Xy>>)> =
        workers.iter().map(|task| (task.name.as_str(), losses(run, task))).collect();
    let mut chart = Chart {
        title: "Training loss".into(),
        x: steps_axis(),
        y: Axis { label: "loss".into(), ..Axis::default() },
        marks: crosses(run, workers),
        ..Chart::default()
    };
    match curves.len() > SINGLE_LINES {
        true => together(&mut chart, &curves),
        false => one_by_one(&mut chart, &curves),
    }
    let drawn = chart.series.iter().filter(|series| series.look != Look::Faint);
    chart.y.logarithmic =
        logarithmic(drawn.flat_map(|series| series.pieces.iter().flatten()).map(|point| point.1));
    chart
}

fn one_by_one(chart: &mut Chart, curves: &[(&str, Vec<Vec<Xy>>)]) {
    let mut widest = 0;
    for (number, (name, pieces)) in curves.iter().enumerate() {
        let colour = Colour::Numbered(number);
        let points: Vec<Xy> = pieces.concat();
        let reach = reach(points.len());
        widest = widest.max(2 * reach + 1);
        let name = if curves.len() == 1 { String::new() } else { name.to_string() };
        if reach > 0 {
            let pieces = pieces.clone();
            chart.series.push(Series { name: name.clone(), colour, look: Look::Faint, pieces });
        }
        let pieces = vec![smooth(&points, reach)];
        chart.series.push(Series { name, colour, look: Look::Line, pieces });
    }
    if widest > 1 {
        chart.note = format!(
            "Lines are means over {} reports of a worker; what it reported is behind them.",
            amounts::grouped(widest as i64)
        );
    }
}

fn together(chart: &mut Chart, curves: &[(&str, Vec<Vec<Xy>>)]) {
    let points = || curves.iter().flat_map(|(_, pieces)| pieces.iter().flatten().copied());
    let low = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let high = points().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max);
    let spreads = spread(points(), low, high, COLUMNS);
    let colour = Colour::Numbered(0);
    let band = spreads.iter().map(|spread| (spread.x, spread.lower, spread.upper)).collect();
    let middle = spreads.iter().map(|spread| (spread.x, spread.middle)).collect();
    chart.bands.push(Band { name: "10 to 90 % of reports".into(), colour, points: band });
    let name = format!("median of {} workers", curves.len());
    chart.series.push(Series { name, colour, look: Look::Line, pieces: vec![middle] });
}

/// Crosses where a loss was not finite.
fn crosses(run: &Run, workers: &[&Task]) -> Vec<Mark> {
    let points = workers.iter().flat_map(|task| {
        let points = task.lives.iter().flat_map(|life| &life.points);
        points.filter(|point| !point.loss.is_finite()).map(|point| (point, &task.name))
    });
    let mut bad: Vec<_> = points.collect();
    bad.sort_by_key(|(point, _)| point.step);
    // One cross a column is all that can be seen.
    let width = (run.step() / CROSSES as i64).max(1);
    bad.dedup_by_key(|(point, _)| point.step / width);
    let cross = |(point, name): (&crate::record::Point, &String)| Mark::Bad {
        x: point.step as f64,
        text: format!("{name}: {} at step {}", point.loss, amounts::grouped(point.step)),
    };
    bad.into_iter().map(cross).collect()
}
