//! The gradients of one step, until everybody's are there.

use std::collections::BTreeMap;

use downpour_tensor::Result;

use crate::gradient::{Gradient, Named};

/// What has come for the step that is next.
#[derive(Default)]
pub(crate) struct Sums {
    /// Whose gradients are in it.
    pub workers: Vec<u32>,
    sums: BTreeMap<String, Gradient>,
    /// Most steps of local work in one contribution.
    pub steps: u64,
}

impl Sums {
    /// Adds a worker's; on an error nothing of it is in.
    pub fn add(&mut self, worker: u32, gradients: Vec<Named<Gradient>>, steps: u64) -> Result<()> {
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
        self.workers.push(worker);
        self.steps = self.steps.max(steps);
        Ok(())
    }

    /// The averages, and nothing is left.
    pub fn take(&mut self) -> Result<(Vec<Named<Gradient>>, u64)> {
        let share = 1.0 / self.workers.len().max(1) as f64;
        let mut sums = std::mem::take(&mut self.sums);
        for gradient in sums.values_mut() {
            gradient.scale(share)?;
        }
        self.workers.clear();
        Ok((sums.into_iter().collect(), std::mem::take(&mut self.steps)))
    }
}
