//! Fill, ZerosLike, OnesLike and Empty: tensors of one value.

use downpour_graph::{Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Parallel, Registry};
use downpour_tensor::{
    Complex64, Complex128, DataType, Result, Shape, Status, Tensor, bf16, dispatch_over, f16,
};

use crate::movement::{Moves, rearrange};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Fill(dims: index_type, value: T) -> (output: T)
                T: type
                index_type: {int32, int64} = int32",
        )?
        .shape(shapes::from_first_input_value)
        .gradient(fill_gradient),
        |_| Ok(KernelBox::function(fill)),
    )?;
    registry.add(
        OpSpec::new("ZerosLike(x: T) -> (y: T)\n T: type")?
            .shape(shapes::unchanged)
            .not_differentiable(),
        |_| Ok(KernelBox::function(zeros_like)),
    )?;
    registry.add(
        OpSpec::new(
            "OnesLike(x: T) -> (y: T)
                T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64, complex64, complex128, bool}",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |_| Ok(KernelBox::function(ones_like)),
    )?;
    registry.add(
        OpSpec::new(
            "Empty(shape: int32) -> (output: dtype) @stateful
                dtype: type
                init: bool = false",
        )?
        .shape(shapes::from_first_input_value)
        .not_differentiable(),
        |build| {
            // Memory is recycled between sessions: without `init` too nobody sees another's.
            build.bool("init")?;
            Ok(KernelBox::new(Empty { dtype: build.dtype("dtype")? }))
        },
    )
}

/// A tensor all of whose elements are the one in `value`.
pub(crate) fn filled(parallel: &Parallel, shape: Shape, value: &Tensor) -> Result<Tensor> {
    let moves = Moves { fill: true, ..Moves::default() };
    rearrange(parallel, value.dtype(), shape, &[value], &moves)
}

fn fill(cx: &mut OpContext<'_>) -> Result<()> {
    let dims = cx.input(0);
    // Old graphs give a scalar for a vector of one size, and [1] for a scalar.
    if dims.rank() > 1 {
        return Err(cx.bad_input(0, format!("must represent a vector, got shape {}", dims.shape())));
    }
    let value = cx.input(1);
    if value.len() != 1 || value.rank() > 1 {
        return Err(
            cx.bad_input(1, format!("must represent a scalar, got shape {}", value.shape()))
        );
    }
    let shape = Shape::from_i64(&dims.to_i64_vec()?)?;
    let output = filled(cx.parallel(), shape, value)?;
    cx.set_output(0, output);
    Ok(())
}

fn fill_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let rank = cx.op("Rank", &[grad])?;
    let (zero, one) = (cx.scalar(0i32)?, cx.scalar(1i32)?);
    let axes = cx.op("Range", &[zero, rank, one])?;
    Ok(vec![Gradient::None, Gradient::Dense(cx.op("Sum", &[grad, axes])?)])
}

fn zeros_like(cx: &mut OpContext<'_>) -> Result<()> {
    let mut input = cx.take(0);
    let output = match input.dtype() {
        DataType::Variant => {
            let zero = |v: &downpour_tensor::Variant| match v.value() {
                Some(value) => value.zeros_like(),
                None => Err(Status::invalid_argument("ZerosLike: an empty variant has no zeros")),
            };
            let zeros = input.variants()?.iter().map(zero).collect::<Result<Vec<_>>>()?;
            Tensor::from_variants(input.shape(), zeros)?
        }
        DataType::Resource => {
            return Err(Status::unimplemented("ZerosLike: resource handles have no zeros"));
        }
        dtype => match input.bytes_mut() {
            Some(bytes) => {
                cx.parallel().for_chunks(bytes, 1, 256 << 10, |_, run| run.fill(0));
                input
            }
            None => Tensor::zeros(dtype, input.shape())?,
        },
    };
    cx.set_output(0, output);
    Ok(())
}

