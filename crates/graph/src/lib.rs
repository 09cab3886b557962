//! Dataflow graphs: operation definitions as data, nodes, shape inference and differentiation rules.

mod attr;
pub mod attr_proto;
mod builder;
mod device_name;
pub mod differentiate;
mod export;
#[cfg(test)]
mod fixture;
pub mod frames;
mod function;
mod functional;
mod gradient;
mod graph;
mod import;
mod node;
mod op_def;
mod op_def_proto;
mod partial_shape;
mod partition;
pub mod passes;
mod placement;
mod registry;
mod shape_inference;
pub mod shapes;
mod signature;
mod splat;
mod static_shape;
mod types;

pub use attr::{AttrValue, Attrs, Function};
pub use attr_proto::attrs_to_proto;
pub use builder::GraphBuilder;
pub use device_name::DeviceName;
pub use export::{export_graph, export_graph_from};
pub use function::{FunctionGraph, FunctionLibrary, graph_to_function};
pub use functional::{BuiltFunction, FunctionBuilder, add_if, add_while};
pub use gradient::{Gradient, GradientContext, GradientFn, GradientRule};
pub use graph::{Graph, VersionInfo};
pub use import::import_graph;
pub use node::{EdgeType, Endpoint, Node, NodeId};
pub use op_def::{ArgDef, ArgType, AttrDef, AttrType, OpDef};
pub use op_def_proto::op_def_to_proto;
pub use partial_shape::{Dim, PartialShape, merge_dim};
pub use partition::{
    EdgeKey, PEER, Participants, Partition, Partitioned, PeerDevice, Port, SLOT, partition,
    rendezvous_key,
};
pub use placement::{MEMBER_DEVICE, PlacementOptions, aim_remote_calls, gather_collectives, place};
pub use registry::{OpRegistry, OpSpec};
pub use shape_inference::{ShapeContext, ShapeFn};
pub use signature::parse_signature;
