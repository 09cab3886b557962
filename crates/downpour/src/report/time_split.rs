//! Where the workers' time went, as stacked bars with a sentence.

use super::SINGLE_ROWS;
use super::html::{details, escape, prose};
use crate::record::{Run, Split, Task};
use crate::{advice, amounts};

/// Words for the parts of [`Split`], in their order.
const MEANINGS: [(&str, &str); 7] = [
    ("step", "training steps"),
    ("exchange", "exchanging, waiting for others"),
    ("data", "waiting for data"),
    ("evaluation", "evaluation"),
    ("checkpoint", "checkpoints"),
    ("start", "starting"),
    ("other", "other"),
];

pub fn html(run: &Run) -> String {
    let workers: Vec<&Task> =
        run.workers().into_iter().filter(|task| task.split().total() > 0.0).collect();
    let Some(sentence) = advice::time(run).filter(|_| !workers.is_empty()) else {
        return String::new();
    };
    let rows: String = match workers.len() > SINGLE_ROWS {
        true => {
            let all = row("all workers", &run.split());
            all + &chosen(&workers).into_iter().map(of_task).collect::<String>()
        }
        false => workers.iter().map(|task| of_task(task)).collect(),
    };
    let every = match workers.len() > SINGLE_ROWS {
        true => {
            let rows: String = workers.iter().map(|task| of_task(task)).collect();
            details("every worker", &format!("<div class=\"rows split\">\n{rows}</div>"))
        }
        false => String::new(),
    };
    format!(
        "<p class=\"advice\">{}</p>\n{}<div class=\"rows split\">\n{rows}</div>\n{every}",
        prose(&sentence),
        legend()
    )
}

/// What the colours mean.
pub fn legend() -> String {
    let entry = |(class, meaning)| format!("<li><i class=\"{class}\"></i>{meaning}</li>");
    format!("<ul class=\"legend parts\">{}</ul>\n", MEANINGS.map(entry).concat())
}

/// The chief, and those who spent the least and the most of their time on steps.
fn chosen<'a>(workers: &[&'a Task]) -> Vec<&'a Task> {
    let useful = |task: &Task| {
        let split = task.split();
        split.share(split.step)
    };
    let mut sorted: Vec<&Task> = workers.iter().skip(1).copied().collect();
    sorted.sort_by(|left, right| useful(left).total_cmp(&useful(right)));
    let number = sorted.len();
    let ends = sorted.iter().take(3).chain(sorted.iter().skip(number.saturating_sub(2).max(3)));
    workers.iter().take(1).chain(ends).copied().collect()
}

fn of_task(task: &Task) -> String {
    row(&task.name, &task.split())
}

/// A bar of all parts of a time.
pub fn row(name: &str, split: &Split) -> String {
    let part = |(class, seconds): (&str, f64)| match seconds > 0.0 {
        true => {
            let share = split.share(seconds);
            // Words only where they fit.
            let words = if share >= 0.08 {
                format!("<span>{}</span>", amounts::percent(share))
            } else {
                String::new()
            };
            let title =
                format!("{class}: {} ({})", amounts::time(seconds), amounts::percent(share));
            format!(
                "<i class=\"{class}\" style=\"width:{:.2}%\" title=\"{title}\">{words}</i>",
                100.0 * share
            )
        }
        false => String::new(),
    };
    let parts: String = split.parts().into_iter().map(part).collect();
    format!(
        "<div class=\"row\"><span class=\"who\">{}</span><span class=\"stack\">{parts}</span><span class=\"what\">{}</span></div>\n",
        escape(name),
        amounts::time(split.total())
    )
}
