//! The numbers a store keeps the books of.

use bytes::Bytes;
use downpour_tensor::{Result, Tensor};

use crate::gradient::{Gradient, Named};

/// A server's variables, and how gradients change them. Every call may come from several threads at once.
pub trait Values: Send + Sync + 'static {
    /// What is to be trained: variables and the program that changes them. Called again only with the same.
    fn define(&self, program: &Bytes) -> Result<()>;

    /// Changes variables by their gradients; all or nothing where a gradient does not fit. It counts as so
    /// many steps, which may be none.
    fn apply(&self, gradients: Vec<Named<Gradient>>, steps: u64) -> Result<()>;

    /// A variable's value; later changes do not change what was returned.
    fn get(&self, name: &str) -> Result<Tensor>;

    /// Gives a variable a value.
    fn set(&self, name: &str, value: Tensor) -> Result<()>;

    /// Every variable that has a value.
    fn names(&self) -> Vec<String>;
}
