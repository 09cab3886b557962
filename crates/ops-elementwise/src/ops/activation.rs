//! Activation functions of neural networks, with the operations that are their gradients.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::Registry;
use downpour_tensor::Result;

use crate::driver::Cost;
use crate::gradients::{Rule, chain, unary, with_number};
use crate::math::Function;
use crate::number::{Field, Number};

const REAL: &str =
    "float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64";
const FLOAT: &str = "half, bfloat16, float, double";
const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
const SELU_SCALE_ALPHA: f64 = 1.758_099_340_847_376_9;
/// Exponentials of both implementations differ by a few units in the last place, and the
/// subtraction of one multiplies that near zero.
const TOLERANCE: f64 = 1e-5;

fn activation(name: &str, types: &str) -> Result<OpSpec> {
    let signature = format!("{name}(features: T) -> (activations: T)\nT: {{{types}}}");
    Ok(OpSpec::new(&signature)?.shape(shapes::unchanged).tolerance(TOLERANCE))
}

fn backprop(name: &str, second: &str, types: &str) -> Result<OpSpec> {
    let signature = format!("{name}(gradients: T, {second}: T) -> (backprops: T)\nT: {{{types}}}");
    Ok(OpSpec::new(&signature)?.shape(shapes::all_equal).tolerance(TOLERANCE))
}

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    register_relu(registry)?;
    register_leaky_relu(registry)?;
    register_exponential(registry)?;
    register_soft(registry)
}

fn register_relu(registry: &mut Registry) -> Result<()> {
    let relu = activation("Relu", &format!("{REAL}, qint8"))?;
    registry.add(relu.gradient(|cx| from_output(cx, "ReluGrad")), |build| {
        elementwise!(build, Cost::Cheap, real, |x| {
            // NaN passes.
            if x < T::default() { T::default() } else { x }
        })
    })?;
    registry.add(
        backprop("ReluGrad", "features", REAL)?.gradient(|cx| mask_gradient(cx, "ReluGrad")),
        |build| {
            elementwise!(build, Cost::Cheap, real, |g, x| {
                g.times(if x > T::default() { <T as Number>::one() } else { T::default() })
            }; same_shape())
        },
    )?;
    registry.add(
        activation("Relu6", REAL)?.gradient(|cx| from_output(cx, "Relu6Grad")),
        |build| {
            elementwise!(build, Cost::Cheap, real, |x| {
                let x = if x < T::default() { T::default() } else { x };
                if x > 6 as T { 6 as T } else { x }
            })
        },
    )?;
    registry.add(
        backprop("Relu6Grad", "features", REAL)?.gradient(|cx| mask_gradient(cx, "Relu6Grad")),
        |build| {
            elementwise!(build, Cost::Cheap, real, |g, x| {
                let inside = x > T::default() && x < 6 as T;
                g.times(if inside { <T as Number>::one() } else { T::default() })
            }; same_shape())
        },
    )
}

fn register_leaky_relu(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "LeakyRelu(features: T) -> (activations: T)
                alpha: float = 0.2
                T: {half, bfloat16, float, double} = float",
        )?
        .shape(shapes::unchanged)
        .gradient(leaky_gradient),
        |build| {
            let alpha = build.float("alpha")? as f64;
            elementwise!(build, Cost::Cheap, float, |x, alpha| if x > 0.0 { x } else { x * alpha };
                parameter(Field::from_f64(alpha)))
        },
    )?;
    registry.add(
        OpSpec::new(
            "LeakyReluGrad(gradients: T, features: T) -> (backprops: T)
                alpha: float = 0.2
                T: {half, bfloat16, float, double} = float",
        )?
        .shape(shapes::all_equal)
        .gradient(leaky_grad_gradient),
        |build| {
            let alpha = build.float("alpha")? as f64;
            elementwise!(build, Cost::Cheap, float, |g, x, alpha| if x > 0.0 { g } else { g * alpha };
                parameter(Field::from_f64(alpha)); same_shape())
        },
    )
}

