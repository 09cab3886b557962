//! Comparisons: equality of anything, order of real numbers.

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::broadcast::broadcast_shape;
use downpour_tensor::{
    Complex64, Complex128, DataType, QInt8, QInt16, QInt32, QUInt8, QUInt16, Result, Status, Tensor,
};

use super::strings;
use crate::driver::{Cost, Elementwise};
use crate::number::Number;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let equality = |name: &str| {
        let signature = format!(
            "{name}(x: T, y: T) -> (z: bool) @commutative
                T: type
                incompatible_shape_error: bool = true"
        );
        Ok(OpSpec::new(&signature)?.shape(equality_shape).not_differentiable())
    };
    registry.add(equality("Equal")?, |build| {
        let kernel = match build.input_dtype(0) {
            DataType::String => KernelBox::function(|cx| compare_strings(cx, true)),
            _ => elementwise!(@list build, Cost::Cheap,
                [f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool Complex64 Complex128
                 QInt8 QUInt8 QInt16 QUInt16 QInt32] => bool, |x, y| x == y)?,
        };
        tolerant(build, kernel, false)
    })?;
    registry.add(equality("NotEqual")?, |build| {
        let kernel = match build.input_dtype(0) {
            DataType::String => KernelBox::function(|cx| compare_strings(cx, false)),
            _ => elementwise!(@list build, Cost::Cheap,
                [f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool Complex64 Complex128
                 QInt8 QUInt8 QInt16 QUInt16 QInt32] => bool, |x, y| x != y)?,
        };
        tolerant(build, kernel, true)
    })?;
    let order = |name: &str| {
        let signature = format!(
            "{name}(x: T, y: T) -> (z: bool)
                T: {{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}}"
        );
        Ok(OpSpec::new(&signature)?.shape(shapes::broadcast_binary).not_differentiable())
    };
    registry.add(
        order("Less")?,
        |build| elementwise!(build, Cost::Cheap, real => bool, |x, y| x < y),
    )?;
    registry.add(
        order("LessEqual")?,
        |build| elementwise!(build, Cost::Cheap, real => bool, |x, y| x <= y),
    )?;
    registry.add(
        order("Greater")?,
        |build| elementwise!(build, Cost::Cheap, real => bool, |x, y| x > y),
    )?;
    registry.add(
        order("GreaterEqual")?,
        |build| elementwise!(build, Cost::Cheap, real => bool, |x, y| x >= y),
    )?;
    registry.add(
        OpSpec::new(
            "ApproximateEqual(x: T, y: T) -> (z: bool) @commutative
                T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}
                tolerance: float = 1e-05",
        )?
        .shape(shapes::all_equal)
        .not_differentiable(),
        approximate_equal,
    )
}

fn compare_strings(cx: &mut OpContext<'_>, equal: bool) -> Result<()> {
    let result = strings::compared(cx.input(0), cx.input(1), equal)?;
    cx.set_output(0, result);
    Ok(())
}

/// With `incompatible_shape_error` false, tensors whose shapes cannot be broadcast are just unequal.
struct Tolerant {
    kernel: Box<dyn Kernel>,
    unequal: bool,
}

fn tolerant(build: &KernelBuild<'_>, kernel: KernelBox, unequal: bool) -> Result<KernelBox> {
    match (build.bool("incompatible_shape_error")?, kernel) {
        (false, KernelBox::Sync(kernel)) => Ok(KernelBox::new(Tolerant { kernel, unequal })),
        (_, kernel) => Ok(kernel),
    }
}

impl Kernel for Tolerant {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        if broadcast_shape(cx.input(0).dims(), cx.input(1).dims()).is_err() {
            cx.set_output(0, Tensor::scalar(self.unequal));
            return Ok(());
        }
        self.kernel.compute(cx)
    }
}

fn equality_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    if cx.node().bool("incompatible_shape_error")? {
        return shapes::broadcast_binary(cx);
    }
    let (x, y) = (cx.input(0), cx.input(1));
    let known = x.is_fully_known() && y.is_fully_known();
    let shape = match shapes::broadcast(x, y) {
        Ok(shape) if known => shape,
        Err(_) => PartialShape::scalar(),
        // An unknown size could still turn out not to fit.
        Ok(_) => PartialShape::unknown(),
    };
    cx.set_output(0, shape);
    Ok(())
}

