//! Between channels-first and channels-last layouts.
//!
//! The kernels of this family work on channels-last data, where neighbouring channels fill a
//! vector register; a channels-first tensor is transposed once on the way in and once on the way out.

use downpour_runtime::Parallel;
use downpour_tensor::{Element, Result, Shape, Tensor};

/// `[N, C, spatial...]` as `[N, spatial..., C]`.
pub(crate) fn to_channels_last<T: Element>(tensor: &Tensor, parallel: &Parallel) -> Result<Tensor> {
    let dims = tensor.dims();
    let (batch, channels, spatial) = (dims[0], dims[1], &dims[2..]);
    let mut shape = Shape::new(&[batch]);
    spatial.iter().for_each(|&d| shape.push(d));
    shape.push(channels);
    transposed::<T>(tensor, shape, channels, spatial.iter().product(), parallel)
}

/// `[N, spatial..., C]` as `[N, C, spatial...]`.
pub(crate) fn to_channels_first<T: Element>(
    tensor: &Tensor,
    parallel: &Parallel,
) -> Result<Tensor> {
    let dims = tensor.dims();
    let (batch, channels) = (dims[0], dims[dims.len() - 1]);
    let spatial = &dims[1..dims.len() - 1];
    let mut shape = Shape::new(&[batch, channels]);
    spatial.iter().for_each(|&d| shape.push(d));
    transposed::<T>(tensor, shape, spatial.iter().product(), channels, parallel)
}

/// Every image, a `rows` by `columns` matrix, transposed.
fn transposed<T: Element>(
    tensor: &Tensor,
    shape: Shape,
    rows: usize,
    columns: usize,
    parallel: &Parallel,
) -> Result<Tensor> {
    let source = tensor.as_slice::<T>()?;
    let image = rows * columns;
    Tensor::build(shape, |out: &mut [T]| {
        if image == 0 {
            return;
        }
        parallel.for_chunks(out, rows, (1 << 13) / rows + 1, |first, run| {
            for (i, out_row) in run.chunks_exact_mut(rows).enumerate() {
                let (n, column) = ((first + i) / columns, (first + i) % columns);
                let from = source[n * image + column..(n + 1) * image].iter().step_by(columns);
                for (to, &value) in out_row.iter_mut().zip(from) {
                    *to = value;
                }
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let values: Vec<i32> = (0..24).collect();
        let first = Tensor::from_vec([2, 3, 2, 2], values.clone()).unwrap();
        let last = to_channels_last::<i32>(&first, &Parallel::serial()).unwrap();
        assert_eq!(last.dims(), &[2, 2, 2, 3]);
        assert_eq!(&last.as_slice::<i32>().unwrap()[..6], &[0, 4, 8, 1, 5, 9]);
        let back = to_channels_first::<i32>(&last, &Parallel::serial()).unwrap();
        assert_eq!(back.as_slice::<i32>().unwrap(), &values[..]);
    }
}
