//! Gradient descent: a step against the gradient.

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::Result;

use super::apply::{Optimizer, apply};
use super::family::{DENSE_FORMS, Family, Layout};
use super::number::{Number, dispatch_number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    Family {
        name: "GradientDescent",
        forms: DENSE_FORMS,
        variables: &["var"],
        arguments: &["alpha", "grad"],
        dense_gradient: "delta",
        ..Family::default()
    }
    .register(registry, |build| Optimizer::build(build, None, run))
}

fn run(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_number!(layout.dtype, cx.node().op_name(), T => descend::<T>(layout, cx))
}

fn descend<T: Number>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[rate]: [T; 1]| Ok(move |[var]: [T; 1], grad| [var - grad * rate]))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_close, run, scalar, vector};
    use downpour_runtime::testing::OpTest;
    use downpour_runtime::{ResourceManager, Variable};
    use downpour_tensor::{Code, Complex64, DataType, Tensor, bf16};

    #[test]
    fn a_step_goes_against_the_gradient() {
        let new = run(
            "ApplyGradientDescent",
            &[vector(&[1.0, 2.0])],
            &[scalar(0.5), vector(&[1.0, -4.0])],
            None,
        );
        assert_close(&new.unwrap(), &[&[0.5, 4.0]]);
    }

    #[test]
    fn large_variables_are_updated_on_several_threads() {
        let n = 100_003;
        let ones = vector(&vec![1.0; n]);
        let grad = vector(&(0..n).map(|i| i as f32).collect::<Vec<_>>());
        let new = run("ApplyGradientDescent", &[ones], &[scalar(2.0), grad], None).unwrap();
        let new = new[0].as_slice::<f32>().unwrap();
        assert!(new.iter().enumerate().all(|(i, &v)| v == 1.0 - 2.0 * i as f32));
    }

    #[test]
    fn other_types_have_their_own_arithmetic() {
        let i = Complex64::new(0.0, 1.0);
        let vars = [Tensor::vector(&[i]).unwrap()];
        let inputs = [Tensor::scalar(i), Tensor::vector(&[i]).unwrap()];
        let new = run("ApplyGradientDescent", &vars, &inputs, None).unwrap();
        assert_eq!(new[0].as_slice::<Complex64>().unwrap(), &[Complex64::new(1.0, 1.0)]);
        let b = bf16::from_f32;
        let inputs = [Tensor::scalar(b(0.1)), Tensor::vector(&[b(1.0)]).unwrap()];
        let new = run("ApplyGradientDescent", &[Tensor::vector(&[b(1.0)]).unwrap()], &inputs, None)
            .unwrap();
        assert_eq!(new[0].as_slice::<bf16>().unwrap()[0], b(1.0) - b(0.1));
        let int = [Tensor::vector(&[1i32]).unwrap()];
        let inputs = [Tensor::scalar(1i32), Tensor::vector(&[1i32]).unwrap()];
        let e = run("ApplyGradientDescent", &int, &inputs, None).unwrap_err();
        assert_eq!(e.code(), Code::Unimplemented);
    }

    #[test]
    fn bad_inputs_are_refused_and_named() {
        let var = [vector(&[1.0, 2.0])];
        let e = run("ApplyGradientDescent", &var, &[vector(&[0.5]), vector(&[1.0, 1.0])], None);
        assert!(e.unwrap_err().message().contains("alpha is not a scalar: [1]"));
        let e = run("ApplyGradientDescent", &var, &[scalar(0.5), vector(&[1.0])], None);
        assert!(
            e.unwrap_err().message().contains("var and delta do not have the same shape[2] [1]")
        );
        let missing = Tensor::handle(ResourceManager::make_handle::<Variable>("", "", "gone"));
        let e = OpTest::new(super::super::register, "ResourceApplyGradientDescent")
            .input(missing)
            .input(scalar(0.5))
            .input(vector(&[1.0]))
            .attr("T", DataType::Float)
            .run()
            .unwrap_err();
        assert_eq!(e.code(), Code::FailedPrecondition);
        assert!(e.message().contains("Could not find variable gone"));
    }
}
