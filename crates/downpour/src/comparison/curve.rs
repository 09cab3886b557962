//! A run's training loss against its time, its examples and its bytes: all workers in one line.

use crate::record::{Life, Run};
use crate::report::shape::smooth;

/// Where a run was at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Progressed {
    /// Seconds since its first training step.
    pub seconds: f64,
    /// Examples of all workers until then.
    pub examples: f64,
    /// Bytes that went over the network until then.
    pub bytes: f64,
    /// The loss, smoothed.
    pub loss: f64,
}

/// Every report of a worker is a point. Losses are of whoever saw the model change: workers that only compute
/// parts for a coordinator do not know the loss of all of them.
pub(crate) fn curve(run: &Run) -> Vec<Progressed> {
    let clock = run.clock();
    let mut reports: Vec<(f64, usize, u64, u64, Option<f64>)> = Vec::new();
    let lives: Vec<&Life> = run.workers().into_iter().flat_map(|task| &task.lives).collect();
    for (number, life) in lives.iter().enumerate() {
        let first = life.started.as_ref().map_or(i64::MIN, |start| start.step);
        reports.extend(life.points.iter().map(|point| {
            let loss = (point.step > first).then_some(point.loss);
            (clock.elapsed(point.time), number, point.examples, point.bytes, loss)
        }));
    }
    reports.retain(|report| report.0.is_finite());
    reports.sort_by(|left, right| left.0.total_cmp(&right.0));
    let ready = lives.iter().filter(|life| !life.points.is_empty()).map(|life| life.ready());
    let begin = ready.map(|time| clock.elapsed(time)).fold(f64::INFINITY, f64::min);
    let mut told = vec![(0u64, 0u64); lives.len()];
    let (mut examples, mut bytes) = (0.0, 0.0);
    let mut points = Vec::with_capacity(reports.len());
    for (seconds, number, now, moved, loss) in reports {
        examples += now.saturating_sub(told[number].0) as f64;
        bytes += moved.saturating_sub(told[number].1) as f64;
        told[number] = (now.max(told[number].0), moved.max(told[number].1));
        if let Some(loss) = loss {
            points.push(Progressed { seconds: seconds - begin, examples, bytes, loss });
        }
    }
    scale_bytes(run, bytes, &mut points);
    let losses: Vec<(f64, f64)> =
        points.iter().enumerate().map(|(place, point)| (place as f64, point.loss)).collect();
    // At least one report of every worker, so that differences between them do not show as noise.
    let reach = (points.len() / 40).max(run.workers().len() / 2);
    let smoothed = smooth(&losses, reach.min(points.len() / 4));
    let shown =
        smoothed.into_iter().map(|(place, loss)| Progressed { loss, ..points[place as usize] });
    shown.collect()
}

/// The mean loss of the last tenth of a run's examples: its last report alone is of a few batches.
pub(crate) fn final_loss(points: &[Progressed]) -> Option<f64> {
    let from = 0.9 * points.last()?.examples;
    let last: Vec<f64> =
        points.iter().filter(|point| point.examples >= from).map(|point| point.loss).collect();
    Some(last.iter().sum::<f64>() / last.len() as f64)
}

/// Workers' bytes count twice what goes between workers; the run's own sum is right.
fn scale_bytes(run: &Run, counted: f64, points: &mut [Progressed]) {
    let moved = run.traffic().map_or(0.0, |traffic| traffic.sent as f64);
    let factor = if counted > 0.0 { moved / counted } else { 0.0 };
    points.iter_mut().for_each(|point| point.bytes *= factor);
}

/// The value of `y` at `x` on a line of points in order of `x`; beyond the ends, that of the end.
pub(crate) fn between(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let after = points.partition_point(|point| point.0 <= x);
    let (left, right) = (points.get(after.checked_sub(1)?), points.get(after));
    match (left, right) {
        (Some(left), Some(right)) if right.0 > left.0 => {
            Some(left.1 + (right.1 - left.1) * (x - left.0) / (right.0 - left.0))
        }
        (Some(left), _) => Some(left.1),
        (None, _) => None,
    }
}
