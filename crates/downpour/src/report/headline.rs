//! The top of the report: how it ended, how good the model is, what it cost.

use super::html::{escape, prose};
use crate::record::{Metric, Outcome, Run};
use crate::{advice, amounts, commands};

pub fn html(run: &Run) -> String {
    let (class, state) = state(run);
    format!(
        "<header>\n<p class=\"state {class}\">{}</p>\n<h1>{}</h1>\n{}</header>\n{}{}<div class=\"tiles\">\n{}</div>\n",
        escape(&state),
        escape(&run.name()),
        subtitle(run),
        failure(run),
        warnings(run),
        tiles(run)
    )
}

fn state(run: &Run) -> (&'static str, String) {
    match run.outcome() {
        Outcome::Failed { .. } => ("bad", "Failed".into()),
        Outcome::Ended { reason, .. } => {
            let class =
                if run.loss().is_some_and(|loss| !loss.is_finite()) { "warn" } else { "good" };
            (class, capital(&reason))
        }
        Outcome::Open => ("open", "Not finished".into()),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// What was trained, from the lines of the job that say it.
fn subtitle(run: &Run) -> String {
    let job = run.job();
    let told: Vec<&str> = ["model", "data", "optimizer", "strategy"]
        .iter()
        .filter_map(|key| job.get(*key))
        .map(String::as_str)
        .collect();
    match told.is_empty() {
        true => String::new(),
        false => format!("<p class=\"subtitle\">{}</p>\n", escape(&told.join(" · "))),
    }
}

fn failure(run: &Run) -> String {
    let Outcome::Failed { task, reason, time } = run.outcome() else { return String::new() };
    let after = amounts::time(run.clock().elapsed(time));
    let step = amounts::grouped(run.step());
    let next = match run.last_checkpoint() {
        Some(saved) => format!(
            "Nothing before step {} is lost: with the cause removed, <code>{}</code> goes on from there.",
            amounts::grouped(saved.step),
            escape(&commands::resume(run))
        ),
        None => "There was no checkpoint yet: with the cause removed, start it again.".into(),
    };
    format!(
        "<div class=\"box bad\"><p><strong>{} failed after {after}, at step {step}.</strong></p>\
         <pre>{}</pre><p>{next}</p></div>\n",
        escape(&task),
        escape(&reason)
    )
}

fn warnings(run: &Run) -> String {
    let boxed = |text: String| format!("<div class=\"box warn\"><p>{}</p></div>\n", prose(&text));
    advice::bad_losses(run).map(boxed).unwrap_or_default()
}

fn tiles(run: &Run) -> String {
    let mut tiles: Vec<(String, String, String)> = Vec::new();
    for metric in run.metrics().iter().take(3) {
        tiles.push((metric.name.clone(), amounts::figures(metric.last().value, 4), best(metric)));
    }
    if tiles.is_empty()
        && let Some(loss) = run.loss()
    {
        tiles.push(("training loss".into(), amounts::figures(loss, 4), "latest".into()));
    }
    let target = match run.target_step() {
        Some(target) if target > run.step() => format!("of {}", amounts::grouped(target)),
        _ => String::new(),
    };
    tiles.push(("global steps".into(), amounts::grouped(run.step()), target));
    let pauses = match run.clock().pauses().len() {
        0 => String::new(),
        times => format!("in {} sittings", times + 1),
    };
    tiles.push(("wall time".into(), amounts::time(run.clock().total()), pauses));
    if let Some(rate) = run.mean_examples_per_second() {
        let examples = i64::try_from(run.examples()).unwrap_or(i64::MAX);
        let told = format!("{} examples", amounts::grouped(examples));
        tiles.push(("examples/s".into(), amounts::rounded(rate), told));
    }
    let tile = |(index, (name, value, note)): (usize, (String, String, String))| {
        let class = match (index, value.as_str()) {
            (_, "NaN" | "inf" | "-inf") => "tile bad",
            (0, _) => "tile first",
            _ => "tile",
        };
        format!(
            "<div class=\"{class}\"><span class=\"name\">{}</span><span class=\"value\">{}</span><span class=\"note\">{}</span></div>\n",
            escape(&name),
            small_units(&value),
            escape(&note)
        )
    };
    tiles.into_iter().enumerate().map(tile).collect()
}

/// Words among numbers are written smaller: `3 min 20 s`.
fn small_units(value: &str) -> String {
    let part = |word: &str| match word.chars().all(char::is_alphabetic)
        && word.len() <= 3
        && word != "NaN"
        && word != "inf"
    {
        true => format!("<small>{}</small>", escape(word)),
        false => escape(word),
    };
    value.split(' ').map(part).collect::<Vec<_>>().join(" ")
}

fn best(metric: &Metric) -> String {
    let last = metric.last();
    match metric.best() {
        Some(best) if best.step != last.step && best.value != last.value => {
            let value = amounts::figures(best.value, 4);
            format!("best {value} at step {}", amounts::grouped(best.step))
        }
        Some(_) if metric.samples.len() > 1 => {
            format!("at step {}, the best", amounts::grouped(last.step))
        }
        _ => format!("at step {}", amounts::grouped(last.step)),
    }
}
