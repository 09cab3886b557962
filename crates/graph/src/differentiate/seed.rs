//! Where differentiation starts: the gradients of the `y`s.

use downpour_tensor::{DataType, Result, Status};

use super::{Differentiate, Walk};
use crate::attr::Attrs;
use crate::gradient::Gradient;
use crate::graph::Graph;
use crate::node::Endpoint;

pub(super) fn add(walk: &mut Walk<'_, '_>, wanted: &Differentiate) -> Result<()> {
    if wanted.grad_ys.len() > wanted.ys.len() {
        return Err(Status::invalid_argument(format!(
            "{} starting gradients were given for {} values",
            wanted.grad_ys.len(),
            wanted.ys.len()
        )));
    }
    for (i, &y) in wanted.ys.iter().enumerate() {
        let given = wanted.grad_ys.get(i).copied().unwrap_or(Gradient::None);
        let builder = crate::GraphBuilder::new(walk.work.graph, walk.work.registry);
        let name = builder.unique_name(&format!("{}/grad_ys_{i}", walk.work.scope));
        let seed = match given {
            Gradient::None => ones(walk, &name, y)?,
            Gradient::Dense(grad) => {
                check(walk.work.graph, y, grad)?;
                let mut builder = crate::GraphBuilder::new(walk.work.graph, walk.work.registry);
                Gradient::Dense(builder.add_named(&name, "Identity", &[grad], Attrs::new())?.into())
            }
            Gradient::Sparse { values, .. } => {
                check(walk.work.graph, y, values)?;
                given
            }
        };
        walk.receive(y, seed);
    }
    Ok(())
}

fn ones(walk: &mut Walk<'_, '_>, name: &str, y: Endpoint) -> Result<Gradient> {
    let dtype = walk.work.graph.edge_type(y).dtype;
    if dtype.is_complex() {
        return Err(Status::invalid_argument(format!(
            "{} is of type {dtype}: which way is up needs to be said, by a starting gradient",
            walk.work.graph.endpoint_name(y)
        )));
    }
    if !dtype.is_floating() && !dtype.is_integer() {
        return Err(Status::invalid_argument(format!(
            "{} is of type {dtype}, and only numbers can be differentiated",
            walk.work.graph.endpoint_name(y)
        )));
    }
    let mut builder = crate::GraphBuilder::new(walk.work.graph, walk.work.registry);
    Ok(Gradient::Dense(builder.add_named(name, "OnesLike", &[y], Attrs::new())?.into()))
}

/// The gradient of a real value is real, of a complex one complex.
fn check(graph: &Graph, y: Endpoint, grad: Endpoint) -> Result<()> {
    let real = |t: DataType| t.is_floating() || t.is_integer();
    let (expected, given) = (graph.edge_type(y).dtype, graph.edge_type(grad).dtype);
    let fits = match expected {
        t if real(t) => real(given),
        t if t.is_complex() => given.is_complex(),
        DataType::Resource => given != DataType::Resource,
        t => t == given,
    };
    if fits {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "{} is of type {expected}, which a starting gradient of type {given} ({}) does not fit",
        graph.endpoint_name(y),
        graph.endpoint_name(grad)
    )))
}
