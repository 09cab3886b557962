//! Progress on a terminal: a bar for the steps, a line for each worker, one for the rest of the house.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::news::News;
use super::words::{self, NAMED};
use crate::amounts;
use crate::record::{Run, Task, Time};

/// Drawn at most this often in a second.
const RATE: u8 = 8;

/// The lines on the terminal.
pub struct Bars {
    all: MultiProgress,
    steps: ProgressBar,
    workers: Vec<ProgressBar>,
    house: ProgressBar,
    colours: bool,
}

impl Bars {
    pub fn on_stderr(colours: bool) -> Bars {
        Bars::on(ProgressDrawTarget::stderr_with_hz(RATE), colours)
    }

    pub fn on(target: ProgressDrawTarget, colours: bool) -> Bars {
        let all = MultiProgress::with_draw_target(target);
        let steps = all.add(ProgressBar::new(0));
        let template = match colours {
            true => "{prefix:9.bold} {bar:28.cyan/dim} {wide_msg}",
            false => "{prefix:9} {bar:28} {wide_msg}",
        };
        steps.set_style(style(template).progress_chars("━╸─"));
        steps.set_prefix("training");
        let house = all.add(ProgressBar::new(0));
        house.set_style(quiet(colours));
        Bars { all, steps, workers: Vec::new(), house, colours }
    }

    pub fn update(&mut self, run: &Run, now: Time, news: &[News]) {
        for news in news.iter().filter(|news| !news.minor) {
            // A terminal that is gone does not end a run.
            drop(self.all.println(&news.text));
        }
        let step = u64::try_from(run.step()).unwrap_or(0);
        match run.target_step().and_then(|target| u64::try_from(target).ok()) {
            Some(target) => self.steps.set_length(target.max(step)),
            None => self.steps.unset_length(),
        }
        self.steps.set_position(step);
        let mut parts = vec![words::steps(run)];
        parts.extend(words::state(run, now));
        self.steps.set_message(parts.join("  "));
        self.show_workers(&rows(run, now));
        let house = words::house(run);
        self.house.set_prefix(if house.is_empty() { "" } else { "run" });
        self.house.set_message(house);
    }

    /// Takes the bars away; what was printed above them stays.
    pub fn clear(self) {
        drop(self.all.clear());
    }

    fn show_workers(&mut self, rows: &[(String, String)]) {
        while self.workers.len() < rows.len() {
            let bar = self.all.insert_before(&self.house, ProgressBar::new(0));
            bar.set_style(quiet(self.colours));
            self.workers.push(bar);
        }
        for bar in self.workers.drain(rows.len()..) {
            bar.finish_and_clear();
            self.all.remove(&bar);
        }
        for (bar, (name, words)) in self.workers.iter().zip(rows) {
            bar.set_prefix(name.clone());
            bar.set_message(words.clone());
        }
    }
}

/// A row for each worker; of many, one for all.
fn rows(run: &Run, now: Time) -> Vec<(String, String)> {
    let workers = run.workers();
    match workers.len() {
        // One worker is what the bar shows.
        0 | 1 => Vec::new(),
        ..=NAMED => workers.iter().map(|task| (task.name.clone(), row(task, now))).collect(),
        _ => vec![("workers".into(), words::workers(run, now))],
    }
}

/// `24,000/s  loss 0.081  step 1198  data 12 %`
fn row(task: &Task, now: Time) -> String {
    let mut parts = vec![words::rate(task, now)];
    if let Some(point) = task.last_point() {
        parts.push(format!("loss {}", amounts::figures(point.loss, 3)));
        parts.push(format!("step {}", point.step));
        let split = task.split();
        parts.push(format!("data {}", amounts::percent(split.share(split.data))));
    }
    if task.restarts() > 0 {
        parts.push(amounts::count(u64::from(task.restarts()), "restart"));
    }
    parts.join("  ")
}

fn quiet(colours: bool) -> ProgressStyle {
    style(if colours { "{prefix:9.dim} {wide_msg}" } else { "{prefix:9} {wide_msg}" })
}

/// Our templates are right; if one were not, a plain bar still serves.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
