//! The evaluations' metrics, a small chart each, with the best value marked.

use std::collections::BTreeSet;

use super::chart::shape::{reach, smooth};
use super::chart::{Axis, Chart, Colour, Look, Mark, Series, Xy};
use super::curves::{logarithmic, steps_axis, training_metric};
use super::html::{Table, details, escape};
use crate::amounts;
use crate::record::{Metric, Run};

/// Curves of training batches need not be finer than this behind an evaluation.
const POINTS: usize = 400;
/// Rows of the table.
const LISTED: usize = 300;

pub fn html(run: &Run) -> String {
    let metrics = run.metrics();
    let mut charts: String = metrics.iter().map(|metric| chart(run, metric).figure()).collect();
    let evaluated: BTreeSet<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
    let lives = run.workers().into_iter().flat_map(|task| &task.lives);
    let told: BTreeSet<&String> = lives.flat_map(|life| life.metrics.keys()).collect();
    for name in told.into_iter().filter(|name| !evaluated.contains(name.as_str())) {
        charts.push_str(&training_chart(name, training_metric(run, name)).figure());
    }
    let note = match metrics.is_empty() {
        true => {
            "<p>The model was not evaluated in this run: nothing here says how well it does on examples it \
                 has not seen.</p>\n"
        }
        false => "",
    };
    format!("{note}<div class=\"grid\">\n{charts}</div>\n{}", table(run, &metrics))
}

fn chart(run: &Run, metric: &Metric) -> Chart {
    let points: Vec<Xy> =
        metric.samples.iter().map(|sample| (sample.step as f64, sample.value)).collect();
    let mut series = Vec::new();
    let training = training_metric(run, &metric.name);
    let smoothed = smooth(&training, reach(training.len()).max(training.len() / POINTS));
    if !training.is_empty() {
        let pieces = vec![smoothed.clone()];
        series.push(Series {
            name: "training batches".into(),
            colour: Colour::Ink,
            look: Look::Dashed,
            pieces,
        });
    }
    let name = if training.is_empty() { "" } else { "evaluation" };
    let shares = points.iter().all(|point| (0.0..=1.0).contains(&point.1));
    let logarithmic = logarithmic(points.iter().map(|point| point.1));
    // Everything since the first evaluation is shown whole; the first batches of training would dwarf it.
    let first = points.first().map_or(f64::INFINITY, |point| point.0);
    let since = || points.iter().chain(smoothed.iter().filter(|point| point.0 >= first));
    let ys =
        || since().map(|point| point.1).filter(|y| y.is_finite() && (*y > 0.0 || !logarithmic));
    let range = ys().reduce(f64::min).zip(ys().reduce(f64::max)).filter(|(low, high)| low < high);
    let colour = if metric.smaller_is_better { Colour::Numbered(1) } else { Colour::Numbered(2) };
    series.push(Series { name: name.into(), colour, look: Look::Dotted, pieces: vec![points] });
    let best = metric.best().map(|best| Mark::Best {
        x: best.step as f64,
        y: best.value,
        text: format!("best {}", amounts::figures(best.value, 4)),
    });
    Chart {
        title: format!("Evaluation: {}", metric.name),
        x: steps_axis(),
        y: Axis {
            label: metric.name.clone(),
            logarithmic,
            range,
            bounds: (shares && !metric.smaller_is_better).then_some((0.0, 1.0)),
            ..Axis::default()
        },
        series,
        marks: best.into_iter().collect(),
        half: true,
        ..Chart::default()
    }
}

fn training_chart(name: &str, points: Vec<Xy>) -> Chart {
    let smoothed = smooth(&points, reach(points.len()));
    let logarithmic = logarithmic(smoothed.iter().map(|point| point.1));
    let colour = Colour::Numbered(3);
    Chart {
        title: format!("Training: {name}"),
        x: steps_axis(),
        y: Axis { label: name.into(), logarithmic, ..Axis::default() },
        series: vec![
            Series { name: String::new(), colour, look: Look::Faint, pieces: vec![points] },
            Series { name: String::new(), colour, look: Look::Line, pieces: vec![smoothed] },
        ],
        half: true,
        ..Chart::default()
    }
}

fn table(run: &Run, metrics: &[Metric]) -> String {
    let evaluated = run.tasks().into_iter().flat_map(|task| &task.evaluations);
    let mut evaluated: Vec<_> = evaluated.collect();
    if evaluated.is_empty() {
        return String::new();
    }
    evaluated.sort_by(|left, right| left.time.total_cmp(&right.time));
    let names: Vec<String> = metrics.iter().map(|metric| format!("#{}", metric.name)).collect();
    let mut columns = vec!["#step", "#after", "#examples"];
    columns.extend(names.iter().map(String::as_str));
    let mut table = Table::new(&columns);
    let clock = run.clock();
    for row in evaluated.iter().rev().take(LISTED).rev() {
        let examples = i64::try_from(row.examples).unwrap_or(i64::MAX);
        let mut cells = vec![
            amounts::grouped(row.step),
            amounts::time(clock.elapsed(row.time)),
            amounts::grouped(examples),
        ];
        for metric in metrics {
            let value = row.metrics.get(&metric.name);
            cells.push(value.map_or("–".into(), |value| escape(&amounts::figures(*value, 5))));
        }
        table.row("", &cells);
    }
    let summary = match evaluated.len() {
        number if number > LISTED => format!("the last {LISTED} of {number} evaluations"),
        number => amounts::count(number as u64, "evaluation"),
    };
    details(&summary, &table.html())
}
