//! UpperBound, LowerBound and Bucketize: places of values among sorted ones.

use downpour_graph::{OpSpec, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, RealNumber, Result, Status, Tensor, dispatch_over, dispatch_real};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let signature = |name: &str| -> Result<OpSpec> {
        Ok(OpSpec::new(&format!(
            "{name}(sorted_inputs: T, values: T) -> (output: out_type)
                T: type
                out_type: {{int32, int64}} = int32"
        ))?
        .shape(infer)
        .not_differentiable())
    };
    registry.add(signature("UpperBound")?, |build| bound(build, true))?;
    registry.add(signature("LowerBound")?, |build| bound(build, false))?;
    registry.add(
        OpSpec::new(
            "Bucketize(input: T) -> (output: int32)
                T: {int32, int64, float, double}
                boundaries: list(float)",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        bucketize,
    )
}

struct Bound {
    upper: bool,
    out_type: DataType,
}

fn bound(build: &KernelBuild<'_>, upper: bool) -> Result<KernelBox> {
    Ok(KernelBox::new(Bound { upper, out_type: build.dtype("out_type")? }))
}

impl Kernel for Bound {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (sorted, values) = (cx.input(0), cx.input(1));
        for (name, tensor) in [("sorted_inputs", sorted), ("values", values)] {
            if tensor.rank() != 2 {
                return Err(Status::invalid_argument(format!(
                    "Shape must be rank 2 but is rank {} for `{name}` argument",
                    tensor.rank()
                )));
            }
        }
        if sorted.dims()[0] != values.dims()[0] {
            return Err(Status::invalid_argument("Leading dim_size of both tensors must match."));
        }
        if self.out_type == DataType::Int32 && sorted.dims()[1] >= i32::MAX as usize {
            return Err(Status::invalid_argument(format!(
                "trailing dim_size must less than INT_MAX for int32 output type, was {}",
                sorted.dims()[1]
            )));
        }
        let places = dispatch_real!(sorted.dtype(), cx.node().op_name(), T => {
            places::<T>(sorted, values, self.upper)
        })?;
        let output = if self.out_type == DataType::Int64 {
            places
        } else {
            let places = places.as_slice::<i64>()?;
            Tensor::build(values.shape(), |out: &mut [i32]| {
                out.iter_mut().zip(places).for_each(|(o, &p)| *o = p as i32);
            })?
        };
        cx.set_output(0, output);
        Ok(())
    }
}

fn places<T: RealNumber>(sorted: &Tensor, values: &Tensor, upper: bool) -> Result<Tensor> {
    let (width, count) = (sorted.dims()[1], values.dims()[1]);
    let (sorted, wanted) = (sorted.as_slice::<T>()?, values.as_slice::<T>()?);
    Tensor::build(values.shape(), |out: &mut [i64]| {
        if count == 0 {
            return;
        }
        for (i, (out, wanted)) in
            out.chunks_exact_mut(count).zip(wanted.chunks_exact(count)).enumerate()
        {
            let row = &sorted[i * width..(i + 1) * width];
            for (o, &value) in out.iter_mut().zip(wanted) {
                *o = if upper {
                    // Written as "not less" because NaN is less than nothing and so comes last.
                    #[allow(clippy::neg_cmp_op_on_partial_ord, reason = "NaN must come last")]
                    row.partition_point(|&s| !(value < s))
                } else {
                    row.partition_point(|&s| s < value)
                } as i64;
            }
        }
    })
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let sorted = cx.with_rank(0, 2)?;
    let values = cx.with_rank(1, 2)?;
    cx.merge_dim(sorted.dim(0), values.dim(0))?;
    cx.set_output(0, values);
    Ok(())
}

struct Bucketize {
    boundaries: Vec<f32>,
}

fn bucketize(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let boundaries = build.floats("boundaries")?;
    if boundaries.windows(2).any(|w| w[1] < w[0]) {
        return Err(Status::invalid_argument("Expected sorted boundaries"));
    }
    Ok(KernelBox::new(Bucketize { boundaries }))
}

/// Compares with a boundary in the wider of the two types, as C++ does: float for integers.
trait Below: Copy {
    fn below(self, boundary: f32) -> bool;
}
macro_rules! below {
    ($($ty:ty => $wide:ty),*) => {$(impl Below for $ty {
        fn below(self, boundary: f32) -> bool { (self as $wide) < (boundary as $wide) }
    })*};
}
below!(i32 => f32, i64 => f32, f32 => f32, f64 => f64);

impl Kernel for Bucketize {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let output = dispatch_over!(input.dtype(), "Bucketize", T => {
            let values = input.as_slice::<T>()?;
            Tensor::build(input.shape(), |out: &mut [i32]| {
                for (o, &value) in out.iter_mut().zip(values) {
                    *o = self.boundaries.partition_point(|&b| !value.below(b)) as i32;
                }
            })
        }, Int32: i32, Int64: i64, Float: f32, Double: f64)?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(op: &str, sorted: &[f32], values: &[f32]) -> Vec<i32> {
        let row = |v: &[f32]| Tensor::from_slice([1, v.len()], v).unwrap();
        let test = OpTest::new(register, op).input(row(sorted)).input(row(values));
        test.run_one().unwrap().as_slice::<i32>().unwrap().to_vec()
    }

    #[test]
    fn bounds() {
        assert_eq!(run("UpperBound", &[0.0, 3.0, 3.0, 9.0], &[2.0, 3.0, 10.0]), [1, 3, 4]);
        assert_eq!(run("LowerBound", &[0.0, 3.0, 3.0, 9.0], &[2.0, 3.0, 10.0]), [1, 1, 4]);
        assert_eq!(run("LowerBound", &[], &[2.0]), [0]);
        let vector = Tensor::vector(&[1f32]).unwrap();
        let bad = OpTest::new(register, "UpperBound").input(vector.clone()).input(vector);
        assert!(bad.run().is_err());
    }

    #[test]
    fn buckets() {
        let run = |boundaries: Vec<f32>| {
            OpTest::new(register, "Bucketize")
                .attr("boundaries", boundaries)
                .input(Tensor::vector(&[-5i32, 0, 10, 150]).unwrap())
                .run_one()
        };
        let y = run(vec![0.0, 10.0, 100.0]).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[0, 1, 2, 3]);
        assert_eq!(run(vec![]).unwrap().as_slice::<i32>().unwrap(), &[0; 4]);
        assert!(run(vec![1.0, 0.0]).is_err());
    }
}