/// |x - y| < tolerance; integers compare their wrapping difference.
fn approximate_equal(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let tolerance = build.float("tolerance")?;
    macro_rules! kernels {
        ($([$($t:ident)*] $magnitude:expr, $limit:expr;)*) => {
            match crate::driver::computed_type(build.input_dtype(0)) {
                $($(<$t as downpour_tensor::Element>::DTYPE => {
                    let row = row!($t => bool, |x, y, limit| $magnitude(x, y) < $limit(limit));
                    let parameter = <$t as Tolerance>::from_f32(tolerance);
                    Ok(SameShape::wrap(Elementwise::new(build, Cost::Cheap, row).parameter(parameter)))
                })*)*
                _ => Err(Elementwise::<f32, f32, 1>::unsupported(build)),
            }
        };
    }
    kernels! {
        [f32 f64] |x: T, y: T| (x - y).abs(), |limit: T| limit;
        [i8 i16 i32 i64] |x: T, y: T| x.minus(y).wrapping_abs(), |limit: T| limit;
        [u8 u16 u32 u64] |x: T, y: T| x.minus(y), |limit: T| limit;
        [Complex64 Complex128] |x: T, y: T| (x - y).norm(), |limit: T| limit.re;
    }
}

/// The attribute in the type of the operands: for integers its whole part.
trait Tolerance {
    fn from_f32(value: f32) -> Self;
}
macro_rules! tolerances {
    ($($t:ident)*) => {$(impl Tolerance for $t { fn from_f32(value: f32) -> $t { value as $t } })*};
}
tolerances!(f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);
impl Tolerance for Complex64 {
    fn from_f32(value: f32) -> Complex64 {
        Complex64::new(value, 0.0)
    }
}
impl Tolerance for Complex128 {
    fn from_f32(value: f32) -> Complex128 {
        Complex128::new(value as f64, 0.0)
    }
}

/// Insists on equal shapes.
struct SameShape(Box<dyn Kernel>);

impl SameShape {
    fn wrap(kernel: impl Kernel + 'static) -> KernelBox {
        KernelBox::new(SameShape(Box::new(kernel)))
    }
}

impl Kernel for SameShape {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (x, y) = (cx.input(0).shape(), cx.input(1).shape());
        if x != y {
            return Err(Status::invalid_argument(format!(
                "x and y must be of the same shape. x shape: {x}. y shape: {y}"
            )));
        }
        self.0.compute(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{ByteString, f16};

    fn run(op: &str, a: Tensor, b: Tensor) -> Result<Vec<bool>> {
        let out = OpTest::new(register, op).input(a).input(b).run_one()?;
        Ok(out.as_slice::<bool>()?.to_vec())
    }

    #[test]
    fn order_and_equality() {
        let x = Tensor::vector(&[1f32, 2.0, f32::NAN]).unwrap();
        let y = Tensor::vector(&[2f32, 2.0, f32::NAN]).unwrap();
        let at = |op| run(op, x.clone(), y.clone()).unwrap();
        assert_eq!(at("Less"), [true, false, false]);
        assert_eq!(at("LessEqual"), [true, true, false]);
        assert_eq!(at("Greater"), [false, false, false]);
        assert_eq!(at("GreaterEqual"), [false, true, false]);
        assert_eq!(at("Equal"), [false, true, false]);
        assert_eq!(at("NotEqual"), [true, false, true]);
        let h = Tensor::vector(&[f16::from_f32(1.0)]).unwrap();
        assert_eq!(run("Equal", h.clone(), h).unwrap(), [true]);
    }

    #[test]
    fn strings_and_booleans() {
        let a =
            Tensor::from_strings([2], vec![ByteString::from("a"), ByteString::from("b")]).unwrap();
        assert_eq!(run("Equal", a.clone(), Tensor::string("a")).unwrap(), [true, false]);
        assert_eq!(run("NotEqual", a, Tensor::string("a")).unwrap(), [false, true]);
        assert_eq!(run("Equal", Tensor::scalar(true), Tensor::scalar(false)).unwrap(), [false]);
    }

    #[test]
    fn shapes_that_do_not_fit_are_unequal_on_request() {
        let a = Tensor::vector(&[1i32, 2]).unwrap();
        let b = Tensor::vector(&[1i32, 2, 3]).unwrap();
        assert!(run("Equal", a.clone(), b.clone()).is_err());
        for (op, expected) in [("Equal", false), ("NotEqual", true)] {
            let test = OpTest::new(register, op).attr("incompatible_shape_error", false);
            let out = test.input(a.clone()).input(b.clone()).run_one().unwrap();
            assert_eq!(out.to_scalar::<bool>().unwrap(), expected);
        }
    }

    #[test]
    fn nearly_equal() {
        let x = Tensor::vector(&[1f32, 2.0]).unwrap();
        let y = Tensor::vector(&[1.000001f32, 2.1]).unwrap();
        assert_eq!(run("ApproximateEqual", x, y).unwrap(), [true, false]);
        let a = Tensor::scalar(1f32);
        assert!(run("ApproximateEqual", a, Tensor::vector(&[1f32, 2.0]).unwrap()).is_err());
    }
}
