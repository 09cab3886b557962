//! ResourceGather: rows of a variable, without reading all of it.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Parallel, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor, prefetch};

use super::handles::{position, variable_shape};
use crate::rows::AHEAD;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ResourceGather(resource: resource, indices: Tindices) -> (output: dtype) @stateful
                batch_dims: int = 0
                validate_indices: bool = true
                dtype: type
                Tindices: {int32, int64}",
        )?
        .shape(shape)
        .gradient(gradient),
        |build| Ok(KernelBox::new(Gather { batch_dims: batch_dims(build.int("batch_dims")?)? })),
    )
}

fn batch_dims(given: i64) -> Result<usize> {
    usize::try_from(given)
        .map_err(|_| Status::invalid_argument(format!("batch_dims is negative ({given})")))
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let batch = batch_dims(cx.node().int("batch_dims")?)?;
    let params = variable_shape(cx, 0);
    if params.rank().is_some_and(|rank| rank <= batch) {
        return Err(too_few(batch, &params, cx.describe()));
    }
    let indices = cx.with_rank_at_least(1, batch)?;
    let output = match (params.rank(), indices.rank()) {
        (Some(p), Some(i)) => params
            .subshape(0, batch)
            .concat(&indices.subshape(batch, i))
            .concat(&params.subshape(batch + 1, p)),
        _ => PartialShape::unknown(),
    };
    cx.set_output(0, output);
    Ok(())
}

fn too_few(batch: usize, params: &PartialShape, of: impl std::fmt::Display) -> Status {
    Status::invalid_argument(format!(
        "params must have more than {batch} (batch_dims) dimensions but it has shape {params} for {of}"
    ))
}

struct Gather {
    batch_dims: usize,
}