trait One {
    fn one() -> Self;
}
macro_rules! ones {
    ($($ty:ty => $one:expr),* $(,)?) => {$(impl One for $ty { fn one() -> Self { $one } })*};
}
ones! {
    f32 => 1.0, f64 => 1.0, f16 => f16::ONE, bf16 => bf16::ONE,
    i8 => 1, i16 => 1, i32 => 1, i64 => 1, u8 => 1, u16 => 1, u32 => 1, u64 => 1, bool => true,
    Complex64 => Complex64::new(1.0, 0.0), Complex128 => Complex128::new(1.0, 0.0),
}

fn ones_like(cx: &mut OpContext<'_>) -> Result<()> {
    let input = cx.input(0);
    let one = dispatch_over!(input.dtype(), "OnesLike", T => Ok(Tensor::scalar(<T as One>::one())),
        Float: f32, Double: f64, Half: f16, BFloat16: bf16,
        Int8: i8, Int16: i16, Int32: i32, Int64: i64,
        UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64, Bool: bool,
        Complex64: Complex64, Complex128: Complex128)?;
    let output = filled(cx.parallel(), input.shape().clone(), &one)?;
    cx.set_output(0, output);
    Ok(())
}

struct Empty {
    dtype: DataType,
}

impl Kernel for Empty {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let dims = cx.input(0);
        if dims.rank() != 1 {
            return Err(
                cx.bad_input(0, format!("must be a vector of int32, got shape {}", dims.shape()))
            );
        }
        let shape = Shape::from_i64(&dims.to_i64_vec()?)?;
        cx.set_output(0, Tensor::zeros(self.dtype, shape)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn fill(dims: &[i32], value: Tensor) -> Result<Tensor> {
        OpTest::new(register, "Fill").input(Tensor::vector(dims).unwrap()).input(value).run_one()
    }

    #[test]
    fn one_value_everywhere() {
        let y = fill(&[2, 2], Tensor::scalar(3f64)).unwrap();
        assert_eq!(y.as_slice::<f64>().unwrap(), &[3.0; 4]);
        assert_eq!(fill(&[2], Tensor::string("a")).unwrap().strings().unwrap()[1], "a");
        assert_eq!(fill(&[0], Tensor::scalar(1i32)).unwrap().len(), 0);
        assert_eq!(fill(&[], Tensor::scalar(1i32)).unwrap().dims(), &[] as &[usize]);
        assert!(fill(&[-1], Tensor::scalar(1i32)).is_err());
        assert!(fill(&[1], Tensor::vector(&[1i32, 2]).unwrap()).is_err());
    }

    #[test]
    fn zeros_and_ones() {
        let x = Tensor::vector(&[5i16, 6]).unwrap();
        let run = |op: &str| OpTest::new(register, op).input(x.clone()).run_one().unwrap();
        assert_eq!(run("ZerosLike").as_slice::<i16>().unwrap(), &[0, 0]);
        assert_eq!(run("OnesLike").as_slice::<i16>().unwrap(), &[1, 1]);
        assert_eq!(x.as_slice::<i16>().unwrap(), &[5, 6]);
        let strings = Tensor::from_strings([1], vec!["q".into()]).unwrap();
        let y = OpTest::new(register, "ZerosLike").input(strings).run_one().unwrap();
        assert_eq!(y.strings().unwrap()[0], "");
    }

    #[test]
    fn empty_shows_nobody_elses_memory() {
        let large = [1i32 << 10, 1 << 10];
        let secret = Tensor::from_vec([1 << 20], vec![7f32; 1 << 20]).unwrap();
        drop(secret);
        for (init, shape) in [(true, [2, 3]), (false, [2, 3]), (false, large)] {
            let y = OpTest::new(register, "Empty")
                .attr("dtype", DataType::Float)
                .attr("init", init)
                .input(Tensor::vector(&shape).unwrap())
                .run_one()
                .unwrap();
            assert!(y.as_slice::<f32>().unwrap().iter().all(|&v| v == 0.0));
        }
    }
}
