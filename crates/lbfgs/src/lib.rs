//! Sandblaster's coordinator (Dean et al. 2012) as pure code: L-BFGS that never holds the parameters, and the division of a batch into units of work.
//!
//! The vectors live elsewhere, on parameter servers. [`Lbfgs`] tells a [`VectorSpace`] what to do with them and sees only
//! numbers: losses and inner products. Its direction is computed from inner products alone (vector-free L-BFGS, Chen, Wang
//! and Zhou 2014), so an iteration costs each server two messages and at most two per evaluation, however long the history.
//! [`Schedule`] hands the parts of a batch to replicas, so that a slow one does not hold up the others.
//!
//! ```
//! use downpour_lbfgs::{Lbfgs, LocalSpace, Settings};
//!
//! // (x - 3)² + 10 (y + 1)², on two shards.
//! let mut space = LocalSpace::new(2, &[0.0, 0.0], |x: &[f64], gradient: &mut [f64]| {
//!     gradient.copy_from_slice(&[2.0 * (x[0] - 3.0), 20.0 * (x[1] + 1.0)]);
//!     (x[0] - 3.0).powi(2) + 10.0 * (x[1] + 1.0).powi(2)
//! });
//! let mut lbfgs = Lbfgs::new(Settings::default())?;
//! let summary = space.minimize(&mut lbfgs)?;
//! assert!(summary.loss < 1e-10);
//! let found = space.read(lbfgs.point())?;
//! assert!((found[0] - 3.0).abs() < 1e-5 && (found[1] + 1.0).abs() < 1e-5);
//! # Ok::<(), downpour_tensor::Status>(())
//! ```
#![warn(missing_docs)]

mod history;
mod iteration;
mod lbfgs;
pub mod line_search;
mod local;
mod settings;
mod shard;
pub mod units;
mod vector_space;

pub use iteration::{Iteration, Stop, Summary};
pub use lbfgs::{Lbfgs, State};
pub use local::LocalSpace;
pub use settings::Settings;
pub use shard::{Shard, merge};
pub use units::Schedule;
pub use vector_space::{Command, Side, Vector, VectorSpace};
