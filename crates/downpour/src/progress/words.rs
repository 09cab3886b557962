//! What bars and lines say.

use crate::amounts;
use crate::record::{Run, Task, Time};

/// Up to this many workers are named one by one.
pub const NAMED: usize = 8;

/// `loss 0.083  48,200 examples/s  eta 00:21`: what is known of it.
pub fn state(run: &Run, now: Time) -> Vec<String> {
    let loss = run.loss().map(|loss| format!("loss {}", amounts::figures(loss, 3)));
    let rate = rated(run)
        .then(|| format!("{} examples/s", amounts::rounded(run.examples_per_second(now))));
    let left = run.seconds_left(now).map(|left| format!("eta {}", amounts::clock(left)));
    [loss, rate, left].into_iter().flatten().collect()
}

/// Whether any worker has trained for long enough to tell its rate.
fn rated(run: &Run) -> bool {
    run.workers().iter().any(|task| task.examples_per_second().is_some())
}

/// `1200/4000`, or `1200` when it is not known where the run shall end.
pub fn steps(run: &Run) -> String {
    match run.target_step() {
        Some(target) => format!("{}/{target}", run.step()),
        None => run.step().to_string(),
    }
}

/// `24,000/s`, or why there is no rate.
pub fn rate(task: &Task, now: Time) -> String {
    let Some(life) = task.lives.last() else { return "not started".into() };
    match (&life.finished, task.silence(now), task.examples_per_second()) {
        (Some(finished), _, _) if finished.failed => "failed".into(),
        (Some(_), _, _) => "done".into(),
        (None, Some(silent), _) => format!("silent for {}", amounts::time(silent)),
        (None, None, Some(rate)) => format!("{}/s", amounts::rounded(rate)),
        (None, None, None) => "starting".into(),
    }
}

/// All workers in a few words: each, or (of many) how many work, the median and the slowest.
pub fn workers(run: &Run, now: Time) -> String {
    let workers = run.workers();
    match workers.len() {
        0 | 1 => String::new(),
        ..=NAMED => {
            let one = |task: &&Task| format!("{} {}", task.name, rate(task, now));
            workers.iter().map(one).collect::<Vec<_>>().join(" ")
        }
        number => {
            let active = workers.iter().filter(|task| task.active(now));
            let rated = active.filter_map(|task| Some((task.examples_per_second()?, *task)));
            let mut rated: Vec<(f64, &Task)> = rated.collect();
            rated.sort_by(|left, right| left.0.total_cmp(&right.0));
            let at_work = format!("{}/{number} workers", rated.len());
            match (rated.get(rated.len() / 2), rated.first()) {
                (Some((median, _)), Some((slowest, task))) => format!(
                    "{at_work}, median {}/s, slowest {} {}/s",
                    amounts::rounded(*median),
                    task.name,
                    amounts::rounded(*slowest)
                ),
                _ => at_work,
            }
        }
    }
}

/// Servers, checkpoints and restarts: `2 servers  2 checkpoints, the last at step 1,000  1 restart`.
pub fn house(run: &Run) -> String {
    let servers = run.tasks().iter().filter(|task| task.serves()).count() as u64;
    let servers = (servers > 0).then(|| amounts::count(servers, "server"));
    let saved = run.checkpoints();
    let checkpoints = saved.last().map(|last| {
        let number = amounts::count(saved.len() as u64, "checkpoint");
        format!("{number}, the last at step {}", last.step)
    });
    let restarts = match run.restarts() {
        0 => None,
        times => Some(amounts::count(u64::from(times), "restart")),
    };
    [servers, checkpoints, restarts].into_iter().flatten().collect::<Vec<_>>().join("  ")
}
