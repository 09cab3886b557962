//! The gradients of one step, until everybody's are there.

use std::collections::BTreeMap;

use downpour_tensor::{Result, Tensor};

use crate::gradient::{Gradient, Named};

/// Variables' values before something was set; `None` where there was none.
pub(crate) type Olds = Vec<Named<Option<Tensor>>>;

/// What has come for the step that is next.
#[derive(Default)]
pub(crate) struct Sums {
    /// How many gradients are in it.
    count: u32,
    /// How many workers have handed in their part of the step: a gradient, or that their examples are in the values
    /// already.
    pub present: u32,
    sums: BTreeMap<String, Gradient>,
    /// Most steps of local work in one contribution.
    pub steps: u64,
    /// What was set with the gradients in it had these values before: with a snapshot's values belong these.
    pub olds: BTreeMap<String, Option<Tensor>>,
}

impl Sums {
    /// Adds a worker's; on an error nothing of it is in.
    pub fn add(&mut self, gradients: Vec<Named<Gradient>>, steps: u64, olds: Olds) -> Result<()> {
        // Gradients that do not fit are found before any is added.
        for (name, gradient) in &gradients {
            if let Some(sum) = self.sums.get(name) {
                sum.fits(gradient, name)?;
            }
        }
        for (name, gradient) in gradients {
            match self.sums.get_mut(&name) {
                Some(sum) => sum.add(gradient)?,
                None => drop(self.sums.insert(name, gradient)),
            }
        }
        for (name, old) in olds {
            self.olds.entry(name).or_insert(old);
        }
        self.count += 1;
        self.present += 1;
        self.steps = self.steps.max(steps);
        Ok(())
    }

    /// A worker takes part in the step without a gradient.
    pub fn add_nothing(&mut self) {
        self.present += 1;
    }

    /// Returns the averages and the steps they count as, and leaves nothing behind; `None` if no worker had a gradient.
    pub fn take(&mut self) -> Result<Option<(Vec<Named<Gradient>>, u64)>> {
        let Sums { count, mut sums, steps, .. } = std::mem::take(self);
        if count == 0 {
            return Ok(None);
        }
        let share = 1.0 / f64::from(count);
        for gradient in sums.values_mut() {
            gradient.scale(share)?;
        }
        Ok(Some((sums.into_iter().collect(), steps)))
    }
}
