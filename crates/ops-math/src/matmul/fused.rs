//! _FusedMatMul: a product, a bias and an activation in one pass over the result.

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Element, Result, bf16, dispatch_over, f16};

use super::plain;
use super::product::Side;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "_FusedMatMul(a: T, b: T, args: num_args * T) -> (product: T)
                transpose_a: bool = false
                transpose_b: bool = false
                T: {bfloat16, half, float}
                num_args: int >= 0
                fused_ops: list(string) = []
                epsilon: float = 0.0001
                leakyrelu_alpha: float = 0.2",
        )?
        .shape(plain::shape)
        .tolerance(1e-5),
        |build| {
            let side = |attr| Ok(Side { transpose: build.bool(attr)?, conjugate: false });
            let names = build.strings("fused_ops")?;
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let activation = match names[..] {
                ["BiasAdd"] => Activation::Identity,
                ["BiasAdd", name] => Activation::named(name, build.float("leakyrelu_alpha")?)
                    .ok_or_else(|| build.node().unsupported(format!("cannot fuse {name}")))?,
                _ => {
                    return Err(build.node().unsupported(format!(
                        "fused_ops is {names:?}; it must be BiasAdd and at most one activation"
                    )));
                }
            };
            let (a, b) = (side("transpose_a")?, side("transpose_b")?);
            Ok(KernelBox::new(FusedMatMul { a, b, activation }))
        },
    )
}

#[derive(Clone, Copy)]
enum Activation {
    Identity,
    Relu,
    Relu6,
    Elu,
    Tanh,
    Sigmoid,
    LeakyRelu(f32),
    GeluApproximate,
}

impl Activation {
    fn named(name: &str, alpha: f32) -> Option<Activation> {
        Some(match name {
            "Relu" => Activation::Relu,
            "Relu6" => Activation::Relu6,
            "Elu" => Activation::Elu,
            "Tanh" => Activation::Tanh,
            "Sigmoid" => Activation::Sigmoid,
            "LeakyRelu" => Activation::LeakyRelu(alpha),
            "GeluApproximate" => Activation::GeluApproximate,
            _ => return None,
        })
    }
}

struct FusedMatMul {
    a: Side,
    b: Side,
    activation: Activation,
}

impl Kernel for FusedMatMul {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        if cx.inputs_len() != 3 {
            return Err(cx.bad_input(2, "must be one bias vector"));
        }
        let mut product = plain::two_matrices(cx, "_FusedMatMul", self.a, self.b)?;
        let bias = cx.vector_input(2)?;
        let columns = product.dims()[1];
        if bias.len() != columns {
            return Err(cx.bad_input(
                2,
                format!("has {} values but the product has {columns} columns", bias.len()),
            ));
        }
        if !product.is_empty() {
            let activation = self.activation;
            dispatch_over!(product.dtype(), "_FusedMatMul", T => {
                let bias = bias.as_slice::<T>()?;
                let out = product.as_mut_slice::<T>().expect("the product is new");
                cx.parallel().for_chunks(out, columns, (1 << 13) / columns + 1, |_, run| {
                    for row in run.chunks_exact_mut(columns) {
                        epilogue(row, bias, activation);
                    }
                });
                Ok(())
            }, Float: f32, Half: f16, BFloat16: bf16)?;
        }
        cx.set_output(0, product);
        Ok(())
    }
}

trait Narrow: Element {
    fn to_float(self) -> f32;
    fn of_float(v: f32) -> Self;
}
macro_rules! narrow {
    ($($ty:ty, $to:expr, $of:expr;)*) => {$(
        impl Narrow for $ty {
            #[inline(always)] fn to_float(self) -> f32 { $to(self) }
            #[inline(always)] fn of_float(v: f32) -> Self { $of(v) }
        }
    )*};
}
narrow! { f32, |v| v, |v| v; f16, f16::to_f32, f16::from_f32; bf16, bf16::to_f32, bf16::from_f32; }

fn epilogue<T: Narrow>(row: &mut [T], bias: &[T], activation: Activation) {
    // A loop for each activation: the choice stays outside, so the cheap ones vectorise.
    macro_rules! each {
        ($f:expr) => {
            for (value, bias) in row.iter_mut().zip(bias) {
                // The sum is rounded to the element type, as the separate BiasAdd would do.
                let sum = T::of_float(value.to_float() + bias.to_float()).to_float();
                *value = T::of_float($f(sum));
            }
        };
    }
    match activation {
        Activation::Identity => each!(|v| v),
        // Comparisons are written so that not-a-number passes through.
        Activation::Relu => each!(|v: f32| if v < 0.0 { 0.0 } else { v }),
        Activation::Relu6 => each!(|v: f32| v.clamp(0.0, 6.0)),
        Activation::Elu => each!(|v: f32| if v < 0.0 { v.exp_m1() } else { v }),
        Activation::Tanh => each!(|v: f32| v.tanh()),
        Activation::Sigmoid => each!(|v: f32| 1.0 / (1.0 + (-v).exp())),
        Activation::LeakyRelu(alpha) => each!(|v: f32| if v > 0.0 { v } else { v * alpha }),
        Activation::GeluApproximate => each!(|v: f32| {
            let inner = std::f32::consts::FRAC_2_SQRT_PI * std::f32::consts::FRAC_1_SQRT_2;
            0.5 * v * (1.0 + (inner * (v + 0.044715 * v * v * v)).tanh())
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn run(fused: &[&'static str], bias: &[f32]) -> Result<Tensor> {
        let a = Tensor::from_vec([2, 1], vec![1f32, -1.]).unwrap();
        let b = Tensor::from_vec([1, 2], vec![2f32, 3.]).unwrap();
        OpTest::new(register, "_FusedMatMul")
            .input(a)
            .input(b)
            .input(Tensor::vector(bias).unwrap())
            .attr("fused_ops", fused.to_vec())
            .run_one()
    }

    #[test]
    fn bias_and_activations() {
        let values = |fused: &[&'static str]| {
            run(fused, &[1., 0.]).unwrap().as_slice::<f32>().unwrap().to_vec()
        };
        assert_eq!(values(&["BiasAdd"]), &[3., 3., -1., -3.]);
        assert_eq!(values(&["BiasAdd", "Relu"]), &[3., 3., 0., 0.]);
        assert_eq!(values(&["BiasAdd", "LeakyRelu"]), &[3., 3., -0.2, -0.6]);
        assert!((values(&["BiasAdd", "Sigmoid"])[2] - 0.26894143).abs() < 1e-6);
    }

    #[test]
    fn unknown_fusions_and_wrong_biases_are_refused() {
        assert!(run(&["BiasAdd", "Softmax"], &[1., 0.]).is_err());
        assert!(run(&["Relu"], &[1., 0.]).is_err());
        assert!(run(&["BiasAdd"], &[1.]).is_err());
    }
}
