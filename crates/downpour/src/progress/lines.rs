//! Progress as plain lines, for log files and pipes: every few seconds at first, more rarely in long runs, and
//! at each tenth of the way.

use super::news::News;
use super::words;
use crate::record::{Outcome, Run, Time};

/// Never two lines within this time.
const LEAST: f64 = 1.0;

/// When the last line was written.
#[derive(Default)]
pub struct Lines {
    begun: Option<Time>,
    last: Option<Time>,
    last_step: i64,
    tenths: i64,
}

impl Lines {
    /// The lines due now.
    pub fn update(&mut self, run: &Run, now: Time, news: &[News]) -> Vec<String> {
        let mut lines: Vec<String> = news.iter().map(|news| news.text.clone()).collect();
        if self.due(run, now) {
            lines.push(line(run, now));
        }
        lines
    }

    fn due(&mut self, run: &Run, now: Time) -> bool {
        // Nothing to tell before the first step; after the last, the summary does.
        if run.loss().is_none() || run.outcome() != Outcome::Open {
            return false;
        }
        let begun = *self.begun.get_or_insert(now);
        let since = self.last.map_or(f64::INFINITY, |last| now - last);
        let step = run.step();
        let tenths = match run.target_step() {
            Some(target) if target > 0 => (i128::from(step) * 10 / i128::from(target)) as i64,
            _ => 0,
        };
        let rarely = match now - begun {
            ..60.0 => 5.0,
            ..600.0 => 15.0,
            _ => 60.0,
        };
        let due = since >= rarely || (tenths != self.tenths && since >= LEAST);
        // A run that stands still is told of, too, but not every time.
        let due = due && (step != self.last_step || since >= 60.0);
        if due {
            (self.last, self.last_step, self.tenths) = (Some(now), step, tenths);
        }
        due
    }
}

/// `step 1200/4000  loss 0.083  48,200 examples/s  eta 00:21  worker/0 24,000/s worker/1 24,200/s`
pub fn line(run: &Run, now: Time) -> String {
    let mut parts = vec![format!("step {}", words::steps(run))];
    parts.extend(words::state(run, now));
    parts.extend(Some(words::workers(run, now)).filter(|words| !words.is_empty()));
    parts.join("  ")
}
