//! Series of a run as points of charts.

use super::chart::{Axis, Unit, Xy};
use crate::record::{Life, Rewind, Run, Task};

/// A span of positive values this wide reads better in decades.
const DECADES: f64 = 30.0;

pub fn steps_axis() -> Axis {
    Axis { label: "global step".into(), unit: Unit::Count, ..Axis::default() }
}

/// A worker's losses against the global step: a piece for each life, without what was undone.
pub fn losses(run: &Run, task: &Task) -> Vec<Vec<Xy>> {
    let rewinds = run.rewinds();
    let piece = |life: &Life| -> Vec<Xy> {
        let points = life.points.iter().filter(|point| kept(rewinds, point.time, point.step));
        points.map(|point| (point.step as f64, point.loss)).collect()
    };
    task.lives.iter().map(piece).filter(|piece| !piece.is_empty()).collect()
}

/// All workers' values of a metric of training batches.
pub fn training_metric(run: &Run, name: &str) -> Vec<Xy> {
    let rewinds = run.rewinds();
    let lives = run.workers().into_iter().flat_map(|task| &task.lives);
    let samples = lives.filter_map(|life| life.metrics.get(name)).flatten();
    let kept = samples.filter(|sample| kept(rewinds, sample.time, sample.step));
    let mut points: Vec<Xy> = kept.map(|sample| (sample.step as f64, sample.value)).collect();
    points.sort_by(|left, right| left.0.total_cmp(&right.0));
    points
}

fn kept(rewinds: &[Rewind], time: f64, step: i64) -> bool {
    !rewinds.iter().any(|rewind| rewind.undoes(time, step))
}

/// Whether values are all positive and span decades.
pub fn logarithmic(values: impl Iterator<Item = f64>) -> bool {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| {
        (low.min(value), high.max(value))
    });
    low > 0.0 && low < f64::INFINITY && high / low >= DECADES
}

#[cfg(test)]
mod tests {
    use super::logarithmic;

    #[test]
    fn only_positive_values_over_decades_are_logarithmic() {
        let cases = [
            (vec![2.3, 0.02], true),
            (vec![2.3, 0.5], false),
            (vec![2.3, 0.0], false),
            (vec![-1.0, 100.0, 0.1], false),
            (vec![f64::NAN, 1e-9, 1.0, f64::INFINITY], true),
            (vec![], false),
        ];
        for (values, expected) in cases {
            assert_eq!(logarithmic(values.iter().copied()), expected, "{values:?}");
        }
    }
}
