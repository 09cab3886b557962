//! The gradient of an evaluation while its units come in.
//!
//! Every unit is added once: the first contribution counts, later ones are dropped. They are all the same, since
//! a contribution depends on nothing but the evaluation's point and the unit; so it does not matter if the first
//! at one server is a replica's and at another its copy's. Evaluations are ordered: a newer one ends those before
//! it, and what comes for one that is over is dropped.
//!
//! Sums are float64, so that the order in which units arrive is hardly seen in float32.

use std::sync::Arc;

use downpour_tensor::{Result, Status};

use super::arithmetic::add_to;
use super::layout::Layout;
use super::messages::{Contribute, Evaluation};
use crate::gradient::{Gradient, Named};

/// More units than this would be a mistake.
pub(crate) const MAX_UNITS: u64 = 1 << 20;

#[derive(Default)]
pub(crate) struct Gather {
    evaluation: Evaluation,
    /// Whether the evaluation is over, or none has begun.
    over: bool,
    layout: Option<Arc<Layout>>,
    there: Vec<bool>,
    count: u64,
    sums: Vec<Vec<f64>>,
}

impl Gather {
    /// Adds a unit's; false if it was there already, or its evaluation is over. On an error nothing of it is in.
    pub fn add(
        &mut self,
        layout: &Arc<Layout>,
        contribution: &Contribute,
        gradients: &[Named<Gradient>],
    ) -> Result<bool> {
        let Contribute { evaluation, unit, units } = *contribution;
        if units > MAX_UNITS || unit >= units {
            return Err(Status::invalid_argument(format!("there is no unit {unit} of {units}")));
        }
        if evaluation < self.evaluation || evaluation == self.evaluation && self.over {
            return Ok(false);
        }
        let mut places = Vec::with_capacity(gradients.len());
        let mut missing = vec![true; layout.names.len()];
        for (name, gradient) in gradients {
            let place = layout.place_of(name, gradient)?;
            if !std::mem::replace(&mut missing[place], false) {
                return Err(Status::invalid_argument(format!("two gradients of '{name}'")));
            }
            places.push(place);
        }
        if let Some(place) = missing.iter().position(|&missing| missing) {
            return Err(Status::invalid_argument(format!(
                "the gradient of '{}' is missing; where the loss does not depend on it, send zeros",
                layout.names[place]
            )));
        }
        if evaluation > self.evaluation || !self.is_of(layout) {
            self.begin(layout, evaluation, units);
        }
        if self.there.len() as u64 != units {
            return Err(Status::invalid_argument(format!(
                "this evaluation has {} units, not {units}",
                self.there.len()
            )));
        }
        if std::mem::replace(&mut self.there[unit as usize], true) {
            return Ok(false);
        }
        for (&place, (_, gradient)) in places.iter().zip(gradients) {
            add(&mut self.sums[place], gradient)?;
        }
        self.count += 1;
        Ok(true)
    }

    fn is_of(&self, layout: &Arc<Layout>) -> bool {
        self.layout.as_ref().is_some_and(|own| Arc::ptr_eq(own, layout))
    }

    fn begin(&mut self, layout: &Arc<Layout>, evaluation: Evaluation, units: u64) {
        if self.is_of(layout) {
            self.sums.iter_mut().for_each(|sum| sum.fill(0.0));
        } else {
            self.sums = layout.zeros.iter().map(|zero| vec![0.0; zero.len()]).collect();
            self.layout = Some(layout.clone());
        }
        self.evaluation = evaluation;
        self.over = false;
        self.there.clear();
        self.there.resize(units as usize, false);
        self.count = 0;
    }

    /// The sums of an evaluation, if all of its units are here.
    pub fn whole(
        &self,
        layout: &Arc<Layout>,
        evaluation: Evaluation,
        units: u64,
    ) -> Option<&[Vec<f64>]> {
        let whole = self.evaluation == evaluation
            && !self.over
            && self.is_of(layout)
            && self.there.len() as u64 == units
            && self.count == units;
        whole.then_some(&self.sums[..])
    }

    /// Nothing more is taken for it.
    pub fn close(&mut self) {
        self.over = true;
    }
}

/// What was checked to fit is added.
fn add(sums: &mut [f64], gradient: &Gradient) -> Result<()> {
    match gradient {
        Gradient::Dense(value) => add_to(sums, value),
        Gradient::Sparse { indices, rows } => {
            let numbers = indices.to_i64_vec()?;
            let width = rows.len() / numbers.len().max(1);
            for (place, row) in numbers.into_iter().enumerate() {
                let from = row as usize * width;
                let part = rows.rows(place, place + 1)?;
                if let Some(sums) = sums.get_mut(from..from + width) {
                    add_to(sums, &part)?;
                }
            }
            Ok(())
        }
    }
}
