//! GatherNd: slices of a tensor picked by index tuples.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use super::index_tuples::{BadIndices, IndexTuples};
use crate::units::{Unit, dispatch_units};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "GatherNd(params: Tparams, indices: Tindices) -> (output: Tparams)
                Tparams: type
                Tindices: {int16, int32, int64}
                bad_indices_policy: string = ''",
        )?
        .shape(shape)
        .gradient(gradient),
        |build| Ok(KernelBox::new(GatherNd(BadIndices::from_attrs(build)?))),
    )
}

struct GatherNd(BadIndices);

impl Kernel for GatherNd {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (params, indices) = (cx.input(0), cx.input(1));
        let Some((&depth, outer)) = indices.dims().split_last() else {
            return Err(Status::invalid_argument("indices must be at least a vector"));
        };
        if params.rank() == 0 {
            return Err(Status::invalid_argument("params must be at least a vector"));
        }
        if depth > params.rank() {
            return Err(Status::invalid_argument(format!(
                "index innermost dimension length must be <= params rank; saw: {depth} vs. {}",
                params.rank()
            )));
        }
        if depth > 7 {
            return Err(Status::invalid_argument(format!(
                "Only indices.shape[-1] values between 1 and 7 are currently supported.  \
                 Requested rank: {depth}"
            )));
        }
        let shape: Shape = outer.iter().chain(&params.dims()[depth..]).copied().collect();
        let rows: usize = downpour_tensor::checked_elements(outer)?;
        if rows > 0 && params.is_empty() {
            return Err(Status::invalid_argument(format!(
                "Requested more than 0 entries, but params is empty.  Params shape: {}",
                params.shape()
            )));
        }
        let output = dispatch_units!(params.dtype(), T => {
            self.gather::<T>(params, indices, shape, cx)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

impl GatherNd {
    fn gather<T: Unit>(
        &self,
        params: &Tensor,
        indices: &Tensor,
        shape: Shape,
        cx: &OpContext<'_>,
    ) -> Result<Tensor> {
        let tuples = IndexTuples::new(indices, params.dims())?;
        let source = T::view(params)?;
        let inner = tuples.inner();
        T::build(params.dtype(), shape, |out| {
            if out.is_empty() {
                return Ok(());
            }
            if self.0 == BadIndices::Error
                && let Some(bad) = tuples.first_outside()
            {
                return Err(Status::invalid_argument(format!(
                    "indices{} does not index into param shape {}",
                    tuples.describe(bad),
                    params.shape()
                )));
            }
            let grain = (4096 / inner).max(16);
            cx.parallel().for_chunks(out, inner, grain, |first, chunk| {
                for (i, row) in chunk.chunks_exact_mut(inner).enumerate() {
                    match tuples.offset(first + i) {
                        Some(from) => row.clone_from_slice(&source[from..from + inner]),
                        None => row.fill(T::default()),
                    }
                }
            });
            Ok(())
        })
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let params = cx.input(0);
    let indices = cx.with_rank_at_least(1, 1)?;
    let Some((&depth, outer)) = indices.dims().and_then(|d| d.split_last()) else {
        return Ok(());
    };
    let (Some(depth), Some(rank)) = (depth, params.rank()) else { return Ok(()) };
    if depth > rank {
        return Err(Status::invalid_argument(format!(
            "indices.shape[-1] must be <= params.rank, but saw indices shape: {indices} and params \
             shape: {params} for {}",
            cx.describe()
        )));
    }
    let out = PartialShape::of(outer.iter().copied()).concat(&params.subshape(depth, rank));
    cx.set_output(0, out);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (params, indices) = (cx.input(0), cx.input(1));
    let dtype = cx.dtype(indices);
    let attrs = downpour_graph::Attrs::new().with("out_type", dtype);
    let shape = cx.op_with("Shape", &[params], attrs)?;
    let dense = cx.op("ScatterNd", &[indices, grad, shape])?;
    Ok(vec![Gradient::Dense(dense), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn test(params: Tensor, dims: &[usize], indices: &[i32]) -> OpTest {
        OpTest::new(register, "GatherNd")
            .input(params)
            .input(Tensor::from_slice(dims, indices).unwrap())
    }

    #[test]
    fn tuples_pick_elements_and_slices() {
        let x = Tensor::from_vec([2, 2], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
        let y = test(x.clone(), &[2, 2], &[0, 1, 1, 0]).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[2.0, 3.0]);
        let y = test(x.clone(), &[1, 1], &[1]).run_one().unwrap();
        assert_eq!((y.dims(), y.as_slice::<f32>().unwrap()), (&[1, 2][..], &[3.0, 4.0][..]));
        let y = test(x, &[2, 0], &[]).run_one().unwrap();
        assert_eq!(y.dims(), &[2, 2, 2]);
    }

    #[test]
    fn bad_tuples_are_refused_or_zero() {
        let x = Tensor::from_vec([2], vec![1f32, 2.0]).unwrap();
        let e = test(x.clone(), &[1, 1], &[5]).run_one().unwrap_err();
        assert!(
            e.message().contains("indices[0] = [5] does not index into param shape [2]"),
            "{e}"
        );
        let y = test(x.clone(), &[1, 1], &[5]).attr("bad_indices_policy", "IGNORE").run_one();
        assert_eq!(y.unwrap().as_slice::<f32>().unwrap(), &[0.0]);
        assert!(test(x, &[1, 2], &[0, 0]).run_one().is_err());
        let none = Tensor::from_vec([0, 3], Vec::<f32>::new()).unwrap();
        assert!(test(none, &[1, 1], &[0]).run_one().is_err());
    }
}
