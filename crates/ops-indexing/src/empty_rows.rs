//! Giving every row at least one value: shared by sparse and ragged tensors.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext, PartialShape, ShapeContext};
use downpour_runtime::OpContext;
use downpour_tensor::{CountedVec, Element, Result, Shape, Status, Tensor};

use crate::numbers::{Number, dispatch_number};
use crate::units::{Unit, dispatch_units};

/// Where the values of each row come from, rows in order.
pub(crate) struct Filled {
    /// Per output value its row and its position in the input; `None` for a filled-in default.
    slots: CountedVec<(i64, Option<usize>)>,
    empty: CountedVec<bool>,
    inputs: usize,
}

/// Sorts values by row (keeping their order inside a row) and adds a slot for each empty row.
pub(crate) fn plan(
    rows_of_values: impl ExactSizeIterator<Item = i64>,
    rows: usize,
) -> Result<Filled> {
    let inputs = rows_of_values.len();
    if rows == 0 && inputs != 0 {
        return Err(Status::invalid_argument(format!(
            "Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = {inputs}"
        )));
    }
    let mut sorted = CountedVec::with_capacity(inputs)?;
    for (i, row) in rows_of_values.enumerate() {
        if row < 0 || row as u64 >= rows as u64 {
            return Err(Status::invalid_argument(format!(
                "indices({i}, 0) is invalid: {row} >= {rows}"
            )));
        }
        sorted.push((row, Some(i)))?;
    }
    sorted.sort_by_key(|slot: &(i64, Option<usize>)| slot.0);
    let mut empty = CountedVec::with_capacity(rows)?;
    let mut slots = CountedVec::with_capacity(rows.max(inputs))?;
    let mut rest = &sorted[..];
    for row in 0..rows as i64 {
        let own = rest.iter().take_while(|slot| slot.0 == row).count();
        empty.push(own == 0)?;
        if own == 0 {
            slots.push((row, None))?;
        } else {
            rest[..own].iter().try_for_each(|&slot| slots.push(slot))?;
            rest = &rest[own..];
        }
    }
    Ok(Filled { slots, empty, inputs })
}

impl Filled {
    pub fn slots(&self) -> &[(i64, Option<usize>)] {
        &self.slots
    }

    /// The values in their new order, with `default` in the empty rows.
    pub fn apply(&self, values: &Tensor, default: &Tensor) -> Result<Tensor> {
        dispatch_units!(values.dtype(), T => {
            let (source, default) = (T::view(values)?, T::view(default)?);
            T::build(values.dtype(), Shape::from([self.slots.len()]), |out| {
                for (o, (_, from)) in out.iter_mut().zip(self.slots.iter()) {
                    *o = from.map_or(&default[0], |i| &source[i]).clone();
                }
                Ok(())
            })
        })
    }

    /// Which rows were empty.
    pub fn empty_rows(&self) -> Result<Tensor> {
        Tensor::vector(&self.empty)
    }

    /// For every input value its place in the output.
    pub fn reverse(&self) -> Result<Tensor> {
        Tensor::build([self.inputs], |out: &mut [i64]| {
            for (at, (_, from)) in self.slots.iter().enumerate() {
                if let Some(i) = from {
                    out[*i] = at as i64;
                }
            }
        })
    }
}

/// The gradients of values and default from those of the filled values.
pub(crate) fn compute_grad(cx: &mut OpContext<'_>) -> Result<()> {
    for (i, name) in [(0, "reverse_index_map"), (1, "grad_values")] {
        if cx.input(i).rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "{name} must be a vector, saw: {}",
                cx.input(i).shape()
            )));
        }
    }
    let grad = cx.input(1);
    let (values, default) = dispatch_number!(grad.dtype(), "SparseFillEmptyRowsGrad", T => {
        grads::<T>(cx.input(0).as_slice::<i64>()?, grad.as_slice::<T>()?)
    })?;
    cx.set_output(0, values);
    cx.set_output(1, default);
    Ok(())
}

fn grads<T: Element + Number>(reverse: &[i64], grad: &[T]) -> Result<(Tensor, Tensor)> {
    let mut used = vec![false; grad.len()];
    let mut values = Vec::with_capacity(reverse.len());
    for &index in reverse {
        let at = usize::try_from(index).ok().filter(|&i| i < grad.len()).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Elements in reverse index must be in [0, {}) but got {index}",
                grad.len()
            ))
        })?;
        values.push(grad[at]);
        used[at] = true;
    }
    let unused = grad.iter().zip(&used).filter(|(_, used)| !**used);
    let default = unused.fold(T::default(), |sum, (&g, _)| sum.plus(g));
    Ok((Tensor::vector(&values)?, Tensor::scalar(default)))
}

pub(crate) fn grad_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let map = cx.with_rank(0, 1)?;
    cx.with_rank(1, 1)?;
    cx.set_output(0, map);
    cx.set_output(1, PartialShape::scalar());
    Ok(())
}

/// Gradients of values and default for the rule of an operation that fills empty rows.
pub(crate) fn gradients(
    cx: &mut GradientContext<'_, '_>,
    grad_op: &str,
) -> Result<(Gradient, Gradient)> {
    let grad = cx.grad(1)?;
    let reverse = cx.output(3);
    let node = cx.node_with(grad_op, &[reverse, grad], Attrs::new())?;
    let port = |port| Gradient::Dense(Endpoint { node, port });
    Ok((port(0), port(1)))
}