fn register_exponential(registry: &mut Registry) -> Result<()> {
    registry.add(activation("Elu", FLOAT)?.gradient(|cx| from_output(cx, "EluGrad")), |build| {
        elementwise!(build, Cost::Moderate, float, |x| {
            let below = Function::exp(x) - 1.0;
            if x < 0.0 { below } else { x }
        })
    })?;
    registry.add(
        backprop("EluGrad", "outputs", FLOAT)?.gradient(|cx| bend_gradient(cx, "EluGrad")),
        |build| {
            elementwise!(build, Cost::Cheap, float, |g, y| {
                if y < 0.0 { (y + 1.0) * g } else { g }
            }; same_shape())
        },
    )?;
    registry.add(
        activation("Selu", FLOAT)?.gradient(|cx| from_output(cx, "SeluGrad")),
        |build| {
            elementwise!(build, Cost::Moderate, float, |x| {
                let below = SELU_SCALE_ALPHA as T * (Function::exp(x) - 1.0);
                if x < 0.0 { below } else { SELU_SCALE as T * x }
            })
        },
    )?;
    registry.add(
        backprop("SeluGrad", "outputs", FLOAT)?.gradient(|cx| bend_gradient(cx, "SeluGrad")),
        |build| {
            elementwise!(build, Cost::Cheap, float, |g, y| {
                if y < 0.0 { g * (y + SELU_SCALE_ALPHA as T) } else { g * SELU_SCALE as T }
            }; same_shape())
        },
    )
}

fn register_soft(registry: &mut Registry) -> Result<()> {
    registry.add(
        activation("Softplus", FLOAT)?.gradient(|cx| chain(cx, |cx, x, _| cx.op("Sigmoid", &[x]))),
        |build| {
            elementwise!(build, Cost::Moderate, float, |x| {
                // Beyond these, log(1 + e^x) is x or e^x to within rounding.
                let limit = -(T::EPSILON.ln() + 2.0);
                let e = Function::exp(x);
                let middle = Function::log_1p(e);
                if x > limit {
                    x
                } else if x < -limit {
                    e
                } else {
                    middle
                }
            })
        },
    )?;
    registry.add(
        backprop("SoftplusGrad", "features", FLOAT)?.gradient(softplus_grad_gradient),
        |build| {
            elementwise!(build, Cost::Moderate, float, |g, x| g / (Function::exp(-x) + 1.0);
                same_shape())
        },
    )?;
    registry.add(activation("Softsign", FLOAT)?.gradient(softsign_gradient), |build| {
        elementwise!(build, Cost::Cheap, float, |x| x / (x.abs() + 1.0))
    })?;
    registry.add(backprop("SoftsignGrad", "features", FLOAT)?, |build| {
        elementwise!(build, Cost::Cheap, float, |g, x| {
            let d = x.abs() + 1.0;
            g / (d * d)
        }; same_shape())
    })
}

fn from_output(cx: &mut GradientContext<'_, '_>, op: &str) -> Rule {
    let grad = cx.grad(0)?;
    let output = cx.output(0);
    unary(cx.op(op, &[grad, output])?)
}

fn pair(a: Endpoint, b: Endpoint) -> Rule {
    Ok(vec![Gradient::Dense(a), Gradient::Dense(b)])
}

/// Piecewise linear: the second derivative is zero.
fn mask_gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Rule {
    let grad = cx.grad(0)?;
    let x = cx.input(1);
    let to_gradients = cx.op(op, &[grad, x])?;
    let zeros = cx.op("ZerosLike", &[x])?;
    pair(to_gradients, zeros)
}

/// Exponential below zero, linear above.
fn bend_gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Rule {
    let grad = cx.grad(0)?;
    let (dy, y) = (cx.input(0), cx.input(1));
    let to_gradients = cx.op(op, &[grad, y])?;
    let below = with_number(cx, "Less", y, 0.0)?;
    let product = cx.op("Mul", &[grad, dy])?;
    let zeros = cx.op("ZerosLike", &[y])?;
    let to_outputs = cx.op("SelectV2", &[below, product, zeros])?;
    pair(to_gradients, to_outputs)
}

fn leaky_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let alpha = cx.node().float("alpha")?;
    let attrs = Attrs::new().with("alpha", alpha);
    unary(cx.op_with("LeakyReluGrad", &[grad, cx.input(0)], attrs)?)
}

fn leaky_grad_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let x = cx.input(1);
    let alpha = cx.node().float("alpha")?;
    let attrs = Attrs::new().with("alpha", alpha);
    let to_gradients = cx.op_with("LeakyReluGrad", &[grad, x], attrs)?;
    let zeros = cx.op("ZerosLike", &[x])?;
    pair(to_gradients, zeros)
}

fn softplus_grad_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let (dy, x) = (cx.input(0), cx.input(1));
    let to_gradients = cx.op("SoftplusGrad", &[grad, x])?;
    let negative = cx.op("Neg", &[x])?;
    let falling = cx.op("Exp", &[negative])?;
    let rising = cx.op("Exp", &[x])?;
    let shifted = with_number(cx, "AddV2", falling, 2.0)?;
    let width = cx.op("AddV2", &[shifted, rising])?;
    let product = cx.op("Mul", &[grad, dy])?;
    let to_features = cx.op("RealDiv", &[product, width])?;
    pair(to_gradients, to_features)
}

