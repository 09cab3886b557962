//! Examples per second of each worker, over the run's time.

use super::chart::shape::spread;
use super::chart::{Axis, Band, Chart, Colour, Look, Mark, Series, Unit, Xy};
use super::html::{Table, details, escape, prose};
use super::rate::{Rates, rates};
use super::{SINGLE_LINES, SINGLE_ROWS};
use crate::record::{Run, Task};
use crate::{advice, amounts};

pub fn html(run: &Run) -> String {
    let workers: Vec<&Task> =
        run.workers().into_iter().filter(|task| task.last_point().is_some()).collect();
    if workers.is_empty() {
        return String::new();
    }
    let rates = rates(run, &workers);
    let charts = match workers.len() {
        number if number > SINGLE_LINES => {
            let charts = [total_chart(run, &rates), spread_chart(run, &rates)];
            format!("<div class=\"grid\">\n{}</div>\n", charts.map(|chart| chart.figure()).concat())
        }
        _ => single_chart(run, &workers, &rates).figure(),
    };
    let words = advice::slow_worker(run).or_else(|| extremes(&workers));
    let words = words.map(|words| format!("<p>{}</p>\n", prose(&words))).unwrap_or_default();
    let table = table(&workers);
    let table = match workers.len() > SINGLE_ROWS {
        true => details("every worker", &table),
        false => table,
    };
    format!("{charts}{words}{table}")
}

fn empty_chart(run: &Run) -> Chart {
    let resumed = |x: f64| Mark::Moment { x, text: "resumed".into() };
    Chart {
        x: Axis { label: "time of the run".into(), unit: Unit::Seconds, ..Axis::default() },
        y: Axis {
            label: "examples/s".into(),
            unit: Unit::Count,
            from_zero: true,
            ..Axis::default()
        },
        marks: run.clock().pauses().into_iter().map(resumed).collect(),
        ..Chart::default()
    }
}

fn single_chart(run: &Run, workers: &[&Task], rates: &Rates) -> Chart {
    let mut chart = empty_chart(run);
    for (number, (task, pieces)) in workers.iter().zip(&rates.single).enumerate() {
        let name = if workers.len() == 1 { String::new() } else { task.name.clone() };
        let colour = Colour::Numbered(number);
        chart.series.push(Series { name, colour, look: Look::Line, pieces: pieces.clone() });
    }
    if workers.len() > 1 {
        let pieces = rates.total.clone();
        let name = "together".to_string();
        chart.series.push(Series { name, colour: Colour::Ink, look: Look::Line, pieces });
    }
    chart
}

fn total_chart(run: &Run, rates: &Rates) -> Chart {
    let pieces = rates.total.clone();
    let series = Series { name: String::new(), colour: Colour::Ink, look: Look::Line, pieces };
    Chart {
        title: "All workers together".into(),
        series: vec![series],
        half: true,
        ..empty_chart(run)
    }
}

fn spread_chart(run: &Run, rates: &Rates) -> Chart {
    let points = || rates.single.iter().flatten().flatten().copied();
    let low = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let high = points().map(|point| point.0).fold(0.0, f64::max);
    let spreads = spread(points(), low, high, rates.columns);
    let colour = Colour::Numbered(0);
    let band = spreads.iter().map(|spread| (spread.x, spread.lower, spread.upper)).collect();
    let middle: Vec<Xy> = spreads.iter().map(|spread| (spread.x, spread.middle)).collect();
    Chart {
        title: "Each worker".into(),
        bands: vec![Band { name: "10 to 90 % of workers".into(), colour, points: band }],
        series: vec![Series {
            name: "median".into(),
            colour,
            look: Look::Line,
            pieces: vec![middle],
        }],
        half: true,
        ..empty_chart(run)
    }
}

fn table(workers: &[&Task]) -> String {
    let mut table =
        Table::new(&["worker", "#examples", "#examples/s, mean", "", "#at the end", "#last loss"]);
    let mean = |task: &Task| task.mean_examples_per_second().unwrap_or(0.0);
    let fastest = workers.iter().map(|task| mean(task)).fold(0.0, f64::max);
    for task in workers {
        let examples = i64::try_from(task.examples()).unwrap_or(i64::MAX);
        let share = if fastest > 0.0 { 100.0 * mean(task) / fastest } else { 0.0 };
        table.row(
            "",
            &[
                escape(&task.name),
                amounts::grouped(examples),
                amounts::rounded(mean(task)),
                format!("<span class=\"track small\"><i style=\"width:{share:.1}%\"></i></span>"),
                task.examples_per_second().map_or("–".into(), amounts::rounded),
                task.last_point().map_or("–".into(), |point| amounts::figures(point.loss, 4)),
            ],
        );
    }
    table.html()
}

/// The fastest, the median and the slowest of many in words.
fn extremes(workers: &[&Task]) -> Option<String> {
    let rated =
        workers.iter().filter_map(|task| Some((task.mean_examples_per_second()?, &task.name)));
    let mut rated: Vec<(f64, &String)> = rated.collect();
    rated.sort_by(|left, right| left.0.total_cmp(&right.0));
    let (slowest, fastest) = (rated.first()?, rated.last()?);
    let median = rated[rated.len() / 2].0;
    (workers.len() > SINGLE_LINES).then(|| {
        format!(
            "The slowest worker was {} with {} examples/s, the fastest {} with {}; the median is {}.",
            slowest.1,
            amounts::rounded(slowest.0),
            fastest.1,
            amounts::rounded(fastest.0),
            amounts::rounded(median)
        )
    })
}
