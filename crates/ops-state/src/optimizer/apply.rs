//! Runs an update rule over whole variables or over chosen rows of them, in one pass.

use std::sync::Arc;

use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Variable};
use downpour_tensor::{Element, Result, Shape, Status, Tensor};

use super::family::Layout;
use super::number::Number;
use crate::rows::{for_blocks, for_rows};

/// A kernel whose node was looked at once; `run` picks the element type and the rule.
pub(crate) struct Optimizer {
    layout: Layout,
    run: fn(&Layout, &mut OpContext<'_>) -> Result<()>,
}

impl Optimizer {
    /// `option` names the family's boolean attribute, if it has one.
    pub fn build(
        build: &KernelBuild<'_>,
        option: Option<&str>,
        run: fn(&Layout, &mut OpContext<'_>) -> Result<()>,
    ) -> Result<KernelBox> {
        Ok(KernelBox::new(Optimizer { layout: Layout::new(build, option)?, run }))
    }
}

impl Kernel for Optimizer {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        (self.run)(&self.layout, cx)
    }
}

/// Checks the inputs, asks `prepare` for the rule that the K scalars make, and applies it to the
/// V variables (the updated one and its slots), all locked together.
pub(crate) fn apply<T: Number, R, const V: usize, const K: usize>(
    layout: &Layout,
    cx: &mut OpContext<'_>,
    prepare: impl FnOnce([T; K]) -> Result<R>,
) -> Result<()>
where
    R: Fn([T; V], T) -> [T; V] + Sync,
{
    let mut variables: Vec<Arc<Variable>> = Vec::with_capacity(V);
    for (i, name) in layout.names.iter().enumerate().take(V) {
        let variable = cx.variable(i)?;
        if variable.dtype() != T::DTYPE {
            return Err(Status::invalid_argument(format!(
                "{}: variable {} ({name}) holds {}, not {}",
                cx.node().op_name(),
                variable.name(),
                variable.dtype(),
                T::DTYPE
            )));
        }
        variables.push(variable);
    }
    let mut scalars = [T::default(); K];
    debug_assert_eq!(layout.scalars.len(), K, "a rule takes every scalar of its signature");
    for (value, &i) in scalars.iter_mut().zip(&layout.scalars) {
        *value = scalar(cx.input(i), &layout.names[i])?;
    }
    let rule = prepare(scalars)?;
    let gradient = cx.input(layout.gradient);
    let rows = layout.indices.map(|i| cx.input(i));
    let parallel = &cx.parallel().uninterrupted();
    Variable::update_all(std::array::from_fn(|i| &variables[i]), |tensors: [&mut Tensor; V]| {
        let shape = tensors[0].shape().clone();
        for (tensor, name) in tensors.iter().zip(&layout.names).skip(1) {
            if tensor.shape() != &shape {
                return Err(mismatch(&layout.names[0], name, &shape, tensor.shape()));
            }
        }
        let rows = match rows {
            Some(indices) => Some(checked_rows(&shape, gradient, indices)?),
            None if gradient.shape() != &shape => {
                let name = &layout.names[layout.gradient];
                return Err(mismatch(&layout.names[0], name, &shape, gradient.shape()));
            }
            None => None,
        };
        let gradient = gradient.as_slice::<T>()?;
        let targets = tensors.map(|tensor| {
            tensor.as_mut_slice::<T>().expect("a variable under update has one owner and this type")
        });
        match rows {
            None => for_blocks(parallel, targets, |start, block| {
                let length = block[0].len();
                update(block, &gradient[start..start + length], &rule);
            }),
            Some(rows) => {
                let width: usize = shape[1..].iter().product();
                for_rows(parallel, targets, width, &rows, |position, row| {
                    update(row, &gradient[position * width..(position + 1) * width], &rule);
                });
            }
        }
        Ok(())
    })?;
    if !cx.node().output_types.is_empty() {
        let variable = variables.swap_remove(0);
        cx.set_output_ref(0, variable);
    }
    Ok(())
}

/// The inner loop, in the widest form that the processor has. No form contracts a product and a sum into one rounding,
/// so all give the same bits. Each rule has it once, for blocks and for rows: there are many rules and types.
#[inline(never)]
fn update<T: Element, const V: usize>(
    targets: [&mut [T]; V],
    gradient: &[T],
    rule: &impl Fn([T; V], T) -> [T; V],
) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn wide<T: Element, const V: usize>(
            targets: [&mut [T]; V],
            gradient: &[T],
            rule: &impl Fn([T; V], T) -> [T; V],
        ) {
            each(targets, gradient, rule);
        }
        // SAFETY: the processor has AVX2, as was asked just above.
        return unsafe { wide(targets, gradient, rule) };
    }
    each(targets, gradient, rule);
}

/// Slices of one length, cut here so that the compiler sees it and vectorises.
#[inline(always)]
fn each<T: Element, const V: usize>(
    targets: [&mut [T]; V],
    gradient: &[T],
    rule: &impl Fn([T; V], T) -> [T; V],
) {
    let length = gradient.len();
    let targets = targets.map(|target| &mut target[..length]);
    for i in 0..length {
        let old = std::array::from_fn(|v| targets[v][i]);
        let new = rule(old, gradient[i]);
        for v in 0..V {
            targets[v][i] = new[v];
        }
    }
}

fn scalar<T: Number>(tensor: &Tensor, name: &str) -> Result<T> {
    if tensor.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "{name} is not a scalar: {}",
            tensor.shape()
        )));
    }
    match tensor.as_slice::<i64>() {
        // The global step, the only integer among the scalars.
        Ok(step) => Ok(T::of(step[0] as f32)),
        Err(_) => tensor.to_scalar(),
    }
}

fn mismatch(a: &str, b: &str, first: &Shape, second: &Shape) -> Status {
    Status::invalid_argument(format!("{a} and {b} do not have the same shape{first} {second}"))
}

/// The row numbers, once gradient and indices are known to fit the variable.
fn checked_rows(variable: &Shape, gradient: &Tensor, indices: &Tensor) -> Result<Vec<usize>> {
    if variable.is_empty() {
        return Err(Status::invalid_argument("var must be at least 1 dimensional"));
    }
    if indices.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "indices must be one-dimensional, got shape {}",
            indices.shape()
        )));
    }
    if gradient.rank() != variable.rank() {
        return Err(Status::invalid_argument(format!(
            "var and grad must have the same number of dimensions, got shapes {variable} and {}",
            gradient.shape()
        )));
    }
    for d in 1..variable.rank() {
        if variable[d] != gradient.dims()[d] {
            return Err(Status::invalid_argument(format!(
                "var and grad must match in dimension {d}"
            )));
        }
    }
    if gradient.dims()[0] != indices.len() {
        return Err(Status::invalid_argument(
            "grad must be the same size as indices in the first dimension.",
        ));
    }
    let limit = variable[0];
    let row = |(offset, index): (usize, i64)| {
        usize::try_from(index).ok().filter(|&row| row < limit).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Index {index} at offset {offset} in indices is out of range"
            ))
        })
    };
    indices.to_i64_vec()?.into_iter().enumerate().map(row).collect()
}
