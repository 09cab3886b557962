//! Loops and conditionals whose bodies are closures.
//!
//! A body is built in a graph of its own, which the closure is given. Values of the graph around it may be
//! used as they are: they are captured. What is computed from such values alone is computed outside, once;
//! what must run inside (something random, or costly in a branch) is built in the graph the closure is
//! given, from its constants or from what `Graph::capture` brings in.

use downpour_graph::{Endpoint, GraphBuilder, PartialShape, add_if, add_while};
use downpour_tensor::{Result, Status};

use crate::graph::Graph;
use crate::output::Output;

/// Calls `body` with its own results, `initial` first, as long as `cond` gives true; the last results.
///
/// A variable whose shape changes is known by what stays the same. The loop can be differentiated, also
/// more than once.
///
/// ```
/// use downpour::{Gradient, Graph, Session, gradients, while_loop};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.constant(1.5f32)?;
/// let count = graph.constant(0i32)?;
/// // Five times y = y * x, with x captured.
/// let last = while_loop(
///     |_, vars| vars[0].less(&vars[0].graph().constant(5i32)?),
///     |_, vars| Ok(vec![(&vars[0] + 1)?, (&vars[1] * &x)?]),
///     &[&count, &x],
/// )?;
/// let Some(Gradient::Dense(slope)) = &gradients(&[&last[1]], &[&x])?[0] else { panic!("it is dense") };
/// let values = Session::local(&graph)?.run(&[], &[&last[1], slope])?;
/// assert_eq!(values[0].to_scalar::<f32>()?, 1.5f32.powi(6));
/// assert_eq!(values[1].to_scalar::<f32>()?, 6.0 * 1.5f32.powi(5));
/// # Ok(())
/// # }
/// ```
pub fn while_loop(
    cond: impl Fn(&Graph, &[Output]) -> Result<Output>,
    body: impl Fn(&Graph, &[Output]) -> Result<Vec<Output>>,
    initial: &[&Output],
) -> Result<Vec<Output>> {
    let Some(graph) = innermost(initial.iter().copied()) else {
        return Err(Status::invalid_argument("while_loop: there is no variable to begin with"));
    };
    let mut shapes: Vec<PartialShape> = initial.iter().map(|value| value.shape()).collect();
    let begin = |shapes: &[PartialShape]| {
        let inner = graph.inner();
        let arg = |(value, shape): (&&Output, &PartialShape)| inner.arg("x", value.dtype(), shape);
        let args = initial.iter().zip(shapes).map(arg).collect::<Result<Vec<_>>>()?;
        Ok::<_, Status>((inner, args))
    };
    // Where an iteration gives another shape than it got, less is known: begin again with that.
    let built = loop {
        let (inner, args) = begin(&shapes)?;
        let results = body(&inner, &args)?;
        if results.len() != initial.len() {
            return Err(Status::invalid_argument(format!(
                "while_loop: the body takes {} values but gives {}",
                initial.len(),
                results.len()
            )));
        }
        let relaxed: Vec<PartialShape> =
            shapes.iter().zip(&results).map(|(shape, value)| shape.relax(&value.shape())).collect();
        if relaxed == shapes {
            break inner.finish(&results)?;
        }
        shapes = relaxed;
    };
    let (inner, args) = begin(&shapes)?;
    let test = cond(&inner, &args)?;
    let test = inner.finish(&[test])?;
    let initial: Vec<Endpoint> =
        initial.iter().map(|value| graph.bring(value)).collect::<Result<_>>()?;
    let ends = graph.extend_with(|nodes, registry, scope| {
        let mut builder = GraphBuilder::new(nodes, registry.ops()).in_scope(scope);
        let library = &mut graph.library();
        let ends = add_while(&mut builder, library, "while", &initial, test, built)?;
        declare(builder.graph, &ends, &shapes);
        Ok(ends)
    })?;
    Ok(ends.into_iter().map(|end| Output::new(&graph, end)).collect())
}

/// Runs `then` where `pred` is true and `otherwise` where it is not; their results, of the same types.
///
/// ```
/// use downpour::{DataType, Graph, Session, cond, tensor};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.placeholder("x", DataType::Float, ())?;
/// let large = x.greater(&graph.constant(1f32)?)?;
/// let y = cond(
///     &large,
///     |inside| Ok(vec![(&x * &inside.constant(10f32)?)?]),
///     |inside| Ok(vec![(&x - &inside.constant(1f32)?)?]),
/// )?;
/// let session = Session::local(&graph)?;
/// assert_eq!(session.fetch(&[(&x, tensor(2f32)?)], &y[0])?.to_scalar::<f32>()?, 20.0);
/// assert_eq!(session.fetch(&[(&x, tensor(0f32)?)], &y[0])?.to_scalar::<f32>()?, -1.0);
/// # Ok(())
/// # }
/// ```
pub fn cond(
    pred: &Output,
    then: impl FnOnce(&Graph) -> Result<Vec<Output>>,
    otherwise: impl FnOnce(&Graph) -> Result<Vec<Output>>,
) -> Result<Vec<Output>> {
    let graph = pred.graph().clone();
    let inner = graph.inner();
    let results = then(&inner)?;
    let mut shapes: Vec<PartialShape> = results.iter().map(Output::shape).collect();
    let then = inner.finish(&results)?;
    let inner = graph.inner();
    let results = otherwise(&inner)?;
    for (shape, value) in shapes.iter_mut().zip(&results) {
        *shape = shape.relax(&value.shape());
    }
    let otherwise = inner.finish(&results)?;
    let pred = pred.endpoint();
    let ends = graph.extend_with(|nodes, registry, scope| {
        let mut builder = GraphBuilder::new(nodes, registry.ops()).in_scope(scope);
        let library = &mut graph.library();
        let ends = add_if(&mut builder, library, "cond", pred, then, otherwise)?;
        declare(builder.graph, &ends, &shapes);
        Ok(ends)
    })?;
    Ok(ends.into_iter().map(|end| Output::new(&graph, end)).collect())
}

fn innermost<'a>(values: impl Iterator<Item = &'a Output>) -> Option<Graph> {
    values.map(Output::graph).cloned().reduce(|a, b| if b.is_inside(&a) { b } else { a })
}

/// Tells the graph what is known of the shapes of a loop's or conditional's results.
fn declare(nodes: &mut downpour_graph::Graph, ends: &[Endpoint], shapes: &[PartialShape]) {
    let Some(first) = ends.first() else { return };
    let node = nodes.node_mut(first.node);
    let mut all = shapes.to_vec();
    all.resize(node.output_types.len(), PartialShape::unknown());
    node.attrs.set("output_shapes", all);
}
