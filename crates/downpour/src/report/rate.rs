//! Counters that grow, as rates in columns of time.

use super::chart::Xy;
use crate::record::{Life, Run, Task};

/// Finer columns would show the noise of single reports.
const MOST_COLUMNS: usize = 120;

/// Examples per second, in pieces where a worker was not at work.
pub struct Rates {
    /// For each worker.
    pub single: Vec<Vec<Vec<Xy>>>,
    pub total: Vec<Vec<Xy>>,
    pub columns: usize,
}

/// Examples and seconds at work in each column.
type Column = (f64, f64);

/// The workers' rates over the run's own time.
pub fn rates(run: &Run, workers: &[&Task]) -> Rates {
    let clock = run.clock();
    let reports =
        workers.iter().map(|task| task.lives.iter().map(|life| life.points.len()).sum::<usize>());
    // Two reports or more in a column.
    let columns = (reports.max().unwrap_or(0) / 2).clamp(4, MOST_COLUMNS);
    // From the first training step to the last.
    let lives =
        || workers.iter().flat_map(|task| &task.lives).filter(|life| !life.points.is_empty());
    let first = lives().map(|life| clock.elapsed(life.ready())).fold(f64::INFINITY, f64::min);
    let last = lives().filter_map(|life| life.points.last()).map(|point| clock.elapsed(point.time));
    let last = last.fold(0.0, f64::max);
    let begin = if first.is_finite() { first } else { 0.0 };
    let width = (last - begin).max(1e-9) / columns as f64;
    let elapsed = |time: f64| clock.elapsed(time) - begin;
    let counted: Vec<Vec<Column>> = workers
        .iter()
        .map(|task| {
            let mut all = vec![(0.0, 0.0); columns];
            task.lives.iter().for_each(|life| count(life, &elapsed, width, &mut all));
            all
        })
        .collect();
    let mut total = vec![(0.0, 0.0); columns];
    for (sum, column) in counted.iter().flat_map(|worker| worker.iter().enumerate()) {
        total[sum].0 += column.0;
        total[sum].1 = f64::max(total[sum].1, column.1);
    }
    Rates {
        single: counted.iter().map(|columns| pieces(columns, begin, width)).collect(),
        total: pieces(&total, begin, width),
        columns,
    }
}

/// Adds a life's examples to the columns, evenly between two reports.
fn count(life: &Life, elapsed: &impl Fn(f64) -> f64, width: f64, columns: &mut [Column]) {
    let mut before = (elapsed(life.ready()), 0u64);
    for point in &life.points {
        let (from, to) = (before.0, elapsed(point.time));
        let examples = point.examples.saturating_sub(before.1) as f64;
        before = (to, point.examples);
        if to <= from {
            continue;
        }
        let first = ((from / width) as usize).min(columns.len() - 1);
        let last = ((to / width) as usize).min(columns.len() - 1);
        for (index, column) in columns.iter_mut().enumerate().take(last + 1).skip(first) {
            let (left, right) = (index as f64 * width, (index + 1) as f64 * width);
            let inside = (to.min(right) - from.max(left)).max(0.0);
            column.0 += examples * inside / (to - from);
            column.1 += inside;
        }
    }
}

/// Columns in which a worker was at work for long enough to tell its rate.
fn pieces(columns: &[Column], begin: f64, width: f64) -> Vec<Vec<Xy>> {
    let point = |(index, (examples, seconds)): (usize, &Column)| {
        (*seconds > 0.25 * width)
            .then(|| (begin + (index as f64 + 0.5) * width, examples / seconds))
    };
    let points: Vec<Option<Xy>> = columns.iter().enumerate().map(point).collect();
    let runs = points.split(Option::is_none).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().flatten().copied().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::testing::*;

    #[test]
    fn an_even_worker_has_an_even_rate_and_a_pause_is_a_gap() {
        let mut run = Run::default();
        run.take("worker-0", started("worker/0", 0.0, 0, 0));
        run.take("worker-1", started("worker/1", 0.0, 0, 0));
        for second in 2..=100_u32 {
            let time = f64::from(second);
            run.take(
                "worker-0",
                progress(time, i64::from(second), u64::from(second - 1) * 100, 0.1),
            );
            if second == 30 {
                run.take("worker-1", progress(time, 30, 2900, 0.1));
            }
        }
        run.take("worker-1", started("worker/1", 60.0, 60, 1));
        run.take("worker-1", progress(100.0, 100, 3900, 0.1));
        let workers = run.workers();
        let rates = rates(&run, &workers);
        let near = |pieces: &Vec<Vec<Xy>>| {
            pieces.iter().flatten().all(|(_, rate)| (rate - 100.0).abs() < 1e-6)
        };
        assert!(near(&rates.single[0]) && near(&rates.single[1]), "{:?}", rates.single);
        assert_eq!((rates.single[0].len(), rates.single[1].len()), (1, 2));
        let most = rates.total.iter().flatten().map(|point| point.1).fold(0.0, f64::max);
        assert!((most - 200.0).abs() < 1e-6);
    }
}
