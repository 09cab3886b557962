//! What parts of a model leave behind for whoever trains it: updates and regularization losses.

use downpour_graph::{Endpoint, NodeId};
use downpour_tensor::Result;

use super::Graph;
use crate::output::{Operation, Output};

/// Nodes gathered while a model is built.
#[derive(Default)]
pub(crate) struct GatheredNodes {
    updates: Vec<NodeId>,
    regularization: Vec<Endpoint>,
}

impl Graph {
    /// Asks for an operation to be run with every training step, as batch normalisation does for its moving
    /// averages.
    pub fn add_update(&self, update: &Operation) -> Result<()> {
        self.expect_own(update.graph(), &update.name())?;
        self.lock().gathered.updates.push(update.id());
        Ok(())
    }

    /// The operations that are to be run with every training step, besides the optimizer's.
    pub fn updates(&self) -> Vec<Operation> {
        let ids = self.lock().gathered.updates.clone();
        ids.into_iter().map(|id| Operation::new(self, id)).collect()
    }

    /// Adds a scalar to what training is to keep small besides the loss.
    pub fn add_regularization_loss(&self, loss: &Output) -> Result<()> {
        self.expect_own(loss.graph(), &loss.name())?;
        self.lock().gathered.regularization.push(loss.endpoint());
        Ok(())
    }

    /// What regularizers of layers have added, in the order they did.
    pub fn regularization_losses(&self) -> Vec<Output> {
        let ends = self.lock().gathered.regularization.clone();
        ends.into_iter().map(|end| Output::new(self, end)).collect()
    }
}
