//! What a run's numbers suggest to do.

use std::cmp::Reverse;

use crate::amounts;
use crate::record::{Run, Split, Task};

/// Every piece of advice a run gives reason to, the gravest first.
pub fn advice(run: &Run) -> Vec<String> {
    [bad_losses(run), wasted_time(run), slow_worker(run), imbalance(run)]
        .into_iter()
        .flatten()
        .collect()
}

/// The loss stopped being a number.
pub fn bad_losses(run: &Run) -> Option<String> {
    let first = |task: &Task| {
        let mut points = task.lives.iter().flat_map(|life| &life.points);
        points.find(|point| !point.loss.is_finite()).copied()
    };
    let workers = run.workers();
    let found = workers.iter().filter_map(|task| Some((task, first(task)?)));
    let (task, point) = found.min_by(|left, right| left.1.time.total_cmp(&right.1.time))?;
    let before = run.checkpoints().into_iter().rfind(|saved| saved.time < point.time);
    let back = match before {
        Some(saved) => format!(
            " The last checkpoint before it is {} (step {}).",
            saved.path,
            amounts::grouped(saved.step)
        ),
        None => String::new(),
    };
    Some(format!(
        "The loss was {} first at step {} on {}. Try a smaller learning rate or clip gradients by their global \
         norm; look for empty or missing values in the data and for logarithms or quotients of zero in the \
         model; with float16, scale the loss.{back}",
        if point.loss.is_nan() { "not a number" } else { "infinite" },
        amounts::grouped(point.step),
        task.name,
    ))
}

/// What takes the workers' time, and what to try.
pub fn time(run: &Run) -> Option<String> {
    let split = run.split();
    let well = || {
        format!(
            "Training steps took {}, waiting for data {}: the steps themselves are what could be faster. Larger \
             batches or more workers are the first things to try.",
            amounts::percent(split.share(split.step)),
            amounts::percent(split.share(split.data))
        )
    };
    (split.total() > 0.0).then(|| wasted(&split).unwrap_or_else(well))
}

/// Something else than training takes much of the workers' time.
fn wasted_time(run: &Run) -> Option<String> {
    wasted(&run.split())
}

fn wasted(split: &Split) -> Option<String> {
    let share = |seconds| split.share(seconds);
    let told = |seconds| amounts::percent(share(seconds));
    let trained = split.total() - split.start;
    let of_training = |seconds: f64| if trained > 0.0 { seconds / trained } else { 0.0 };
    match () {
        () if of_training(split.data) > 0.3 => Some(format!(
            "Workers spent {} of their time waiting for data: read ahead further (prefetch), map in parallel, or \
             cache what is decoded.",
            told(split.data)
        )),
        () if of_training(split.exchange) > 0.5 => Some(format!(
            "Workers spent {} of their time exchanging with others and waiting for them: larger batches, a strategy \
             that waits less (`downpour compare` shows them side by side), or compressed gradients on a slow network.",
            told(split.exchange)
        )),
        () if of_training(split.evaluation) > 0.25 => Some(format!(
            "Evaluation took {}: evaluate less often, on fewer examples, or in a task of its own.",
            told(split.evaluation)
        )),
        () if of_training(split.checkpoint) > 0.1 => Some(format!(
            "Checkpoints held training up for {} of the time: save less often, or to a faster disk.",
            told(split.checkpoint)
        )),
        () if share(split.start) > 0.4 => Some(format!(
            "Starting took {}: the run was short. In a longer one it hardly counts.",
            told(split.start)
        )),
        () if share(split.other) > 0.3 => Some(format!(
            "{} of the time is not accounted for: hooks, summaries, or waiting at the end. A timeline of a step \
             shows more.",
            told(split.other)
        )),
        () => None,
    }
}

/// One worker is much slower than the others.
pub fn slow_worker(run: &Run) -> Option<String> {
    let workers = run.workers();
    let mut rates: Vec<(f64, &Task)> = workers
        .into_iter()
        .filter_map(|task| Some((task.mean_examples_per_second()?, task)))
        .collect();
    rates.sort_by(|left, right| left.0.total_cmp(&right.0));
    let (middle, _) = rates.get(rates.len() / 2)?;
    let (slowest, task) = rates.first()?;
    (rates.len() > 1 && *slowest < 0.75 * middle).then(|| {
        format!(
            "{} was slower than the others: {} examples/s, where {} are usual. Is its machine busy, or farther away?",
            task.name,
            amounts::rounded(*slowest),
            amounts::rounded(*middle)
        )
    })
}

/// One server holds much more than its share.
pub fn imbalance(run: &Run) -> Option<String> {
    let servers = run.servers();
    let times = servers.imbalance().filter(|times| *times > 1.25 && servers.places.len() > 1)?;
    // A model in parts is cut by its work, and a part of it is on a worker.
    if servers.places.iter().any(|place| !place.task.starts_with("ps/")) {
        return None;
    }
    let fullest = servers.places.iter().max_by_key(|place| place.bytes)?;
    let held = run.variables().iter().filter(|variable| variable.task == fullest.task);
    // Its slots are as large as a variable itself, and named after it.
    let largest = held.max_by_key(|variable| (variable.bytes, Reverse(&variable.name)))?;
    Some(format!(
        "{} holds {times:.1} times its even share, so steps wait for it; most of that is {} ({}). With \
         `synchronous`, `bounded`, `downpour` and `hybrid` a variable above `split_above_mib` (under `[cluster]`) is cut by \
         rows over all servers: a smaller number there evens them out.",
        fullest.task,
        largest.name,
        amounts::bytes(largest.bytes)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_time_has_its_advice() {
        let base = Split { step: 50.0, ..Split::default() };
        let cases = [
            (Split { data: 40.0, ..base }, "prefetch"),
            (Split { exchange: 60.0, ..base }, "a strategy that waits less"),
            (Split { evaluation: 40.0, ..base }, "evaluate less often"),
            (Split { checkpoint: 10.0, ..base }, "save less often"),
            (Split { start: 60.0, ..base }, "the run was short"),
            (Split { other: 30.0, ..base }, "not accounted for"),
        ];
        for (split, expected) in cases {
            let advice = wasted(&split);
            assert!(advice.as_ref().is_some_and(|advice| advice.contains(expected)), "{advice:?}");
        }
        assert_eq!((wasted(&base), wasted(&Split::default())), (None, None));
    }
}
