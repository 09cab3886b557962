//! Einsum: contractions, traces, transpositions and sums by named axes, over one or two inputs.

mod equation;
mod gradient;
mod strided;

use std::collections::BTreeMap;

use downpour_gemm::GemmElement;
use downpour_graph::{Dim, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use self::equation::{Equation, Label};
use self::strided::Strided;
use super::dispatch_gemm;
use super::product::{Side, multiply};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Einsum(inputs: N * T) -> (output: T)
                equation: string
                N: int >= 1
                T: type",
        )?
        .shape(shape)
        .gradient(gradient::gradient)
        .tolerance(1e-5),
        |build| {
            let equation = Equation::parse(&build.string("equation")?)?;
            Ok(KernelBox::new(Einsum { equation }))
        },
    )
}

struct Einsum {
    equation: Equation,
}

impl Kernel for Einsum {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let inputs: Vec<&Tensor> = (0..cx.inputs_len()).map(|i| cx.input(i)).collect();
        let shapes: Vec<&[usize]> = inputs.iter().map(|t| t.dims()).collect();
        let resolved = self.equation.resolve(&shapes)?;
        let dtype = cx.node().output_dtype(0);
        let output = dispatch_gemm!(dtype, "Einsum", T => contract::<T>(cx, &inputs, &resolved))?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// An equation with its ellipses expanded for given shapes: one label per axis.
struct Resolved {
    inputs: Vec<Vec<Label>>,
    output: Vec<Label>,
}

/// What becomes of a label.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// In both inputs and the output (broadcast axes too).
    Batch,
    /// In one input and the output.
    Free,
    /// In both inputs only.
    Contract,
    /// In one input only.
    Reduce,
}

fn contract<T: GemmElement + crate::number::Number>(
    cx: &OpContext<'_>,
    inputs: &[&Tensor],
    resolved: &Resolved,
) -> Result<Tensor> {
    let role = |label: Label| {
        let kept = resolved.output.contains(&label) || label.is_broadcast();
        let everywhere = resolved.inputs.len() == 2
            && (label.is_broadcast() || resolved.inputs.iter().all(|l| l.contains(&label)));
        match (kept, everywhere) {
            (true, true) => Role::Batch,
            (true, false) => Role::Free,
            (false, true) => Role::Contract,
            (false, false) => Role::Reduce,
        }
    };
    let mut views = Vec::new();
    for (tensor, labels) in inputs.iter().zip(&resolved.inputs) {
        views.push(Strided::diagonal(tensor.dims(), labels));
    }
    let labels_of = |view: &Strided, wanted: Role| -> Vec<Label> {
        view.labels().filter(|&l| role(l) == wanted).collect()
    };
    let mut unique_output = Vec::new();
    for &label in &resolved.output {
        if !unique_output.contains(&label) {
            unique_output.push(label);
        }
    }
    let (values, result) = match &views[..] {
        [view] => {
            let reduce = labels_of(view, Role::Reduce);
            let sums = reduced::<T>(cx, inputs[0], view, &unique_output, &reduce)?;
            let sizes = view.sizes(&unique_output);
            (sums, Strided::packed(&unique_output, &sizes))
        }
        [x, y] => {
            // Batch axes in the output's order, so that the result seldom needs rearranging.
            let batch: Vec<Label> =
                unique_output.iter().copied().filter(|&l| role(l) == Role::Batch).collect();
            let inner: Vec<Label> = labels_of(x, Role::Contract);
            let in_order = |view: &Strided| -> Vec<Label> {
                let own = labels_of(view, Role::Free);
                unique_output.iter().copied().filter(|l| own.contains(l)).collect()
            };
            let (x_free, y_free) = (in_order(x), in_order(y));
            let (xt, x_side) = operand::<T>(
                cx,
                inputs[0],
                x,
                (&batch, &x_free, &inner),
                labels_of(x, Role::Reduce),
                false,
            )?;
            let (yt, y_side) = operand::<T>(
                cx,
                inputs[1],
                y,
                (&batch, &y_free, &inner),
                labels_of(y, Role::Reduce),
                true,
            )?;
            let product = multiply(cx.parallel(), "Einsum", &xt, x_side, &yt, y_side)?;
            let mut labels = batch.clone();
            labels.extend(&x_free);
            labels.extend(&y_free);
            let mut sizes: Vec<usize> = product.dims()[..batch.len()].to_vec();
            sizes.extend(x.sizes(&x_free));
            sizes.extend(y.sizes(&y_free));
            (product, Strided::packed(&labels, &sizes))
        }
        _ => return Err(Status::internal("an equation has one or two inputs")),
    };
    let ordered = result.gather::<T>(&values, &unique_output)?;
    inflate::<T>(ordered, &unique_output, &resolved.output)
}

