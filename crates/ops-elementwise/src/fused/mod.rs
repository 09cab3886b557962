//! Chains of element-wise operations in one pass over memory.
//!
//! `_FusedElementwise(inputs: N * T) -> (output: T)` runs a small program over blocks that stay in
//! the first-level cache: only the inputs are read from and only the result is written to memory. A
//! graph pass that finds a chain of fusable operations writes the program:
//!
//! ```
//! use downpour_ops_elementwise::fused::{Operand, Step, fusable, program};
//! // max(x * y + 1, 0)
//! assert_eq!(fusable("Relu").unwrap().arity, 1);
//! let steps = [
//!     Step::new("Mul", [Operand::Input(0), Operand::Input(1)]),
//!     Step::new("AddV2", [Operand::Step(0), Operand::Constant(1.0)]),
//!     Step::new("Relu", [Operand::Step(1)]),
//! ];
//! assert_eq!(program(&steps), ["Mul i0 i1", "AddV2 s0 c1", "Relu s1"]);
//! ```
//!
//! The last step is the result. Steps compute what the single operations would, whatever the shapes:
//! operands of the result's shape and single elements run block by block, anything else falls back
//! to one operation after the other. So a pass need not know shapes, only what is worth fusing.

mod kernel;
mod rows;
mod steps;

pub(crate) use kernel::register;
pub use rows::{Fusable, fusable};
pub use steps::{Operand, Step, program};
