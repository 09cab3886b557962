//! The numbers a store keeps the books of.

use bytes::Bytes;
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use crate::gradient::{Gradient, Named};
use crate::rows::gather_rows;

/// A server's variables, and how gradients change them. Every call may come from several threads at once.
pub trait Values: Send + Sync + 'static {
    /// What is to be trained: variables and the program that changes them. Called again when variables move.
    fn define(&self, program: &Bytes) -> Result<()>;

    /// Whether [`Values::define`] would take it; nothing changes.
    fn check(&self, _program: &Bytes) -> Result<()> {
        Ok(())
    }

    /// A variable is here no longer.
    fn remove(&self, name: &str) -> Result<()> {
        Err(Status::unimplemented(format!("'{name}' cannot leave this server")))
    }

    /// Changes variables by their gradients; all or nothing where a gradient does not fit. It counts as so
    /// many steps, which may be none.
    fn apply(&self, gradients: Vec<Named<Gradient>>, steps: u64) -> Result<()>;

    /// Whether a variable's gradients are applied by themselves, as each comes, also where the others are averaged.
    fn is_apart(&self, _name: &str) -> bool {
        false
    }

    /// Changes such variables by all of their gradients of one push; all or nothing where one does not fit.
    fn apply_apart(&self, gradients: Vec<Named<Gradient>>) -> Result<()> {
        self.apply(gradients, 0)
    }

    /// A variable's value; later changes do not change what was returned.
    fn get(&self, name: &str) -> Result<Tensor>;

    /// A variable's type and shape.
    fn form(&self, name: &str) -> Result<(DataType, Shape)> {
        self.get(name).map(|value| (value.dtype(), value.shape().clone()))
    }

    /// Rows of a variable, by their numbers.
    fn rows(&self, name: &str, numbers: &Tensor) -> Result<Tensor> {
        gather_rows(name, &self.get(name)?, numbers)
    }

    /// Gives a variable a value.
    fn set(&self, name: &str, value: Tensor) -> Result<()>;

    /// Every variable that has a value.
    fn names(&self) -> Vec<String>;
}