/// The input's axes `keep` in order, with the axes `reduce` summed away.
fn reduced<T: crate::number::Number>(
    cx: &OpContext<'_>,
    input: &Tensor,
    view: &Strided,
    keep: &[Label],
    reduce: &[Label],
) -> Result<Tensor> {
    let mut order = keep.to_vec();
    order.extend(reduce);
    let gathered = view.gather::<T>(input, &order)?;
    if reduce.is_empty() {
        return Ok(gathered);
    }
    let kept: Shape = view.sizes(keep).into();
    crate::reduce::sum_last_axes::<T>(cx.parallel(), &gathered, kept)
}

/// An operand as a stack of matrices, and whether they lie transposed.
fn operand<T: crate::number::Number>(
    cx: &OpContext<'_>,
    input: &Tensor,
    view: &Strided,
    (batch, free, inner): (&[Label], &[Label], &[Label]),
    reduce: Vec<Label>,
    right: bool,
) -> Result<(Tensor, Side)> {
    // A broadcast axis this operand lacks counts as one of size 1.
    let own_batch: Vec<Label> = batch.iter().copied().filter(|&l| view.has(l)).collect();
    let order = |first: &[Label], second: &[Label]| -> Vec<Label> {
        own_batch.iter().chain(first).chain(second).copied().collect()
    };
    // The left operand wants [batch, free, inner], the right one [batch, inner, free]; take the
    // other order with a transposed product if the input already lies that way.
    let (straight, crossed) = if right {
        (order(inner, free), order(free, inner))
    } else {
        (order(free, inner), order(inner, free))
    };
    let transpose = reduce.is_empty() && !view.is_packed(&straight) && view.is_packed(&crossed);
    let keep = if transpose { crossed } else { straight };
    let values = reduced::<T>(cx, input, view, &keep, &reduce)?;
    let batch_sizes = batch.iter().map(|&l| if view.has(l) { view.sizes(&[l])[0] } else { 1 });
    let free_size: usize = view.sizes(free).iter().product();
    let inner_size: usize = view.sizes(inner).iter().product();
    let matrix = if right == transpose { [free_size, inner_size] } else { [inner_size, free_size] };
    let shape: Shape = batch_sizes.chain(matrix).collect();
    Ok((values.into_shape(shape)?, Side { transpose, conjugate: false }))
}

/// Spreads axes that the output repeats over the diagonal of zeros.
fn inflate<T: GemmElement>(values: Tensor, unique: &[Label], output: &[Label]) -> Result<Tensor> {
    if unique.len() == output.len() {
        return Ok(values);
    }
    let size_of: BTreeMap<Label, usize> =
        unique.iter().copied().zip(values.dims().iter().copied()).collect();
    let dims: Vec<usize> = output.iter().map(|l| size_of[l]).collect();
    downpour_tensor::checked_elements(&dims)?;
    let diagonal = Strided::diagonal(&dims, output);
    let mut inflated = Tensor::zeros(T::DTYPE, dims)?;
    let source = values.as_slice::<T>()?;
    if let Some(out) = inflated.as_mut_slice::<T>() {
        let mut next = source.iter();
        diagonal.for_each_offset(unique, |offset| {
            if let Some(&value) = next.next() {
                out[offset] = value;
            }
        });
    }
    Ok(inflated)
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let equation = Equation::parse(&cx.node().string("equation")?)?;
    if equation.inputs.len() != cx.inputs().len() {
        return Err(equation.wrong_inputs(cx.inputs().len()));
    }
    let mut dims: BTreeMap<Label, Dim> = BTreeMap::new();
    let mut broadcast = PartialShape::scalar();
    for (i, subscript) in equation.inputs.iter().enumerate() {
        let Some(input) = cx.input(i).dims() else {
            if subscript.ellipsis.is_some() {
                broadcast = PartialShape::unknown();
            }
            for &label in &subscript.labels {
                dims.entry(label).or_insert(None);
            }
            continue;
        };
        let (axes, ellipsis) = subscript.axes(input.len(), i)?;
        for (&label, axis) in subscript.labels.iter().zip(axes) {
            let known = dims.get(&label).copied().flatten();
            dims.insert(label, cx.merge_dim(known, input[axis])?);
        }
        let here = PartialShape::of(input[ellipsis].iter().copied());
        broadcast = shapes::broadcast(&broadcast, &here)?;
    }
    let output = &equation.output;
    if output.ellipsis.is_none() && broadcast.rank().is_some_and(|r| r > 0) {
        return Err(equation::no_output_ellipsis(broadcast.rank().unwrap_or(0)));
    }
    let find =
        |label: &Label| dims.get(label).copied().ok_or_else(|| equation.unknown_label(*label));
    let all: Vec<Dim> = output.labels.iter().map(find).collect::<Result<_>>()?;
    let result = match output.ellipsis {
        None => PartialShape::of(all),
        Some(at) => PartialShape::of(all[..at].iter().copied())
            .concat(&broadcast)
            .concat(&PartialShape::of(all[at..].iter().copied())),
    };
    cx.set_output(0, result);
    Ok(())
}

#[cfg(test)]
mod tests;
