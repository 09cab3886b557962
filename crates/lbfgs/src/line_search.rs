//! A step length along a direction that satisfies the strong Wolfe conditions (Nocedal and Wright, algorithms 3.5 and 3.6).
//!
//! The search is a machine that is told what the loss is and says where to look next, so that evaluations may take place
//! anywhere. It first doubles the step or more until an interval must contain a good one, then narrows it by the minimum of a
//! cubic through both ends. A loss that is not finite counts as very large.
//!
//! ```
//! use downpour_lbfgs::line_search::{LineSearch, Next, Settings};
//! // (a - 3)² from a = 0.
//! let mut search = LineSearch::new(Settings::default(), 9.0, -6.0, 1.0);
//! let mut next = search.first();
//! let found = loop {
//!     match next {
//!         Next::Evaluate(a) => next = search.told((a - 3.0) * (a - 3.0), 2.0 * (a - 3.0)),
//!         Next::Accept(a) => break a,
//!         Next::Fail => panic!("parabolas have a minimum"),
//!     }
//! };
//! assert!((found - 3.0).abs() < 2.7);
//! ```

use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};

/// What a step must achieve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The loss must fall by at least this share of what the slope at the start promises.
    pub sufficient_decrease: f64,
    /// The slope must flatten to at most this share of that at the start.
    pub flattening: f64,
    /// Evaluations before the search gives up.
    pub evaluations: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { sufficient_decrease: 1e-4, flattening: 0.9, evaluations: 20 }
    }
}

impl Settings {
    /// Refuses conditions that not every smooth function has a step for.
    pub fn validate(&self) -> Result<()> {
        let (c1, c2) = (self.sufficient_decrease, self.flattening);
        if !(0.0 < c1 && c1 < c2 && c2 < 1.0) || self.evaluations == 0 {
            return Err(Status::invalid_argument(format!(
                "line search: 0 < sufficient_decrease ({c1}) < flattening ({c2}) < 1 must hold, and evaluations ({}) be at least 1",
                self.evaluations
            )));
        }
        Ok(())
    }
}

/// What the search wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// Tell the loss and the slope at this step.
    Evaluate(f64),
    /// This step is good. It was evaluated, but not always last.
    Accept(f64),
    /// No step was found that lowers the loss.
    Fail,
}

/// A step with what is known of it.
#[derive(Clone, Copy, Debug)]
struct Sample {
    step: f64,
    loss: f64,
    slope: f64,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Steps grow; the last one was not yet too long.
    Bracket { last: Sample },
    /// `low` has the lowest loss so far that falls enough; a good step lies between the two.
    Zoom { low: Sample, high: Sample },
}

/// One search along one direction.
#[derive(Clone, Debug)]
pub struct LineSearch {
    settings: Settings,
    start: Sample,
    phase: Phase,
    step: f64,
    evaluations: u32,
}

impl LineSearch {
    /// A search from a point with this loss and (negative) slope along the direction, trying `first_step` first.
    pub fn new(settings: Settings, loss: f64, slope: f64, first_step: f64) -> LineSearch {
        let start = Sample { step: 0.0, loss, slope };
        let phase = Phase::Bracket { last: start };
        LineSearch { settings, start, phase, step: first_step, evaluations: 0 }
    }

    /// Where to look first.
    pub fn first(&self) -> Next {
        let downhill = self.start.slope < 0.0 && self.start.loss.is_finite();
        if downhill && self.step > 0.0 && self.step.is_finite() {
            Next::Evaluate(self.step)
        } else {
            Next::Fail
        }
    }

    /// Evaluations told so far.
    pub fn evaluations(&self) -> u32 {
        self.evaluations
    }

    /// What the loss and the slope are at the step that was asked for, and where to go from there.
    pub fn told(&mut self, loss: f64, slope: f64) -> Next {
        let known = loss.is_finite() && slope.is_finite();
        let loss = if known { loss } else { f64::INFINITY };
        let here = Sample { step: self.step, loss, slope };
        self.evaluations += 1;
        match self.phase {
            Phase::Bracket { last } => {
                let grew = last.step > 0.0 && here.loss >= last.loss;
                if !self.falls_enough(here) || grew {
                    self.phase = Phase::Zoom { low: last, high: here };
                } else if self.is_flat(here) {
                    return Next::Accept(here.step);
                } else if here.slope >= 0.0 {
                    self.phase = Phase::Zoom { low: here, high: last };
                } else {
                    self.phase = Phase::Bracket { last: here };
                    let guess = cubic_minimum(last, here).unwrap_or(f64::INFINITY);
                    return self.look_at(guess.clamp(2.0 * here.step, 10.0 * here.step));
                }
            }
            Phase::Zoom { low, high } => {
                if !self.falls_enough(here) || here.loss >= low.loss {
                    self.phase = Phase::Zoom { low, high: here };
                } else if self.is_flat(here) {
                    return Next::Accept(here.step);
                } else if here.slope * (high.step - low.step) >= 0.0 {
                    self.phase = Phase::Zoom { low: here, high: low };
                } else {
                    self.phase = Phase::Zoom { low: here, high };
                }
            }
        }
        self.look_between()
    }

    fn falls_enough(&self, here: Sample) -> bool {
        let promised = here.step * self.start.slope;
        here.loss <= self.start.loss + self.settings.sufficient_decrease * promised
    }

    fn is_flat(&self, here: Sample) -> bool {
        here.slope.abs() <= -self.settings.flattening * self.start.slope
    }

    fn look_between(&mut self) -> Next {
        let Phase::Zoom { low, high } = self.phase else { return self.give_up() };
        let (left, right) = (low.step.min(high.step), low.step.max(high.step));
        let width = right - left;
        // The ends themselves would teach nothing; far from both, each round takes at least a tenth away.
        let inside = left + 0.1 * width..=right - 0.1 * width;
        let guess = cubic_minimum(low, high).filter(|guess| inside.contains(guess));
        let guess = guess.unwrap_or(left + 0.5 * width);
        if guess <= left || guess >= right {
            return self.give_up();
        }
        self.look_at(guess)
    }

    fn look_at(&mut self, step: f64) -> Next {
        if self.evaluations >= self.settings.evaluations || !step.is_finite() {
            return self.give_up();
        }
        self.step = step;
        Next::Evaluate(step)
    }

    /// The best step that lowers the loss enough, though its slope is still steep, or none.
    fn give_up(&self) -> Next {
        let best = match self.phase {
            Phase::Bracket { last } => last,
            Phase::Zoom { low, .. } => low,
        };
        if best.step > 0.0 && best.loss < self.start.loss {
            Next::Accept(best.step)
        } else {
            Next::Fail
        }
    }
}

/// Where the cubic with these losses and slopes at its ends is lowest; nothing if it has no minimum.
fn cubic_minimum(a: Sample, b: Sample) -> Option<f64> {
    let distance = b.step - a.step;
    let d1 = a.slope + b.slope - 3.0 * (a.loss - b.loss) / (a.step - b.step);
    let square = d1 * d1 - a.slope * b.slope;
    if square.is_nan() || square < 0.0 {
        return None;
    }
    let d2 = square.sqrt().copysign(distance);
    let found = b.step - distance * (b.slope + d2 - d1) / (b.slope - a.slope + 2.0 * d2);
    found.is_finite().then_some(found)
}

#[cfg(test)]
mod tests;
