//! ResourceGatherNd: slices of a variable chosen by indices of several dimensions.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Parallel, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use super::gather::gather_rows;
use super::handles::variable_shape;
use super::nd_indices::NdIndices;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ResourceGatherNd(resource: resource, indices: Tindices) -> (output: dtype) @stateful
                dtype: type
                Tindices: {int32, int64}",
        )?
        .shape(shape)
        .gradient(gradient),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let params = variable_shape(cx, 0);
    let indices = cx.with_rank_at_least(1, 1)?;
    let (Some(rank), Some([outer @ .., Some(depth)])) = (params.rank(), indices.dims()) else {
        return Ok(());
    };
    if *depth > rank {
        return Err(Status::invalid_argument(format!(
            "indices.shape[-1] must be <= params.rank, but saw indices shape: {indices} and params \
             shape: {params}"
        )));
    }
    let outer = PartialShape::of(outer.iter().copied());
    cx.set_output(0, outer.concat(&params.subshape(*depth, rank)));
    Ok(())
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let variable = cx.variable(0)?;
    let indices = cx.input(1);
    let output = variable.inspect(|params| {
        if params.dtype() != cx.node().output_dtype(0) {
            return Err(Status::invalid_argument(format!(
                "ResourceGatherNd: variable {} holds {}, not {}",
                variable.name(),
                params.dtype(),
                cx.node().output_dtype(0)
            )));
        }
        gather(params, indices, cx.parallel())
    })?;
    cx.set_output(0, output);
    Ok(())
}

fn gather(params: &Tensor, indices: &Tensor, parallel: &Parallel) -> Result<Tensor> {
    if params.rank() == 0 {
        return Err(Status::invalid_argument("params must be at least a vector"));
    }
    let [outer @ .., depth] = indices.dims() else {
        return Err(Status::invalid_argument("indices must be at least a vector"));
    };
    if *depth > params.rank() {
        return Err(Status::invalid_argument(format!(
            "index innermost dimension length must be <= params rank; saw: {depth} vs. {}",
            params.rank()
        )));
    }
    let output: Shape = outer.iter().chain(&params.dims()[*depth..]).copied().collect();
    let chosen = NdIndices::new(params.shape(), indices, *depth)?;
    let rows = chosen.all_inside(indices, params.shape(), "param ")?;
    gather_rows(params, &rows, chosen.width, output, parallel)
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (handle, indices) = (cx.input(0), cx.input(1));
    let out_type = Attrs::new().with("out_type", cx.dtype(indices));
    let shape = cx.op_with("VariableShape", &[handle], out_type)?;
    let grad = cx.grad(0)?;
    let dense = cx.op("ScatterNd", &[indices, grad, shape])?;
    Ok(vec![Gradient::Dense(dense), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::super::handles::testing::stored;
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    fn gather_nd(shape: &[usize], indices: Tensor) -> Result<Tensor> {
        let count: usize = shape.iter().product();
        let values: Vec<f32> = (0..count).map(|v| v as f32).collect();
        let (resources, _, handle) = stored(Tensor::from_slice(shape, &values)?);
        OpTest::new(register, "ResourceGatherNd")
            .resources(&resources)
            .input(handle)
            .input(indices)
            .attr("dtype", DataType::Float)
            .run_one()
    }

    #[test]
    fn elements_slices_and_everything() {
        let i = |shape: &[usize], v: &[i32]| Tensor::from_slice(shape, v).unwrap();
        let out = gather_nd(&[2, 3], i(&[2, 2], &[1, 2, 0, 1])).unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), &[5.0, 1.0]);
        let out = gather_nd(&[2, 3], i(&[1, 1, 1], &[1])).unwrap();
        assert_eq!(
            (out.dims(), out.as_slice::<f32>().unwrap()),
            (&[1, 1, 3][..], &[3.0, 4.0, 5.0][..])
        );
        let out = gather_nd(&[2, 2], i(&[2, 0], &[])).unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), &[0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn bad_indices_are_refused() {
        let e = gather_nd(&[2, 3], Tensor::from_slice([2, 2], &[0i64, 0, 0, 3]).unwrap());
        assert!(
            e.unwrap_err()
                .message()
                .contains("indices[1] = [0, 3] does not index into param shape [2,3]")
        );
        assert!(gather_nd(&[2], Tensor::from_slice([1, 2], &[0i64, 0]).unwrap()).is_err());
        assert!(gather_nd(&[2], Tensor::scalar(0i64)).is_err());
        assert!(gather_nd(&[0, 2], Tensor::from_slice([1, 1], &[0i64]).unwrap()).is_err());
    }
}
