//! Runs a subgraph: a flat plan made once, and steps that walk it.
//!
//! `plan` holds the arrays a step walks; `iteration` is the
//! state of one iteration of one frame; `run` is one execution; `propagate` carries outputs to the
//! nodes that wait for them; `function` makes library functions callable, `load` whole graphs; `straight`
//! turns short loops into single nodes.

mod function;
mod iteration;
mod load;
mod plan;
mod propagate;
mod run;
mod straight;

pub use function::FunctionRuntime;
pub use load::{GraphLoader, LoadedGraph};
pub use plan::{KernelCache, Plan};
pub use run::{Completion, Run, RunOptions};
pub use straight::Straight;