fn softsign_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    unary(cx.op("SoftsignGrad", &[grad, cx.input(0)])?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Tensor, bf16};

    fn run1(op: &str, x: &[f32]) -> Vec<f32> {
        let out = OpTest::new(register, op).input(Tensor::vector(x).unwrap()).run_one().unwrap();
        out.as_slice::<f32>().unwrap().to_vec()
    }

    fn run2(op: &str, g: &[f32], x: &[f32]) -> Result<Vec<f32>> {
        let test = OpTest::new(register, op).input(Tensor::vector(g)?).input(Tensor::vector(x)?);
        Ok(test.run_one()?.as_slice::<f32>()?.to_vec())
    }

    fn close(got: &[f32], expected: &[f64]) {
        assert_eq!(got.len(), expected.len());
        for (g, e) in got.iter().zip(expected) {
            assert!((*g as f64 - e).abs() <= 1e-6 * e.abs().max(0.1), "{got:?} but {expected:?}");
        }
    }

    #[test]
    fn rectifiers() {
        assert_eq!(run1("Relu", &[-1.0, 0.0, 7.0]), [0.0, 0.0, 7.0]);
        assert!(run1("Relu", &[f32::NAN])[0].is_nan());
        assert_eq!(run1("Relu6", &[-1.0, 3.0, 7.0]), [0.0, 3.0, 6.0]);
        assert_eq!(run1("LeakyRelu", &[-1.0, 2.0]), [-0.2, 2.0]);
        assert_eq!(run2("ReluGrad", &[5.0, 5.0], &[0.0, 1.0]).unwrap(), [0.0, 5.0]);
        assert_eq!(run2("Relu6Grad", &[5.0, 5.0, 5.0], &[6.0, 1.0, 0.0]).unwrap(), [0.0, 5.0, 0.0]);
        assert_eq!(run2("LeakyReluGrad", &[5.0, 5.0], &[-1.0, 1.0]).unwrap(), [1.0, 5.0]);
        let x = Tensor::vector(&[-3i32, 9]).unwrap();
        let y = OpTest::new(register, "Relu6").input(x).run_one().unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[0, 6]);
    }

    #[test]
    fn the_slope_is_an_attribute() {
        let test = OpTest::new(register, "LeakyRelu").attr("alpha", 0.5f32);
        let y = test.input(Tensor::scalar(bf16::from_f32(-2.0))).run_one().unwrap();
        assert_eq!(y.to_scalar::<bf16>().unwrap(), bf16::from_f32(-1.0));
    }

    #[test]
    fn exponential_and_soft_ones() {
        close(&run1("Elu", &[-1.0, 2.0]), &[(-1f64).exp() - 1.0, 2.0]);
        close(
            &run1("Selu", &[-1.0, 2.0]),
            &[SELU_SCALE_ALPHA * ((-1f64).exp() - 1.0), 2.0 * SELU_SCALE],
        );
        close(&run2("EluGrad", &[2.0, 2.0], &[-0.5, 1.0]).unwrap(), &[1.0, 2.0]);
        close(&run1("Softplus", &[-30.0, 0.0, 30.0]), &[(-30f64).exp(), 2f64.ln(), 30.0]);
        close(&run2("SoftplusGrad", &[1.0], &[0.0]).unwrap(), &[0.5]);
        close(&run1("Softsign", &[-1.0, 3.0]), &[-0.5, 0.75]);
        close(&run2("SoftsignGrad", &[4.0], &[1.0]).unwrap(), &[1.0]);
    }

    #[test]
    fn sizes_must_agree() {
        let error = run2("ReluGrad", &[1.0], &[1.0, 2.0]).unwrap_err();
        assert!(error.message().contains("must have the same size and shape"), "{error}");
    }

    #[test]
    fn shapes_of_one_size_are_not_mistaken_for_each_other() {
        let ones = |shape: &[usize]| Tensor::from_vec(shape, vec![1f32; 6]).unwrap();
        for op in [
            "ReluGrad",
            "Relu6Grad",
            "LeakyReluGrad",
            "EluGrad",
            "SeluGrad",
            "SoftplusGrad",
            "SoftsignGrad",
        ] {
            for (a, b) in [(&[2, 3][..], &[6][..]), (&[6], &[2, 3]), (&[1, 6], &[6])] {
                let test = OpTest::new(register, op).input(ones(a)).input(ones(b));
                let error = test.run_values().err().unwrap();
                assert!(error.message().contains("same size and shape"), "{op}: {error}");
            }
        }
    }
}
