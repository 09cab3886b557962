//! Float functions written so that loops over them vectorise, and the trait under which rows use
//! them for float, double and complex alike.

mod complex;
mod exponential;
mod function;
mod hyperbolic;
mod logarithm;

pub(crate) use function::{Function, Logarithm, RealFunction};
