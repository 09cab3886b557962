//! Moving elements without looking at them: one engine for every dtype.
//!
//! Plain elements are moved as integers of their size, so that code is compiled per element size
//! and not per dtype; strings, handles and variants are cloned.

mod strided;

pub(crate) use strided::{Axes, StridedCopy};

use bytemuck::Pod;
use downpour_runtime::Parallel;
use downpour_tensor::{
    ByteString, DataType, ResourceHandle, Result, Shape, Status, Tensor, Variant,
};
use smallvec::SmallVec;

/// What is moved: an integer of an element's size, or an owned element.
pub(crate) trait Unit: Clone + Send + Sync {}
impl<T: Clone + Send + Sync> Unit for T {}

/// Complex128 elements lie at multiples of eight bytes, so they move as two words.
type Wide = [u64; 2];

/// A way to fill an output from inputs of the same dtype, written once for all element types.
pub(crate) trait Rearrange {
    fn run<T: Unit>(&self, parallel: &Parallel, inputs: &[&[T]], output: &mut [T]);
}

/// Fills a new tensor of `shape` from `inputs`, all of type `dtype`.
pub(crate) fn rearrange(
    parallel: &Parallel,
    dtype: DataType,
    shape: impl Into<Shape>,
    inputs: &[&Tensor],
    job: &impl Rearrange,
) -> Result<Tensor> {
    let output = Tensor::new(dtype, shape)?;
    rearrange_into(parallel, output, inputs, job)
}

/// Like `rearrange`, writing over the elements of `output` (which is copied first if shared) and
/// leaving alone what the job does not touch.
pub(crate) fn rearrange_into(
    parallel: &Parallel,
    output: Tensor,
    inputs: &[&Tensor],
    job: &impl Rearrange,
) -> Result<Tensor> {
    let mut output = output.into_unique()?;
    if output.is_empty() {
        return Ok(output);
    }
    let dtype = output.dtype();
    match dtype {
        DataType::String => {
            let inputs: SmallVec<[&[ByteString]; 4]> =
                inputs.iter().map(|t| t.strings()).collect::<Result<_>>()?;
            let out = output.strings_mut().ok_or_else(shared)?;
            job.run(parallel, &inputs, out);
        }
        DataType::Variant => {
            let inputs: SmallVec<[&[Variant]; 4]> =
                inputs.iter().map(|t| t.variants()).collect::<Result<_>>()?;
            let out = output.variants_mut().ok_or_else(shared)?;
            job.run(parallel, &inputs, out);
        }
        DataType::Resource => {
            let inputs: SmallVec<[&[ResourceHandle]; 4]> =
                inputs.iter().map(|t| t.handles()).collect::<Result<_>>()?;
            let mut out = output.handles()?.to_vec();
            job.run(parallel, &inputs, &mut out);
            return Tensor::from_handles(output.shape(), out);
        }
        _ => match dtype.size() {
            1 => plain::<u8>(parallel, &mut output, inputs, job)?,
            2 => plain::<u16>(parallel, &mut output, inputs, job)?,
            4 => plain::<u32>(parallel, &mut output, inputs, job)?,
            8 => plain::<u64>(parallel, &mut output, inputs, job)?,
            _ => plain::<Wide>(parallel, &mut output, inputs, job)?,
        },
    }
    Ok(output)
}

fn shared() -> Status {
    Status::internal("a tensor that was made unique is shared")
}

fn plain<T: Pod + Send + Sync>(
    parallel: &Parallel,
    output: &mut Tensor,
    inputs: &[&Tensor],
    job: &impl Rearrange,
) -> Result<()> {
    let inputs: SmallVec<[&[T]; 4]> = inputs.iter().map(|t| units(t)).collect::<Result<_>>()?;
    let bytes = output.bytes_mut().ok_or_else(shared)?;
    let out = bytemuck::try_cast_slice_mut(bytes)
        .map_err(|e| Status::internal(format!("an output is not whole elements: {e}")))?;
    job.run(parallel, &inputs, out);
    Ok(())
}

/// A plain tensor's elements as integers of their size.
fn units<T: Pod>(tensor: &Tensor) -> Result<&[T]> {
    let bytes = tensor.bytes().ok_or_else(|| {
        Status::invalid_argument(format!("a {} tensor is not plain bytes", tensor.dtype()))
    })?;
    if bytes.is_empty() {
        return Ok(&[]);
    }
    bytemuck::try_cast_slice(bytes)
        .map_err(|e| Status::internal(format!("a {} tensor lies badly: {e}", tensor.dtype())))
}

/// Elements that take about ten microseconds to move.
pub(crate) const GRAIN: usize = 16 << 10;

/// A list of strided copies, each from one of the inputs, after an optional fill of the whole
/// output with the single element of the last input.
#[derive(Default)]
pub(crate) struct Moves {
    pub copies: SmallVec<[(usize, StridedCopy); 1]>,
    pub fill: bool,
}

impl Moves {
    pub fn one(copy: StridedCopy) -> Moves {
        Moves { copies: SmallVec::from_iter([(0, copy)]), fill: false }
    }

    pub fn push(&mut self, input: usize, copy: StridedCopy) {
        self.copies.push((input, copy));
    }
}

impl Rearrange for Moves {
    fn run<T: Unit>(&self, parallel: &Parallel, inputs: &[&[T]], output: &mut [T]) {
        if self.fill
            && let Some([value, ..]) = inputs.last()
        {
            parallel.for_chunks(output, 1, 4 * GRAIN, |_, run| run.fill(value.clone()));
        }
        for (input, copy) in &self.copies {
            copy.run(parallel, inputs[*input], output);
        }
    }
}

/// Moves one tensor's elements into a new tensor of `shape`.
pub(crate) fn move_one(
    parallel: &Parallel,
    input: &Tensor,
    shape: impl Into<Shape>,
    copy: StridedCopy,
) -> Result<Tensor> {
    rearrange(parallel, input.dtype(), shape, &[input], &Moves::one(copy))
}

/// Zero of a type as a scalar tensor (an empty string, an empty variant).
pub(crate) fn zero_scalar(dtype: DataType) -> Result<Tensor> {
    Tensor::zeros(dtype, Shape::scalar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_element_moves() {
        let reverse = || StridedCopy::new([(2, -1, 1)], 1, 0);
        let p = Parallel::serial();
        let wide = Tensor::vector(&[
            downpour_tensor::Complex128::new(1.0, 2.0),
            downpour_tensor::Complex128::new(3.0, 4.0),
        ])
        .unwrap();
        let y = move_one(&p, &wide, [2], reverse()).unwrap();
        assert_eq!(y.as_slice::<downpour_tensor::Complex128>().unwrap()[0].im, 4.0);
        let text = Tensor::from_strings([2], vec!["a".into(), "b".into()]).unwrap();
        assert_eq!(move_one(&p, &text, [2], reverse()).unwrap().strings().unwrap()[0], "b");
        let handle =
            |name: &str| ResourceHandle { name: name.to_string(), ..ResourceHandle::default() };
        let handles = Tensor::from_handles([2], vec![handle("x"), handle("y")]).unwrap();
        let y = move_one(&p, &handles, [2], reverse()).unwrap();
        assert_eq!(y.handles().unwrap()[1].name, "x");
    }
}
