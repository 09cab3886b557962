//! Gradients of values by values: adds the nodes that compute them.

use downpour_graph::differentiate::{Differentiate, densify, gradients as differentiate};
use downpour_graph::{Endpoint, Gradient as Raw, GraphBuilder};
use downpour_tensor::{Result, Status};

use crate::graph::Graph;
use crate::output::Output;

/// How a value changes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gradient {
    /// A tensor of the value's shape.
    Dense(Output),
    /// Rows of it; the others are zero.
    Sparse(IndexedSlices),
}

/// Rows of a large tensor: `values[i]` belongs to row `indices[i]`; rows that occur twice are added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedSlices {
    /// The rows.
    pub values: Output,
    /// Their numbers.
    pub indices: Output,
    /// The shape of the whole tensor.
    pub dense_shape: Output,
}

impl Gradient {
    /// The numbers of it, whichever form it has.
    pub fn values(&self) -> &Output {
        match self {
            Gradient::Dense(values) => values,
            Gradient::Sparse(slices) => &slices.values,
        }
    }

    /// The same rows (or the whole) with other numbers.
    pub fn with_values(&self, values: Output) -> Gradient {
        match self {
            Gradient::Dense(_) => Gradient::Dense(values),
            Gradient::Sparse(slices) => {
                Gradient::Sparse(IndexedSlices { values, ..slices.clone() })
            }
        }
    }

    /// One tensor: rows are added up into zeros.
    pub fn to_dense(&self) -> Result<Output> {
        match self {
            Gradient::Dense(values) => Ok(values.clone()),
            Gradient::Sparse(slices) => {
                let graph = slices.values.graph();
                let raw = self.raw();
                let end = graph.extend_with(|nodes, registry, scope| {
                    let mut builder = GraphBuilder::new(nodes, registry.ops()).in_scope(scope);
                    densify(&mut builder, raw)
                })?;
                let end = end.ok_or_else(|| Status::internal("rows gave no tensor"))?;
                Ok(Output::new(graph, end))
            }
        }
    }

    fn raw(&self) -> Raw {
        match self {
            Gradient::Dense(values) => Raw::Dense(values.endpoint()),
            Gradient::Sparse(slices) => Raw::Sparse {
                values: slices.values.endpoint(),
                indices: slices.indices.endpoint(),
                dense_shape: slices.dense_shape.endpoint(),
            },
        }
    }

    fn from_raw(graph: &Graph, raw: Raw) -> Option<Gradient> {
        match raw {
            Raw::None => None,
            Raw::Dense(end) => Some(Gradient::Dense(Output::new(graph, end))),
            Raw::Sparse { values, indices, dense_shape } => Some(Gradient::Sparse(IndexedSlices {
                values: Output::new(graph, values),
                indices: Output::new(graph, indices),
                dense_shape: Output::new(graph, dense_shape),
            })),
        }
    }
}

/// Choices for differentiating.
#[derive(Clone, Debug, Default)]
pub struct GradientOptions {
    /// The gradient to start from for each `y`; ones where it is `None` or missing.
    pub start: Vec<Option<Gradient>>,
    /// Values to treat as constants.
    pub stop: Vec<Output>,
    /// Put the nodes of a gradient on the device of the node they belong to.
    pub colocate: bool,
}

/// The gradient of the sum of `ys` by each of `xs`; `None` where no path leads from one to the other.
///
/// For a variable give its handle; gradients of rows that were gathered from it are rows again.
///
/// ```
/// use downpour::{Gradient, Graph, Session, gradients};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.constant([1.0f32, 2.0, 3.0])?;
/// let y = x.square()?.sum_all()?;
/// let Some(Gradient::Dense(dx)) = &gradients(&[&y], &[&x])?[0] else { panic!("it is dense") };
/// let value = Session::local(&graph)?.fetch(&[], dx)?;
/// assert_eq!(value.as_slice::<f32>()?, &[2.0, 4.0, 6.0]);
/// # Ok(())
/// # }
/// ```
pub fn gradients(ys: &[&Output], xs: &[&Output]) -> Result<Vec<Option<Gradient>>> {
    gradients_with(ys, xs, &GradientOptions::default())
}

/// Like [`gradients`], from other starting gradients and with values held constant.
pub fn gradients_with(
    ys: &[&Output],
    xs: &[&Output],
    options: &GradientOptions,
) -> Result<Vec<Option<Gradient>>> {
    let Some(first) = ys.first() else {
        return Err(Status::invalid_argument("gradients: there is nothing to differentiate"));
    };
    let graph = first.graph().clone();
    let ends = |outputs: &[&Output]| -> Result<Vec<Endpoint>> {
        let own = |output: &&Output| {
            graph.expect_own(output.graph(), &output.name())?;
            Ok(output.endpoint())
        };
        outputs.iter().map(own).collect()
    };
    let mut wanted = Differentiate {
        ys: ends(ys)?,
        xs: ends(xs)?,
        stop_gradients: ends(&options.stop.iter().collect::<Vec<_>>())?,
        colocate: options.colocate,
        ..Differentiate::default()
    };
    for start in &options.start {
        wanted.grad_ys.push(start.as_ref().map_or(Raw::None, Gradient::raw));
    }
    let raw = graph.extend_with(|nodes, registry, scope| {
        wanted.scope = match scope {
            "" => "gradients".to_string(),
            scope => format!("{scope}/gradients"),
        };
        differentiate(nodes, registry.ops(), &mut graph.library(), &wanted)
    })?;
    Ok(raw.into_iter().map(|raw| Gradient::from_raw(&graph, raw)).collect())
}
