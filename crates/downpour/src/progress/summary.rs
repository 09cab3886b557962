//! What is left on the screen when a run is over.

use crate::record::{Outcome, Run, Traffic};
use crate::{advice, amounts, commands};

/// A few lines: how it ended, how good the model is, what it cost, what to do.
pub fn text(run: &Run) -> String {
    let mut lines = vec![first(run)];
    let mut add = |name: &str, value: String| lines.push(format!("  {name:<12} {value}"));
    for metric in run.metrics() {
        let last = metric.last();
        let best = match metric.best() {
            Some(best) if best.step != last.step && best.value != last.value => {
                format!(" (best {} at step {})", amounts::figures(best.value, 4), best.step)
            }
            _ => String::new(),
        };
        add(
            &metric.name,
            format!("{} at step {}{best}", amounts::figures(last.value, 4), last.step),
        );
    }
    if run.metrics().is_empty()
        && let Some(loss) = run.loss()
    {
        add("loss", amounts::figures(loss, 4));
    }
    if let Some(saved) = run.last_checkpoint() {
        add("checkpoint", format!("{} ({})", saved.path, amounts::bytes(saved.bytes)));
    }
    let split = run.split();
    let shown = split.parts().into_iter().filter(|(_, seconds)| split.share(*seconds) >= 0.005);
    let shares: Vec<String> = shown
        .map(|(name, seconds)| format!("{name} {}", amounts::percent(split.share(seconds))))
        .collect();
    if !shares.is_empty() {
        add("time", shares.join(", "));
    }
    if let Some(traffic) = run.traffic().filter(|traffic| traffic.sent > 0) {
        add("moved", moved(run, &traffic));
    }
    let restarted = run.tasks().into_iter().filter(|task| task.restarts() > 0);
    let restarted: Vec<String> =
        restarted.map(|task| format!("{} {}", task.name, task.restarts())).collect();
    if !restarted.is_empty() {
        add("restarts", restarted.join(", "));
    }
    let advice = advice::advice(run).into_iter().map(|advice| format!("hint: {advice}"));
    lines.extend(advice);
    lines.extend(resume(run));
    lines.join("\n")
}

/// `199 MB, 6.4 KB per example, staleness 1.7 on average`.
fn moved(run: &Run, traffic: &Traffic) -> String {
    let mut words = vec![amounts::bytes(traffic.sent)];
    if run.examples() > 0 {
        words.push(format!("{} per example", amounts::bytes(traffic.sent / run.examples())));
    }
    if let Some(times) = traffic.compression() {
        words.push(format!("gradients {} times smaller", amounts::figures(times, 2)));
    }
    if let Some(staleness) = run.staleness().filter(|staleness| !staleness.is_none()) {
        words.push(format!("staleness {} on average", amounts::figures(staleness.mean(), 2)));
    }
    words.join(", ")
}

/// How to go on with a run that did not reach its end.
fn resume(run: &Run) -> Option<String> {
    let saved = run.last_checkpoint()?;
    let reached = run.target_step().is_some_and(|target| run.step() >= target);
    let step = saved.step;
    (!reached).then(|| format!("hint: `{}` goes on from step {step}", commands::resume(run)))
}

fn first(run: &Run) -> String {
    let time = amounts::time(run.clock().total());
    let rate = match run.mean_examples_per_second() {
        Some(rate) => format!(", {} examples/s", amounts::rounded(rate)),
        None => String::new(),
    };
    let step = run.step();
    match run.outcome() {
        Outcome::Ended { reason, .. } => format!("{}: {reason} in {time}{rate}", run.name()),
        Outcome::Failed { task, reason, .. } => {
            format!("{}: failed at step {step} after {time}: {task}: {reason}", run.name())
        }
        Outcome::Open => format!("{}: at step {step} after {time}{rate}, not finished", run.name()),
    }
}
