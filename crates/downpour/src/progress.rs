//! The live display of a run: bars on a terminal, plain lines elsewhere, both on standard error.
//!
//! Standard output stays free for data (`--json`). The display draws what a [`Run`] knows at a moment, so whoever
//! follows the run's files can show it:
//!
//! ```no_run
//! # use downpour::{progress::Display, record::{Run, Tail}};
//! # fn now() -> f64 { 0.0 }
//! # fn main() -> std::io::Result<()> {
//! let folder = std::path::Path::new("runs/mnist");
//! let (mut run, mut tail) = (Run::new(folder), Tail::new(folder));
//! let mut display = Display::on_stderr();
//! for _ in 0..100 {
//!     run.follow(&mut tail)?;
//!     display.update(&run, now());
//!     std::thread::sleep(std::time::Duration::from_millis(200));
//! }
//! display.finish(&run, now());
//! # Ok(())
//! # }
//! ```

mod bars;
mod lines;
mod news;
pub mod summary;
#[cfg(test)]
mod tests;
mod words;

use std::io::{IsTerminal, Write};

use crate::record::{Run, Time};
use bars::Bars;
use lines::Lines;
use news::Told;

/// Shows a run while it goes on.
pub struct Display {
    shown: Shown,
    told: Told,
}

enum Shown {
    Bars(Bars),
    Lines(Lines),
}

impl Display {
    /// Bars if standard error is a terminal that can draw them, plain lines if not.
    pub fn on_stderr() -> Display {
        let drawable = std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb");
        match std::io::stderr().is_terminal() && drawable {
            true => Display::bars(Bars::on_stderr(colours())),
            false => Display::lines(),
        }
    }

    /// Plain lines, wherever they go.
    pub fn lines() -> Display {
        Display { shown: Shown::Lines(Lines::default()), told: Told::default() }
    }

    fn bars(bars: Bars) -> Display {
        Display { shown: Shown::Bars(bars), told: Told::default() }
    }

    /// Shows what the run knows now. To be called a few times a second; plain lines come more rarely.
    pub fn update(&mut self, run: &Run, now: Time) {
        let news = self.told.news(run);
        match &mut self.shown {
            Shown::Bars(bars) => bars.update(run, now, &news),
            Shown::Lines(lines) => print(&lines.update(run, now, &news)),
        }
    }

    /// Shows the last news, takes the bars away and leaves a summary.
    pub fn finish(mut self, run: &Run, now: Time) {
        self.update(run, now);
        if let Shown::Bars(bars) = self.shown {
            bars.clear();
        }
        print(&[summary::text(run)]);
    }
}

/// Whether colours are wanted: <https://no-color.org>.
fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A standard error that is gone does not end a run.
fn print(lines: &[String]) {
    let mut text = lines.join("\n");
    if !text.is_empty() {
        text.push('\n');
        drop(std::io::stderr().lock().write_all(text.as_bytes()));
    }
}
