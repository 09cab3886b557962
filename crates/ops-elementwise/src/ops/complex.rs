//! Complex numbers from their parts and back.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Complex64, Complex128, DataType, Result, Status, Tensor};

use crate::driver::{Cost, Elementwise};
use crate::gradients::{self, Rule};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Complex(real: T, imag: T) -> (out: Tout)
                T: {float, double} = float
                Tout: {complex64, complex128} = complex64",
        )?
        .shape(shapes::broadcast_binary)
        .gradient(complex_gradient),
        |build| match parts(build.output_dtype(0), build.input_dtype(0), build)? {
            Parts::Single => Ok(Elementwise::new(
                build,
                Cost::Cheap,
                row!(f32 => Complex64, |x, y| Complex64::new(x, y)),
            )
            .boxed()),
            Parts::Double => Ok(Elementwise::new(
                build,
                Cost::Cheap,
                row!(f64 => Complex128, |x, y| Complex128::new(x, y)),
            )
            .boxed()),
        },
    )?;
    macro_rules! parts_of {
        ($($name:literal ($input:literal -> $output:literal) $cost:ident $gradient:expr, |$z:ident| $body:expr;)*) => {$(
            let signature = concat!(
                $name,
                "(", $input, ": T) -> (", $output, ": Tout)
                T: {complex64, complex128} = complex64
                Tout: {float, double} = float"
            );
            registry.add(
                OpSpec::new(signature)?.shape(shapes::unchanged).gradient($gradient),
                |build| match parts(build.input_dtype(0), build.output_dtype(0), build)? {
                    Parts::Single => Ok(Elementwise::new(
                        build, Cost::$cost, row!(Complex64 => f32, |$z| $body)).boxed()),
                    Parts::Double => Ok(Elementwise::new(
                        build, Cost::$cost, row!(Complex128 => f64, |$z| $body)).boxed()),
                },
            )?;
        )*};
    }
    parts_of! {
        "Real" ("input" -> "output") Cheap real_gradient, |z| z.re;
        "Imag" ("input" -> "output") Cheap imag_gradient, |z| z.im;
        "Angle" ("input" -> "output") Moderate angle_gradient, |z| z.im.atan2(z.re);
        "ComplexAbs" ("x" -> "y") Moderate abs_gradient, |z| z.re.hypot(z.im);
    }
    registry.add(
        OpSpec::new(
            "Conj(input: T) -> (output: T)
                T: {complex64, complex128, variant} = complex64",
        )?
        .shape(shapes::unchanged)
        .gradient(conj_gradient),
        |build| {
            if build.input_dtype(0) == DataType::Variant {
                return Ok(KernelBox::function(conjugate_variants));
            }
            elementwise!(build, Cost::Cheap, complex, |z| z.conj())
        },
    )
}

/// Conj of values such as sparse matrices.
fn conjugate_variants(cx: &mut OpContext<'_>) -> Result<()> {
    let input = cx.input(0);
    let variants = input.variants()?;
    let output = Tensor::build_variants(input.shape().clone(), |i| match variants[i].value() {
        Some(value) => value.conjugate(),
        None => Err(Status::invalid_argument("an empty variant has no conjugate")),
    })?;
    cx.set_output(0, output);
    Ok(())
}

enum Parts {
    Single,
    Double,
}

/// Both types must be of one precision.
fn parts(complex: DataType, real: DataType, build: &KernelBuild<'_>) -> Result<Parts> {
    match (complex, real) {
        (DataType::Complex64, DataType::Float) => Ok(Parts::Single),
        (DataType::Complex128, DataType::Double) => Ok(Parts::Double),
        _ => Err(Status::invalid_argument(format!(
            "{} has no CPU kernel between {complex} and {real}: the parts of a complex64 are float, \
             those of a complex128 double",
            build.op_name()
        ))),
    }
}

fn real_type(complex: DataType) -> DataType {
    if complex == DataType::Complex128 { DataType::Double } else { DataType::Float }
}

fn part(cx: &mut GradientContext<'_, '_>, op: &str, z: Endpoint) -> Result<Endpoint> {
    let dtype = real_type(cx.dtype(z));
    cx.op_with(op, &[z], Attrs::new().with("Tout", dtype))
}

fn combine(cx: &mut GradientContext<'_, '_>, real: Endpoint, imag: Endpoint) -> Result<Endpoint> {
    let double = cx.dtype(real) == DataType::Double;
    let dtype = if double { DataType::Complex128 } else { DataType::Complex64 };
    cx.op_with("Complex", &[real, imag], Attrs::new().with("Tout", dtype))
}

fn complex_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let real = part(cx, "Real", grad)?;
    let imag = part(cx, "Imag", grad)?;
    gradients::binary(cx, real, imag)
}

fn real_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let zero = cx.number(0.0, grad)?;
    gradients::unary(combine(cx, grad, zero)?)
}

fn imag_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let zero = cx.number(0.0, grad)?;
    gradients::unary(combine(cx, zero, grad)?)
}

/// -grad / (y + i x) for z = x + i y.
fn angle_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let z = cx.input(0);
    let (re, im) = (part(cx, "Real", z)?, part(cx, "Imag", z)?);
    let rotated = combine(cx, im, re)?;
    let zero = cx.number(0.0, grad)?;
    let complex_grad = combine(cx, grad, zero)?;
    let inverse = cx.op("Reciprocal", &[rotated])?;
    let product = cx.op("Mul", &[complex_grad, inverse])?;
    let negative = cx.op("Neg", &[product])?;
    gradients::unary(negative)
}

fn abs_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let zero = cx.number(0.0, grad)?;
    let complex_grad = combine(cx, grad, zero)?;
    let numerator = cx.op("Mul", &[complex_grad, cx.input(0)])?;
    let denominator = combine(cx, cx.output(0), zero)?;
    gradients::unary(cx.op("DivNoNan", &[numerator, denominator])?)
}

fn conj_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    Ok(vec![Gradient::Dense(cx.op("Conj", &[grad])?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn parts_and_wholes() {
        let test = OpTest::new(register, "Complex").attr("Tout", DataType::Complex128);
        let z = test.input(Tensor::scalar(3f64)).input(Tensor::vector(&[4f64]).unwrap());
        let z = z.run_one().unwrap();
        assert_eq!(z.as_slice::<Complex128>().unwrap(), &[Complex128::new(3.0, 4.0)]);
        let run = |op: &str| {
            let test = OpTest::new(register, op).attr("Tout", DataType::Double).input(z.clone());
            test.run_one().unwrap().as_slice::<f64>().unwrap()[0]
        };
        assert_eq!((run("Real"), run("Imag"), run("ComplexAbs")), (3.0, 4.0, 5.0));
        assert_eq!(run("Angle"), 4f64.atan2(3.0));
        let conj = OpTest::new(register, "Conj").input(z.clone()).run_one().unwrap();
        assert_eq!(conj.as_slice::<Complex128>().unwrap(), &[Complex128::new(3.0, -4.0)]);
    }

    #[test]
    fn mixed_precision_is_refused() {
        let z = Tensor::scalar(Complex128::new(3.0, 4.0));
        assert!(OpTest::new(register, "Real").input(z).run().is_err());
    }
}
