//! Calls of functions whose gradient their author gave as another function.
//!
//! Such a call is not opened: what its gradient calls is the author's function, by SymbolicGradient.

use downpour_tensor::{DataType, Result};

use super::inline::call_of;
use super::{Work, densify, is_trainable};
use crate::attr::{Attrs, Function};
use crate::function::FunctionLibrary;
use crate::gradient::Gradient;
use crate::graph::Graph;
use crate::node::{Endpoint, NodeId};

/// Returns the function a node calls, if it has a gradient of its own.
pub(super) fn call(graph: &Graph, library: &FunctionLibrary, id: NodeId) -> Option<Function> {
    call_of(graph, library, id).filter(|call| library.own_gradient(&call.name).is_some())
}

/// Adds a call of the gradient, and gives a gradient for each input.
pub(super) fn differentiate(
    work: &mut Work<'_>,
    id: NodeId,
    function: Function,
    grads: &[Gradient],
) -> Result<Vec<Gradient>> {
    let node = work.graph.node(id);
    let scope = format!("{}_grad", node.name);
    let mut inputs = node.inputs.clone();
    let types: Vec<DataType> = node.input_types.iter().map(|ty| ty.dtype).collect();
    let mut builder = work.builder(&scope);
    for (port, grad) in grads.iter().enumerate() {
        let output = Endpoint { node: id, port: port as u32 };
        inputs.push(match densify(&mut builder, *grad)? {
            Some(grad) => grad,
            None => builder.op("ZerosLike", &[output], Attrs::new())?,
        });
    }
    let attrs = Attrs::new().with("f", function).with("Tout", types.clone());
    let node = builder.add("SymbolicGradient", &inputs, attrs)?;
    let answer = |(port, dtype)| match is_trainable(dtype) {
        true => Gradient::Dense(Endpoint { node, port }),
        false => Gradient::None,
    };
    Ok((0..).zip(types).map(answer).collect())
}
