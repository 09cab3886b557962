//! CheckNumerics: fails when a tensor holds infinities or NaN.

use downpour_graph::{Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{RealNumber, Result, Status, dispatch_float};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let signature = |name: &str| -> Result<OpSpec> {
        Ok(OpSpec::new(&format!(
            "{name}(tensor: T) -> (output: T) @stateful
                T: {{bfloat16, half, float, double}}
                message: string"
        ))?
        .shape(shapes::unchanged)
        .gradient(gradient))
    };
    registry.add(signature("CheckNumerics")?, |build| {
        Ok(KernelBox::new(CheckNumerics { message: build.string("message")?, signed: false }))
    })?;
    registry.add(signature("CheckNumericsV2")?, |build| {
        Ok(KernelBox::new(CheckNumerics { message: build.string("message")?, signed: true }))
    })
}

struct CheckNumerics {
    message: String,
    /// Tells the two infinities apart.
    signed: bool,
}

impl Kernel for CheckNumerics {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.take(0);
        dispatch_float!(input.dtype(), "CheckNumerics", T => {
            self.check(input.as_slice::<T>()?)
        })?;
        cx.set_output(0, input);
        Ok(())
    }
}

impl CheckNumerics {
    fn check<T: RealNumber>(&self, values: &[T]) -> Result<()> {
        // x - x is zero exactly for finite numbers.
        let zero = T::zero();
        let finite = values
            .chunks(1024)
            .all(|run| run.iter().fold(true, |all, &v| all & (v.sub_w(v) == zero)));
        if finite {
            return Ok(());
        }
        let any = |test: fn(T) -> bool| values.iter().any(|&v| test(v));
        let nan = any(|v| v.is_nan_value());
        let minus = any(|v| v.to_f64_lossy() == f64::NEG_INFINITY);
        let plus = any(|v| v.to_f64_lossy() == f64::INFINITY);
        let kinds: Vec<&str> = if self.signed {
            [("-Inf", minus), ("+Inf", plus), ("NaN", nan)]
                .into_iter()
                .filter_map(|(name, there)| there.then_some(name))
                .collect()
        } else {
            [("Inf", minus || plus), ("NaN", nan)]
                .into_iter()
                .filter_map(|(name, there)| there.then_some(name))
                .collect()
        };
        let kinds = match kinds[..] {
            [a, b, c] => format!("{a}, {b}, and {c}"),
            _ => kinds.join(" and "),
        };
        Err(Status::invalid_argument(format!("{} : Tensor had {kinds} values", self.message)))
    }
}

/// The gradient is checked too.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let op = cx.node().op_name().to_string();
    let message = format!(
        "Not a number (NaN) or infinity (Inf) values detected in gradient. {}",
        cx.node().string("message")?
    );
    let attrs = downpour_graph::Attrs::new().with("message", message);
    Ok(vec![Gradient::Dense(cx.op_with(&op, &[grad], attrs)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Tensor, f16};

    fn run(op: &str, x: &[f32]) -> Result<Tensor> {
        OpTest::new(register, op).attr("message", "m").input(Tensor::vector(x).unwrap()).run_one()
    }

    #[test]
    fn finite_values_pass() {
        assert!(run("CheckNumerics", &[1.0, f32::MAX, -0.0]).is_ok());
        assert!(run("CheckNumerics", &[]).is_ok());
        let half = Tensor::vector(&[f16::MAX]).unwrap();
        assert!(
            OpTest::new(register, "CheckNumericsV2").attr("message", "").input(half).run().is_ok()
        );
    }

    #[test]
    fn others_are_named() {
        let message = |op, x: &[f32]| run(op, x).unwrap_err().message().to_string();
        assert_eq!(message("CheckNumerics", &[f32::NAN]), "m : Tensor had NaN values");
        let both = [f32::NAN, f32::INFINITY];
        assert_eq!(message("CheckNumerics", &both), "m : Tensor had Inf and NaN values");
        let all = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        assert_eq!(message("CheckNumericsV2", &all), "m : Tensor had -Inf, +Inf, and NaN values");
        assert_eq!(message("CheckNumericsV2", &all[1..2]), "m : Tensor had +Inf values");
    }
}
