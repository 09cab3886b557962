//! The optimizer: one iteration after the other by commands.
//!
//! Protocol, from which it follows that any call may fail, or the coordinator die, at any time without harm:
//! 1. A [`State`] names the vectors that matter: the point of one side, and the pairs in some slots.
//! 2. During an iteration only others are written: direction, point and gradient of the other side, the free slot.
//! 3. At its end the state changes, all at once and only here: sides swap, the new pair is kept.
//! 4. Everything else that is known (loss, inner products) can be computed again from what the state names. That is
//!    done at the first iteration and after every failure.
//!
//! Whoever wants to survive the coordinator's death saves the state after each iteration, before the next begins.

use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};

use crate::history::{Basis, History};
use crate::line_search::{LineSearch, Next};
use crate::{Command, Iteration, Settings, Side, Stop, Summary, Vector, VectorSpace};

/// What must be kept to go on after the coordinator was lost; the vectors it names are on the servers (or in their snapshot).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Where the current point is.
    pub side: Side,
    /// Slots of the pairs in use, oldest first.
    pub slots: Vec<u32>,
    /// Iterations made.
    pub iterations: u64,
    /// Evaluations made.
    pub evaluations: u64,
}

/// L-BFGS over a [`VectorSpace`].
#[derive(Clone, Debug)]
pub struct Lbfgs {
    settings: Settings,
    side: Side,
    history: History,
    iterations: u64,
    evaluations: u64,
    /// Loss at the current point and all inner products, unless something failed since.
    known: Option<f64>,
}

/// A step that a line search found.
struct Found {
    step: f64,
    loss: f64,
}

impl Lbfgs {
    /// An optimization from the point in `Vector::Point(Side::A)`.
    pub fn new(settings: Settings) -> Result<Lbfgs> {
        Lbfgs::resume(settings, State::default())
    }

    /// Goes on from a saved state.
    pub fn resume(settings: Settings, state: State) -> Result<Lbfgs> {
        settings.validate()?;
        let history = History::new(settings.history, state.slots)?;
        let State { side, iterations, evaluations, .. } = state;
        Ok(Lbfgs { settings, side, history, iterations, evaluations, known: None })
    }

    /// What to save, true between iterations.
    pub fn state(&self) -> State {
        State {
            side: self.side,
            slots: self.history.slots().to_vec(),
            iterations: self.iterations,
            evaluations: self.evaluations,
        }
    }

    /// The vector that holds the parameters now.
    pub fn point(&self) -> Vector {
        Vector::Point(self.side)
    }

    /// The vector that holds the gradient there.
    pub fn gradient(&self) -> Vector {
        Vector::Gradient(self.side)
    }

    /// Iterates until something says stop. `observe` sees every iteration, with the state to save; its error ends the run.
    pub async fn minimize<S: VectorSpace>(
        &mut self,
        space: &mut S,
        mut observe: impl FnMut(&Iteration, &State) -> Result<()> + Send,
    ) -> Result<Summary> {
        loop {
            let iteration = self.iterate(space).await?;
            observe(&iteration, &self.state())?;
            if let Some(stop) = iteration.stop {
                return Ok(Summary {
                    stop,
                    loss: iteration.loss,
                    gradient_norm: iteration.gradient_norm,
                    iterations: self.iterations,
                    evaluations: self.evaluations,
                });
            }
        }
    }

    /// One iteration. After an error, or when the future was dropped, it may be called again: it begins anew where the
    /// last finished iteration ended.
    pub async fn iterate<S: VectorSpace>(&mut self, space: &mut S) -> Result<Iteration> {
        let before = self.evaluations;
        let loss = match self.known.take() {
            Some(loss) => loss,
            None => self.look_around(space).await?,
        };
        let mut report = Iteration {
            number: self.iterations,
            loss,
            gradient_norm: self.gradient_norm(),
            step: 0.0,
            evaluations: 0,
            restarted: false,
            stop: None,
        };
        let stop = if report.gradient_norm <= self.settings.gradient_norm {
            Some(Stop::GradientNorm)
        } else if self.iterations >= self.settings.iterations {
            Some(Stop::Iterations)
        } else {
            None
        };
        if stop.is_some() {
            self.known = Some(loss);
            return Ok(Iteration {
                evaluations: (self.evaluations - before) as u32,
                stop,
                ..report
            });
        }

        let mut found = self.search(space, loss, false).await?;
        if found.is_none() && !self.history.slots().is_empty() {
            report.restarted = true;
            found = self.search(space, loss, true).await?;
        }
        let Some(found) = found else {
            self.known = Some(loss);
            report.evaluations = (self.evaluations - before) as u32;
            return Ok(Iteration { stop: Some(Stop::NoProgress), ..report });
        };
        self.arrive(space, report.restarted).await?;
        self.known = Some(found.loss);
        report.number = self.iterations;
        report.loss = found.loss;
        report.step = found.step;
        report.gradient_norm = self.gradient_norm();
        report.evaluations = (self.evaluations - before) as u32;
        let size = loss.abs().max(found.loss.abs()).max(1.0);
        report.stop = if report.gradient_norm <= self.settings.gradient_norm {
            Some(Stop::GradientNorm)
        } else if loss - found.loss <= self.settings.relative_decrease * size {
            Some(Stop::RelativeDecrease)
        } else if self.iterations >= self.settings.iterations {
            Some(Stop::Iterations)
        } else {
            None
        };
        Ok(report)
    }

