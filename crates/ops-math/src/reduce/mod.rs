//! Reductions over axes: sums, products, means, extremes, norms, and logical ones.

mod axes;
mod extreme;
mod fold;
mod gradient;
mod logical;
mod sum;

use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Element, RealNumber, Result, Shape, Tensor};

use axes::Plan;
pub(crate) use extreme::{Max, Min};
pub(crate) use fold::Fold;
pub(crate) use sum::{Mean, Prod, Sum};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    sum::register(registry)?;
    extreme::register(registry)?;
    logical::register(registry)
}

type Compute = fn(&OpContext<'_>, &Tensor, &Plan) -> Result<Tensor>;

struct Reduction {
    keep_dims: bool,
    /// True when a result of one element is that element: the input can be handed on.
    keeps_single: bool,
    compute: Compute,
}

impl Kernel for Reduction {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let plan = Plan::new(cx.input(0).shape(), cx.input(1), self.keep_dims)?;
        let output = if self.keeps_single && plan.is_trivial() {
            cx.take(0).into_shape(plan.output)?
        } else {
            let input = cx.take(0);
            (self.compute)(cx, &input, &plan)?
        };
        cx.set_output(0, output);
        Ok(())
    }
}

fn kernel(build: &KernelBuild<'_>, keeps_single: bool, compute: Compute) -> Result<KernelBox> {
    let keep_dims = build.bool("keep_dims")?;
    Ok(KernelBox::new(Reduction { keep_dims, keeps_single, compute }))
}

fn reduce<T: Element, F: Fold<T>>(
    cx: &OpContext<'_>,
    input: &Tensor,
    plan: &Plan,
) -> Result<Tensor> {
    let values = input.as_slice::<T>()?;
    Tensor::build(&plan.output, |out| fold::fold::<T, F>(cx.parallel(), plan, values, out))
}

/// Sums a tensor over the axes that follow those of the shape `kept`.
pub(crate) fn sum_last_axes<T: crate::number::Number>(
    parallel: &downpour_runtime::Parallel,
    input: &Tensor,
    kept: Shape,
) -> Result<Tensor> {
    let values = input.as_slice::<T>()?;
    let folded: usize = input.dims()[kept.rank()..].iter().product();
    let runs = [kept.elements(), folded].into_iter().collect();
    let plan = Plan { runs, first_folded: false, output: kept };
    Tensor::build(&plan.output, |out| fold::fold::<T, sum::Sum>(parallel, &plan, values, out))
}

/// The sum of the squares of all elements, as exact as the reductions are.
pub(crate) fn sum_of_squares<T: crate::number::Number>(
    parallel: &downpour_runtime::Parallel,
    input: &Tensor,
) -> Result<f64>
where
    T::Wide: RealNumber,
{
    let values = input.as_slice::<T>()?;
    let squares = |value: T| {
        let wide = value.widen();
        crate::number::Arithmetic::mul(wide, wide)
    };
    let (add, zero) = (crate::number::Arithmetic::add, crate::number::Arithmetic::ZERO);
    Ok(RealNumber::to_f64_lossy(fold::whole::<T, T::Wide>(parallel, values, squares, add, zero)))
}
