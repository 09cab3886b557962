//! One node of a graph: an operation with its inputs, attributes and resolved types.

use std::ops::{Deref, Range};
use std::sync::Arc;

use downpour_tensor::{DataType, Result, Status};

use crate::attr::Attrs;
use crate::op_def::{ArgDef, ArgType};
use crate::registry::OpSpec;

/// A node's position in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One output of a node: the source of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Endpoint {
    pub node: NodeId,
    pub port: u32,
}

impl From<NodeId> for Endpoint {
    fn from(node: NodeId) -> Endpoint {
        Endpoint { node, port: 0 }
    }
}

/// The type of a value on an edge: plain, or a reference to a variable of that type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeType {
    pub dtype: DataType,
    pub is_ref: bool,
}

/// A node whose attributes are complete (defaults filled in) and whose types are known.
///
/// Dereferences to its attributes, so that `node.int("axis")` reads one.
#[derive(Clone, Debug)]
pub struct Node {
    pub name: String,
    pub op: Arc<OpSpec>,
    pub device: String,
    pub attrs: Attrs,
    pub inputs: Vec<Endpoint>,
    pub controls: Vec<NodeId>,
    pub input_types: Vec<EdgeType>,
    pub output_types: Vec<EdgeType>,
}

impl Node {
    pub fn op_name(&self) -> &str {
        &self.op.def.name
    }

    /// Where the tensors of the named argument stand among the inputs.
    pub fn input_range(&self, name: &str) -> Result<Range<usize>> {
        arg_range(&self.op.def.inputs, &self.attrs, name)
    }

    /// Where the tensors of the named result stand among the outputs.
    pub fn output_range(&self, name: &str) -> Result<Range<usize>> {
        arg_range(&self.op.def.outputs, &self.attrs, name)
    }

    pub fn input_dtype(&self, i: usize) -> DataType {
        self.input_types[i].dtype
    }

    pub fn output_dtype(&self, i: usize) -> DataType {
        self.output_types[i].dtype
    }

    /// The fields in which an attribute asks for something we do not do, as an error to return.
    pub fn unsupported(&self, what: impl std::fmt::Display) -> Status {
        Status::unimplemented(format!("{} '{}': {what}", self.op_name(), self.name))
    }
}

impl Deref for Node {
    type Target = Attrs;
    fn deref(&self) -> &Attrs {
        &self.attrs
    }
}

/// Number of tensors an argument stands for.
pub(crate) fn arg_len(arg: &ArgDef, attrs: &Attrs) -> Result<usize> {
    if let ArgType::ListAttr(list) = &arg.ty {
        return Ok(attrs.dtypes(list)?.len());
    }
    match &arg.number_attr {
        None => Ok(1),
        Some(n) => {
            let count = attrs.int(n)?;
            usize::try_from(count).map_err(|_| {
                Status::invalid_argument(format!(
                    "the attribute '{n}' is {count}, a negative count"
                ))
            })
        }
    }
}

fn arg_range(args: &[ArgDef], attrs: &Attrs, name: &str) -> Result<Range<usize>> {
    let mut start = 0;
    for arg in args {
        let len = arg_len(arg, attrs)?;
        if arg.name == name {
            return Ok(start..start + len);
        }
        start += len;
    }
    Err(Status::internal(format!("there is no argument '{name}'")))
}
