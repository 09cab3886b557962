//! The tasks' lives as bars over the run's time, with failures, checkpoints and evaluations.

use super::html::escape;
use crate::amounts;
use crate::record::{Run, Task};

/// More lanes than this are not read; those in which something happened come first.
const LANES: usize = 12;

pub fn html(run: &Run) -> String {
    let clock = run.clock();
    let total = clock.total();
    if total <= 0.0 {
        return String::new();
    }
    let tasks = run.tasks();
    let eventful = |task: &&&Task| {
        let failed =
            task.lives.iter().any(|life| life.finished.as_ref().is_some_and(|end| end.failed));
        task.lives.len() > 1 || failed
    };
    let quiet = tasks.iter().filter(|task| !eventful(task));
    let shown: Vec<&Task> = match tasks.len() > LANES {
        true => tasks.iter().filter(eventful).chain(quiet).take(LANES).copied().collect(),
        false => tasks.clone(),
    };
    let share = |time: f64| 100.0 * clock.elapsed(time) / total;
    let lanes: String = shown.iter().map(|task| lane(run, task, &share)).collect();
    let more = match tasks.len() - shown.len() {
        0 => String::new(),
        more => format!(
            "<p class=\"note\">and {} without incident</p>\n",
            amounts::count(more as u64, "task")
        ),
    };
    format!(
        "<ul class=\"legend\"><li><i class=\"area\" style=\"--c:var(--c0)\"></i>at work</li>\
         <li><i class=\"area\" style=\"--c:var(--rest)\"></i>starting</li><li><i class=\"cut\"></i>failed or lost</li>\
         <li><i class=\"saved\"></i>checkpoint</li><li><i class=\"evaluated\"></i>evaluation</li></ul>\n\
         <div class=\"rows lanes\">\n{lanes}<div class=\"row times\"><span class=\"who\"></span>\
         <span class=\"ends\"><span>0</span><span>{}</span></span></div>\n</div>\n{more}",
        amounts::time(total)
    )
}

fn lane(run: &Run, task: &Task, share: &impl Fn(f64) -> f64) -> String {
    let end = run.last_time().unwrap_or(0.0);
    let mut parts = String::new();
    for (index, life) in task.lives.iter().enumerate() {
        let next = task.lives.get(index + 1);
        // Servers tell of their start only: they served until something else is told.
        let last = match (&life.finished, next) {
            (None, None) if task.serves() => end,
            (None, Some(next)) if task.serves() => next.first,
            _ => life.last,
        };
        let (from, ready, to) = (share(life.first), share(life.ready().min(last)), share(last));
        let ready = if task.trains() { ready } else { from };
        parts.push_str(&format!(
            "<i class=\"start\" style=\"left:{from:.2}%;width:{:.2}%\"></i><i class=\"work\" style=\"left:{ready:.2}%;width:{:.2}%\"></i>",
            ready - from,
            to - ready
        ));
        let failed = life.finished.as_ref().is_some_and(|finished| finished.failed);
        let lost =
            life.finished.is_none() && (next.is_some() || (!task.serves() && end - last > 10.0));
        if failed || lost {
            parts.push_str(&format!("<i class=\"cut\" style=\"left:{to:.2}%\"></i>"));
        }
    }
    // A tick at a place; more are not seen.
    let apart = |times: &mut Vec<f64>| times.dedup_by_key(|time| (share(*time) * 4.0) as i64);
    let mut saved: Vec<f64> = task.checkpoints.iter().map(|saved| saved.time).collect();
    let mut evaluated: Vec<f64> = task.evaluations.iter().map(|evaluated| evaluated.time).collect();
    apart(&mut saved);
    apart(&mut evaluated);
    let ticks = |class: &'static str, time: f64| {
        format!("<b class=\"{class}\" style=\"left:{:.2}%\"></b>", share(time))
    };
    parts.extend(saved.into_iter().map(|time| ticks("saved", time)));
    parts.extend(evaluated.into_iter().map(|time| ticks("evaluated", time)));
    format!(
        "<div class=\"row\"><span class=\"who\">{}</span><span class=\"lane\">{parts}</span></div>\n",
        escape(&task.name)
    )
}