    fn gradient_norm(&self) -> f64 {
        self.history.product(Basis::Gradient, Basis::Gradient).sqrt()
    }

    /// Learns loss, gradient and all inner products at the current point.
    async fn look_around<S: VectorSpace>(&mut self, space: &mut S) -> Result<f64> {
        let loss = space.evaluate(self.point(), self.gradient()).await?;
        self.evaluations += 1;
        let pairs = self.history.unknown(&self.history.everything());
        let answers = space.execute(&History::questions(&pairs, self.gradient())).await?;
        self.history.learn(&pairs, &answers)?;
        if !(loss.is_finite() && self.gradient_norm().is_finite()) {
            return Err(Status::failed_precondition(format!(
                "L-BFGS: at {} the loss is {loss} and its gradient has length {}; start from a point where both are finite",
                self.point(),
                self.gradient_norm()
            )));
        }
        Ok(loss)
    }

    /// Sets the direction, straight downhill or by the history, and looks along it; afterwards the other side holds the
    /// point that was found.
    async fn search<S: VectorSpace>(
        &mut self,
        space: &mut S,
        loss: f64,
        downhill: bool,
    ) -> Result<Option<Found>> {
        let (here, gradient) = (self.point(), self.gradient());
        let downhill = downhill || self.history.slots().is_empty();
        let direction =
            if downhill { vec![(-1.0, Basis::Gradient)] } else { self.history.direction() };
        let terms = direction.into_iter().map(|(factor, basis)| match basis {
            Basis::Step(slot) => (factor, Vector::Step(slot)),
            Basis::Change(slot) => (factor, Vector::Change(slot)),
            Basis::Gradient => (factor, gradient),
        });
        let terms: Vec<_> = terms.filter(|(factor, _)| *factor != 0.0).collect();
        if !terms.iter().all(|(factor, _)| factor.is_finite()) {
            return Ok(None);
        }
        // Nothing is known of the curvature at first, so the first step has length one at most; later ones are scaled.
        let first = if downhill { self.gradient_norm().recip().min(1.0) } else { 1.0 };
        let other = Vector::Point(self.side.other());
        let go = |step: f64| Command::Combine {
            to: other,
            terms: vec![(1.0, here), (step, Vector::Direction)],
        };
        let answers = space
            .execute(&[
                Command::Combine { to: Vector::Direction, terms },
                go(first),
                Command::Dot { a: gradient, b: Vector::Direction },
            ])
            .await?;
        let slope = one(&answers)?;

        let mut search = LineSearch::new(self.settings.line_search, loss, slope, first);
        let mut next = search.first();
        let mut at = Found { step: first, loss: f64::NAN };
        loop {
            match next {
                Next::Evaluate(step) => {
                    if step != at.step {
                        space.execute(&[go(step)]).await?;
                    }
                    let (loss, slope) = self.look(space).await?;
                    at = Found { step, loss };
                    next = search.told(loss, slope);
                }
                Next::Accept(step) => {
                    // The search may have looked further before it came back to this one.
                    if step != at.step {
                        space.execute(&[go(step)]).await?;
                        at = Found { step, loss: self.look(space).await?.0 };
                    }
                    return Ok(Some(at));
                }
                Next::Fail => return Ok(None),
            }
        }
    }

    /// Loss at the other side's point, and its slope along the direction.
    async fn look<S: VectorSpace>(&mut self, space: &mut S) -> Result<(f64, f64)> {
        let (point, gradient) =
            (Vector::Point(self.side.other()), Vector::Gradient(self.side.other()));
        let loss = space.evaluate(point, gradient).await?;
        self.evaluations += 1;
        let slope = space.execute(&[Command::Dot { a: gradient, b: Vector::Direction }]).await?;
        Ok((loss, one(&slope)?))
    }

    /// Writes the new pair and learns its inner products; then the other side is where we are. After a restart the new pair
    /// is the only one; until then the old ones stay what the last state says they are.
    async fn arrive<S: VectorSpace>(&mut self, space: &mut S, restarted: bool) -> Result<()> {
        let slot = self.history.free_slot();
        let other = self.side.other();
        let (step, change) = (Basis::Step(slot), Basis::Change(slot));
        let pairs = self.history.unknown(&[step, change, Basis::Gradient]);
        let mut commands = vec![
            Command::Combine {
                to: Vector::Step(slot),
                terms: vec![(1.0, Vector::Point(other)), (-1.0, self.point())],
            },
            Command::Combine {
                to: Vector::Change(slot),
                terms: vec![(1.0, Vector::Gradient(other)), (-1.0, self.gradient())],
            },
        ];
        commands.extend(History::questions(&pairs, Vector::Gradient(other)));
        let answers = space.execute(&commands).await?;
        self.history.learn(&pairs, &answers)?;

        if restarted {
            self.history.clear();
        }
        let curvature = self.history.product(step, change);
        let lengths =
            (self.history.product(step, step) * self.history.product(change, change)).sqrt();
        if curvature > 0.0 && curvature >= self.settings.curvature * lengths {
            self.history.keep(slot);
        }
        self.side = other;
        self.iterations += 1;
        Ok(())
    }
}

fn one(answers: &[f64]) -> Result<f64> {
    match answers {
        [answer] => Ok(*answer),
        _ => Err(Status::internal(format!("one number was asked for and {} given", answers.len()))),
    }
}
