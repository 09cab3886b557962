//! Dataflow graphs: operation definitions as data, nodes, shape inference and differentiation rules.

mod attr;
mod builder;
mod gradient;
mod graph;
mod node;
mod op_def;
mod partial_shape;
mod registry;
mod shape_inference;
pub mod shapes;
mod signature;
mod types;

pub use attr::{AttrValue, Attrs, Function};
pub use builder::GraphBuilder;
pub use gradient::{Gradient, GradientContext, GradientFn, GradientRule};
pub use graph::{Graph, VersionInfo};
pub use node::{EdgeType, Endpoint, Node, NodeId};
pub use op_def::{ArgDef, ArgType, AttrDef, AttrType, OpDef};
pub use partial_shape::{Dim, PartialShape, merge_dim};
pub use registry::{OpRegistry, OpSpec};
pub use shape_inference::{ShapeContext, ShapeFn};
pub use signature::parse_signature;
