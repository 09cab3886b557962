//! Tensors of different sizes brought to one shape.

use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use crate::Block;
use crate::block::Contents;
use crate::rows::{with_rows, writable};
use crate::stage::Field;

/// To what shape, and with what, [`padded_batch`](crate::Dataset::padded_batch) pads. By default
/// to the longest of the batch, with zeros and empty strings.
#[derive(Clone, Debug, Default)]
pub struct Padding {
    shapes: Vec<(String, Vec<Option<usize>>)>,
    values: Vec<(String, Tensor)>,
}

impl Padding {
    /// The tensor `name` gets this shape; sizes that are `None` become the batch's largest.
    pub fn shape(mut self, name: &str, shape: &[Option<usize>]) -> Padding {
        self.shapes.push((name.to_owned(), shape.to_vec()));
        self
    }

    /// The tensor `name` is filled up with this scalar.
    pub fn value(mut self, name: &str, value: Tensor) -> Padding {
        self.values.push((name.to_owned(), value));
        self
    }

    fn shape_of(&self, name: &str) -> Option<&[Option<usize>]> {
        self.shapes.iter().rev().find(|(n, _)| n == name).map(|(_, s)| s.as_slice())
    }

    /// True when it may change elements that already agree.
    pub(super) fn is_explicit(&self) -> bool {
        !self.shapes.is_empty()
    }

    pub(super) fn describe(&self, field: &mut Field) {
        if let Some(shape) = self.shape_of(&field.name) {
            field.shape = shape.to_vec();
        }
    }

    /// The elements as columns, padded.
    pub(super) fn stack(&self, block: Block) -> Result<Block> {
        let (names, rows, contents) = match block.columns() {
            Some(_) => {
                let list =
                    (0..block.rows()).map(|r| block.element(r)).collect::<Result<Vec<_>>>()?;
                let list = list.into_iter().map(|e| e.into_tensors()).collect();
                (block.names().clone(), block.rows(), Contents::List(list))
            }
            None => block.into_contents(),
        };
        let Contents::List(list) = contents else {
            return Err(Status::internal("elements to pad are a list"));
        };
        let mut columns = Vec::with_capacity(names.len());
        for (i, name) in names.iter().enumerate() {
            let parts: Vec<&Tensor> = list.iter().map(|tensors| &tensors[i]).collect();
            columns.push(self.column(name, &parts)?);
        }
        Block::from_columns(names, rows, columns)
    }

    fn column(&self, name: &str, parts: &[&Tensor]) -> Result<Tensor> {
        let bad = |what: String| {
            Err(Status::invalid_argument(format!("padded_batch, component {name:?}: {what}")))
        };
        let (dtype, rank) = (parts[0].dtype(), parts[0].rank());
        if let Some(other) = parts.iter().find(|t| t.dtype() != dtype || t.rank() != rank) {
            return bad(format!(
                "one element is {dtype} of rank {rank}, another {} of rank {}; only sizes may differ",
                other.dtype(),
                other.rank()
            ));
        }
        let wanted = self.shape_of(name);
        if let Some(wanted) = wanted.filter(|w| w.len() != rank) {
            return bad(format!("the padded shape has {} axes, the elements {rank}", wanted.len()));
        }
        let mut shape = Shape::new(&vec![0; rank]);
        for axis in 0..rank {
            let longest = parts.iter().map(|t| t.dims()[axis]).max().unwrap_or(0);
            let size = wanted.and_then(|w| w[axis]).unwrap_or(longest);
            if size < longest {
                return Err(Status::data_loss(format!(
                    "padded_batch, component {name:?}: an element has size {longest} in axis {axis}, more than the \
                     padded size {size}"
                )));
            }
            shape.dims_mut()[axis] = size;
        }
        let value = self.values.iter().rev().find(|(n, _)| n == name).map(|(_, v)| v);
        if let Some(value) = value.filter(|v| v.dtype() != dtype || v.len() != 1) {
            return bad(format!("the padding value {value:?} is not one {dtype}"));
        }
        let mut out = Tensor::zeros(dtype, with_rows(parts.len(), &shape))?;
        if dtype == DataType::String {
            let fill = value.map(|v| v.strings()).transpose()?.map(|s| s[0].clone());
            let to = out.strings_mut().ok_or_else(|| Status::internal("a new tensor is shared"))?;
            if let Some(fill) = fill {
                to.fill(fill);
            }
            for (i, part) in parts.iter().enumerate() {
                let from = part.strings()?;
                each_run(part.dims(), &shape, i * shape.elements(), |source, target, length| {
                    to[target..target + length].clone_from_slice(&from[source..source + length]);
                });
            }
            return Ok(out);
        }
        if !dtype.is_plain() {
            return bad(format!("{dtype} tensors cannot be padded"));
        }
        let size = dtype.size();
        let to = writable(&mut out)?;
        if let Some(fill) = value.and_then(|v| v.bytes()) {
            to.chunks_exact_mut(size).for_each(|chunk| chunk.copy_from_slice(fill));
        }
        for (i, part) in parts.iter().enumerate() {
            let from = part.bytes().unwrap_or_default();
            each_run(part.dims(), &shape, i * shape.elements(), |source, target, length| {
                to[target * size..(target + length) * size]
                    .copy_from_slice(&from[source * size..(source + length) * size]);
            });
        }
        Ok(out)
    }
}

/// Calls `copy(source, target, length)` for every run of the last axis of an array of shape
/// `from` that lies in the corner of one of shape `to`, which begins at element `start`.
fn each_run(from: &[usize], to: &[usize], start: usize, mut copy: impl FnMut(usize, usize, usize)) {
    let Some((&length, outer)) = from.split_last() else { return copy(0, start, 1) };
    let runs: usize = outer.iter().product();
    for run in 0..runs {
        let (mut rest, mut target, mut stride) = (run, 0, to[to.len() - 1]);
        for axis in (0..outer.len()).rev() {
            target += rest % outer[axis] * stride;
            rest /= outer[axis];
            stride *= to[axis];
        }
        copy(run * length, start + target, length);
    }
}