impl Kernel for Gather {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let variable = cx.variable(0)?;
        let indices = cx.input(1);
        // Under the lock: a snapshot would make a writer copy the whole, perhaps huge, variable.
        let output = variable.inspect(|params| {
            if params.dtype() != cx.node().output_dtype(0) {
                return Err(Status::invalid_argument(format!(
                    "ResourceGather: variable {} holds {}, not {}",
                    variable.name(),
                    params.dtype(),
                    cx.node().output_dtype(0)
                )));
            }
            self.gather(params, indices, cx.parallel())
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

impl Gather {
    fn gather(&self, params: &Tensor, indices: &Tensor, parallel: &Parallel) -> Result<Tensor> {
        let batch = self.batch_dims;
        if params.rank() == 0 {
            return Err(Status::invalid_argument("params must be at least 1 dimensional"));
        }
        if params.rank() <= batch {
            return Err(too_few(batch, &params.shape().into(), "ResourceGather"));
        }
        if indices.rank() < batch || indices.dims()[..batch] != params.dims()[..batch] {
            return Err(Status::invalid_argument(format!(
                "ResourceGather: the first {batch} (batch_dims) dimensions of params {} and indices \
                 {} must be equal",
                params.shape(),
                indices.shape()
            )));
        }
        let dims = params.dims();
        let output: Shape = dims[..batch]
            .iter()
            .chain(&indices.dims()[batch..])
            .chain(&dims[batch + 1..])
            .copied()
            .collect();
        let limit = dims[batch];
        let per_batch: usize = indices.dims()[batch..].iter().product();
        let mut rows = Vec::with_capacity(indices.len());
        for (i, index) in indices.to_i64_vec()?.into_iter().enumerate() {
            let Some(row) = usize::try_from(index).ok().filter(|&row| row < limit) else {
                return Err(Status::invalid_argument(format!(
                    "indices{} = {index} is not in [0, {limit})",
                    position(indices.dims(), i)
                )));
            };
            rows.push(i / per_batch * limit + row);
        }
        gather_rows(params, &rows, dims[batch + 1..].iter().product(), output, parallel)
    }
}

/// A tensor of shape `output` from rows of `params`, each `width` elements. All rows are inside.
pub(super) fn gather_rows(
    params: &Tensor,
    rows: &[usize],
    width: usize,
    output: Shape,
    parallel: &Parallel,
) -> Result<Tensor> {
    let span = |row: usize| row * width..(row + 1) * width;
    match params.dtype() {
        DataType::String => {
            let from = params.strings()?;
            let picked = rows.iter().flat_map(|&row| from[span(row)].iter().cloned());
            Tensor::from_strings(output, picked.collect())
        }
        DataType::Variant => {
            let from = params.variants()?;
            let picked = rows.iter().flat_map(|&row| from[span(row)].iter().cloned());
            Tensor::from_variants(output, picked.collect())
        }
        DataType::Resource => {
            let from = params.handles()?;
            let picked = rows.iter().flat_map(|&row| from[span(row)].iter().cloned());
            Tensor::from_handles(output, picked.collect())
        }
        dtype => {
            let mut out = Tensor::new(dtype, output)?;
            let bytes = width * dtype.size();
            let (Some(from), Some(to)) = (params.bytes(), out.bytes_mut()) else {
                return Err(Status::internal("plain types have bytes"));
            };
            if let Some(grain) = (64 * 1024usize).checked_div(bytes) {
                parallel.for_chunks(to, bytes, grain, |first, run| {
                    let rows = &rows[first..];
                    for (position, out) in run.chunks_exact_mut(bytes).enumerate() {
                        if let Some(&soon) = rows.get(position + AHEAD) {
                            prefetch(&from[soon * bytes..][..bytes]);
                        }
                        let row = rows[position];
                        out.copy_from_slice(&from[row * bytes..(row + 1) * bytes]);
                    }
                });
            }
            Ok(out)
        }
    }
}

/// The gradient of the rows that were gathered, as rows.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (handle, indices) = (cx.input(0), cx.input(1));
    let dense_shape = cx.op("VariableShape", &[handle])?;
    let size = cx.op("Size", &[indices])?;
    let zero = cx.scalar(0i32)?;
    let size = cx.op("ExpandDims", &[size, zero])?;
    let begin = cx.constant(Tensor::vector(&[1i32])?)?;
    let rest = cx.constant(Tensor::vector(&[-1i32])?)?;
    let inner = cx.op("Slice", &[dense_shape, begin, rest])?;
    let values_shape = cx.op_with("ConcatV2", &[size, inner, zero], Attrs::new())?;
    let grad = cx.grad(0)?;
    let values = cx.op("Reshape", &[grad, values_shape])?;
    let indices = cx.op("Reshape", &[indices, size])?;
    Ok(vec![Gradient::Sparse { values, indices, dense_shape }, Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::super::handles::testing::stored;
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Element;

    fn gather(params: Tensor, indices: Tensor, batch_dims: i64) -> Result<Tensor> {
        let dtype = params.dtype();
        let (resources, _, handle) = stored(params);
        OpTest::new(register, "ResourceGather")
            .resources(&resources)
            .input(handle)
            .input(indices)
            .attr("dtype", dtype)
            .attr("batch_dims", batch_dims)
            .run_one()
    }

    fn tensor<T: Element>(shape: &[usize], values: &[T]) -> Tensor {
        Tensor::from_slice(shape, values).unwrap()
    }

    #[test]
    fn rows_in_any_order_and_shape() {
        let params = || tensor(&[3, 2], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let out = gather(params(), tensor(&[2, 1], &[2i32, 0]), 0).unwrap();
        assert_eq!(out.dims(), &[2, 1, 2]);
        assert_eq!(out.as_slice::<f32>().unwrap(), &[5.0, 6.0, 1.0, 2.0]);
        let one = gather(params(), Tensor::scalar(1i64), 0).unwrap();
        assert_eq!(one.as_slice::<f32>().unwrap(), &[3.0, 4.0]);
        let none = gather(params(), tensor::<i64>(&[0], &[]), 0).unwrap();
        assert_eq!(none.dims(), &[0, 2]);
    }

    #[test]
    fn each_batch_has_its_own_indices() {
        let params = tensor(&[2, 3], &[1i32, 2, 3, 4, 5, 6]);
        let out = gather(params.clone(), tensor(&[2, 2], &[2i32, 0, 1, 1]), 1).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), &[3, 1, 5, 5]);
        assert!(gather(params.clone(), tensor(&[1, 2], &[2i32, 0]), 1).is_err());
        assert!(gather(params.clone(), tensor(&[2, 3], &[0i32; 6]), 2).is_err());
        let negative = gather(params, tensor(&[2, 2], &[0i32; 4]), -1).unwrap_err();
        assert!(negative.message().contains("batch_dims is negative (-1)"));
        let empty = Tensor::zeros(DataType::Float, [0, 3]).unwrap();
        let none = gather(empty, tensor::<i32>(&[0, 2], &[]), 1).unwrap();
        assert_eq!(none.dims(), &[0, 2]);
    }

    #[test]
    fn indices_outside_are_named() {
        let params = || tensor(&[3, 2], &[0f32; 6]);
        for bad in [3i32, -1, i32::MIN] {
            let e = gather(params(), tensor(&[1, 2], &[0, bad]), 0).unwrap_err();
            let wanted = format!("indices[0,1] = {bad} is not in [0, 3)");
            assert!(e.message().contains(&wanted), "{e}");
        }
        assert!(gather(Tensor::scalar(1f32), Tensor::scalar(0i32), 0).is_err());
    }

    #[test]
    fn strings_and_wide_rows() {
        let words = vec!["a".into(), "b".into()];
        let words = Tensor::from_strings([2], words).unwrap();
        let out = gather(words, tensor(&[3], &[1i32, 1, 0]), 0).unwrap();
        assert_eq!(&out.strings().unwrap()[2][..], b"a");
        let wide: Vec<i64> = (0..100_000).collect();
        let out = gather(tensor(&[100, 1000], &wide), tensor(&[50], &[7i32; 50]), 0).unwrap();
        assert!(
            out.as_slice::<i64>()
                .unwrap()
                .chunks(1000)
                .all(|row| row[0] == 7000 && row[999] == 7999)
        );
    }
}
