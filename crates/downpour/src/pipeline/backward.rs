//! The gradients of a batch's parts, summed one after the other.

use downpour_graph::NodeId;
use downpour_tensor::{Result, Status};

use crate::gradients::{Gradient, GradientOptions, IndexedSlices, gradients_with};
use crate::graph::Graph;
use crate::output::Output;

/// The gradients of one part's loss, beside what they are gradients of. `weight` is what the part counts.
pub(super) fn of_part(
    loss: &Output,
    weight: Option<&Output>,
    by: &[&Output],
) -> Result<Vec<Option<Gradient>>> {
    let start = weight.map(|weight| Ok::<_, Status>(Gradient::Dense(weight.cast(loss.dtype())?)));
    let start = start.transpose()?;
    let options = GradientOptions { start: vec![start], colocate: true, ..Default::default() };
    gradients_with(&[loss], by, &options)
}

/// A sum that grows part by part: dense ones at once, so that no more than one gradient is held besides
/// the sum; rows are kept and put together at the end.
pub(super) struct Sum {
    dense: Option<Output>,
    rows: Vec<IndexedSlices>,
}

impl Sum {
    pub fn new() -> Sum {
        Sum { dense: None, rows: Vec::new() }
    }

    /// Adds a part's gradient; the node that does it, if one is needed.
    pub fn add(&mut self, gradient: Option<&Gradient>) -> Result<Option<NodeId>> {
        match gradient {
            None => Ok(None),
            Some(Gradient::Sparse(rows)) => {
                self.rows.push(rows.clone());
                Ok(None)
            }
            Some(Gradient::Dense(value)) => {
                let sum = self.dense.as_ref().map(|sum| sum + value).transpose()?;
                let made = sum.as_ref().map(|sum| sum.endpoint().node);
                self.dense = Some(sum.unwrap_or_else(|| value.clone()));
                Ok(made)
            }
        }
    }

    pub fn finish(self, graph: &Graph) -> Result<Option<Gradient>> {
        let rows = match self.rows.as_slice() {
            [] => return Ok(self.dense.map(Gradient::Dense)),
            [one] => Gradient::Sparse(one.clone()),
            [first, ..] => {
                let _scope = graph.name_scope("rows")?;
                let all = |pick: fn(&IndexedSlices) -> &Output| {
                    let values: Vec<Output> = self.rows.iter().map(pick).cloned().collect();
                    Output::concat(&values, 0)
                };
                Gradient::Sparse(IndexedSlices {
                    values: all(|rows| &rows.values)?,
                    indices: all(|rows| &rows.indices)?,
                    dense_shape: first.dense_shape.clone(),
                })
            }
        };
        match self.dense {
            None => Ok(Some(rows)),
            Some(dense) => Ok(Some(Gradient::Dense((dense + rows.to_dense()?)?))),
        }
    }
}
