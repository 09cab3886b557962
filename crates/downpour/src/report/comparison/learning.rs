//! Loss and metrics against time, examples and bytes; examples per second.

use super::looks::Looks;
use crate::amounts;
use crate::comparison::{Comparison, Progressed, between, curve};
use crate::record::{Metric, Run};
use crate::report::chart::shape::smooth;
use crate::report::chart::{Axis, Chart, Look, Unit, Xy};
use crate::report::rate::rates;

/// Metrics of evaluations that have charts.
const METRICS: usize = 3;
/// Bytes of a megabyte, as everywhere here.
const MEGABYTE: f64 = 1024.0 * 1024.0;

/// Losses that fall to a part of this lie too close to each other at the end of a linear axis.
const DECADES: f64 = 5.0;

fn logarithmic(values: impl Iterator<Item = f64>) -> bool {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| {
        (low.min(value), high.max(value))
    });
    low > 0.0 && low < f64::INFINITY && high / low >= DECADES
}

/// What an axis shows of a moment of a run.
type Against = fn(&Progressed) -> f64;

fn seconds() -> Axis {
    Axis { label: "time since the first step".into(), unit: Unit::Seconds, ..from_zero() }
}

fn examples() -> Axis {
    Axis { label: "examples trained on".into(), unit: Unit::Count, ..from_zero() }
}

fn from_zero() -> Axis {
    Axis { from_zero: true, ..Axis::default() }
}

pub fn html(comparison: &Comparison, looks: &[Looks]) -> String {
    let curves: Vec<Vec<Progressed>> = comparison.runs().iter().map(curve).collect();
    if curves.iter().all(Vec::is_empty) {
        return "<p>No training step was told of.</p>\n".into();
    }
    let by_examples =
        loss(&curves, looks, "Training loss, example by example", examples(), |point| {
            point.examples
        });
    let by_time =
        loss(&curves, looks, "Training loss, second by second", seconds(), |point| point.seconds);
    let mut charts = by_examples.figure() + &by_time.figure();
    if curves.iter().flatten().any(|point| point.bytes > 0.0) {
        let axis = Axis { label: "megabytes moved".into(), ..from_zero() };
        let mut chart = loss(&curves, looks, "Training loss, byte by byte", axis, |point| {
            point.bytes / MEGABYTE
        });
        chart.note = "Runs that move nothing are left out.".into();
        chart.series.retain(|series| series.pieces.iter().flatten().any(|point| point.0 > 0.0));
        charts.push_str(&chart.figure());
    }
    charts + &metrics(comparison, &curves, looks)
}

fn loss(
    curves: &[Vec<Progressed>],
    looks: &[Looks],
    title: &str,
    x: Axis,
    against: Against,
) -> Chart {
    let line = |(points, looks): (&Vec<Progressed>, &Looks)| {
        looks.series(Look::Line, points.iter().map(|point| (against(point), point.loss)).collect())
    };
    let series: Vec<_> = curves.iter().zip(looks).map(line).collect();
    let losses = || curves.iter().flatten().map(|point| point.loss);
    Chart {
        title: title.into(),
        x,
        y: Axis { label: "loss".into(), logarithmic: logarithmic(losses()), ..Axis::default() },
        series,
        ..Chart::default()
    }
}

fn metrics(comparison: &Comparison, curves: &[Vec<Progressed>], looks: &[Looks]) -> String {
    let known: Vec<Vec<Metric>> = comparison.runs().iter().map(Run::metrics).collect();
    let mut names: Vec<&String> = Vec::new();
    for metric in known.iter().flatten() {
        if !names.contains(&&metric.name) {
            names.push(&metric.name);
        }
    }
    let mut charts = String::new();
    for name in names.into_iter().take(METRICS) {
        for (title, axis, by_time) in
            [("example by example", examples(), false), ("second by second", seconds(), true)]
        {
            let runs = comparison.runs().iter().zip(&known).zip(curves).zip(looks);
            let mut series = Vec::new();
            for (((run, metrics), curve), looks) in runs {
                let Some(metric) = metrics.iter().find(|metric| metric.name == *name) else {
                    continue;
                };
                series.push(looks.series(Look::Dotted, measured(run, metric, curve, by_time)));
            }
            let values = || series.iter().flat_map(|one| one.pieces.iter().flatten()).map(|p| p.1);
            let larger = known.iter().flatten().any(|m| m.name == *name && !m.smaller_is_better);
            let shares = larger && values().all(|value| (0.0..=1.0).contains(&value));
            let y = Axis {
                label: name.clone(),
                logarithmic: logarithmic(values()),
                bounds: shares.then_some((0.0, 1.0)),
                ..Axis::default()
            };
            let title = format!("Evaluation: {name}, {title}");
            charts.push_str(
                &Chart { title, x: axis, y, series, half: true, ..Chart::default() }.figure(),
            );
        }
    }
    match charts.is_empty() {
        true => "<p>The models were not evaluated.</p>\n".into(),
        false => format!("<div class=\"grid\">\n{charts}</div>\n"),
    }
}

/// A metric's values at the seconds or examples at which they were measured.
fn measured(run: &Run, metric: &Metric, curve: &[Progressed], by_time: bool) -> Vec<Xy> {
    let clock = run.clock();
    let begin = run.workers().into_iter().flat_map(|task| &task.lives);
    let begin =
        begin.filter(|life| !life.points.is_empty()).map(|life| clock.elapsed(life.ready()));
    let begin = begin.fold(f64::INFINITY, f64::min);
    let trained: Vec<Xy> = curve.iter().map(|point| (point.seconds, point.examples)).collect();
    let place = |sample: &crate::record::Sample| {
        let seconds = (clock.elapsed(sample.time) - begin).max(0.0);
        match by_time {
            true => Some(seconds),
            false => between(&trained, seconds),
        }
    };
    metric.samples.iter().filter_map(|sample| Some((place(sample)?, sample.value))).collect()
}

/// Examples per second of all workers together.
pub fn throughput(comparison: &Comparison, looks: &[Looks]) -> String {
    let mut series = Vec::new();
    for (run, looks) in comparison.runs().iter().zip(looks) {
        let workers: Vec<_> =
            run.workers().into_iter().filter(|task| task.last_point().is_some()).collect();
        if workers.is_empty() {
            continue;
        }
        let mut line = looks.series(Look::Line, Vec::new());
        let begin = curve(run).first().map_or(0.0, |point| point.seconds);
        let rates = rates(run, &workers);
        let first = rates.total.iter().flatten().map(|point| point.0).fold(f64::INFINITY, f64::min);
        // From the first step of each, so that they can be laid over each other.
        let shifted = |piece: &Vec<Xy>| {
            let moved: Vec<Xy> = piece.iter().map(|(x, y)| (x - first + begin, *y)).collect();
            smooth(&moved, moved.len() / 12)
        };
        line.pieces = rates.total.iter().map(shifted).collect();
        series.push(line);
    }
    let means: Vec<String> = comparison
        .figures()
        .iter()
        .filter_map(|one| {
            Some(format!("{} {}", one.name, amounts::rounded(one.examples_per_second?)))
        })
        .collect();
    let chart = Chart {
        x: seconds(),
        y: Axis { label: "examples/s, all workers".into(), unit: Unit::Count, ..from_zero() },
        series,
        note: format!("On average: {}.", means.join(", ")),
        ..Chart::default()
    };
    chart.figure()
}
