//! Transpose and ConjugateTranspose: axes in another order.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Complex64, Complex128, DataType, Result, Shape, Status, Tensor};
use smallvec::SmallVec;

use crate::movement::{StridedCopy, move_one};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let signature = |name: &str| {
        OpSpec::new(&format!(
            "{name}(x: T, perm: Tperm) -> (y: T)
                T: type
                Tperm: {{int32, int64}} = int32"
        ))
    };
    registry.add(signature("Transpose")?.shape(infer).gradient(gradient), |_| {
        Ok(KernelBox::function(transpose))
    })?;
    registry.add(signature("ConjugateTranspose")?.shape(infer).gradient(gradient), |_| {
        Ok(KernelBox::function(conjugate_transpose))
    })
}

type Permutation = SmallVec<[usize; 6]>;

/// The axes of a permutation, each of which must occur once.
fn permutation(perm: &Tensor, rank: usize) -> Result<Permutation> {
    if perm.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "perm must be rank 1, got shape {}",
            perm.shape()
        )));
    }
    let perm = perm.to_i64_vec()?;
    if perm.len() != rank {
        return Err(Status::invalid_argument(format!(
            "transpose expects a vector of size {rank}. But input(1) is a vector of size {}",
            perm.len()
        )));
    }
    let mut seen: SmallVec<[bool; 6]> = SmallVec::from_elem(false, rank);
    let mut out = Permutation::new();
    for &p in &perm {
        let axis = if p < 0 { p.saturating_add(rank as i64) } else { p };
        match usize::try_from(axis).ok().filter(|&a| a < rank) {
            Some(a) => {
                if std::mem::replace(&mut seen[a], true) {
                    return Err(Status::invalid_argument(format!(
                        "{} is missing from {perm:?}: every axis must occur once",
                        seen.iter().position(|s| !s).unwrap_or(0)
                    )));
                }
                out.push(a);
            }
            None => {
                return Err(Status::invalid_argument(format!("{p} is out of range [0 .. {rank})")));
            }
        }
    }
    Ok(out)
}

/// The same tensor with its axes in the order of `perm`.
pub(crate) fn permute(
    parallel: &downpour_runtime::Parallel,
    input: Tensor,
    perm: &[usize],
) -> Result<Tensor> {
    let shape: Shape = perm.iter().map(|&p| input.dims()[p]).collect();
    // Moving only axes of size one leaves the elements where they are.
    let order = perm.iter().filter(|&&p| input.dims()[p] != 1);
    if input.is_empty() || order.is_sorted() {
        return input.into_shape(shape);
    }
    let strides = input.shape().strides();
    let axes = perm.iter().map(|&p| (input.dims()[p], strides[p] as isize));
    move_one(parallel, &input, shape, StridedCopy::gather(axes, 0))
}

fn transpose(cx: &mut OpContext<'_>) -> Result<()> {
    let perm = permutation(cx.input(1), cx.input(0).rank())?;
    let parallel = cx.parallel();
    let output = permute(parallel, cx.take(0), &perm)?;
    cx.set_output(0, output);
    Ok(())
}

fn conjugate_transpose(cx: &mut OpContext<'_>) -> Result<()> {
    let perm = permutation(cx.input(1), cx.input(0).rank())?;
    let parallel = cx.parallel();
    let output = conjugate(permute(parallel, cx.take(0), &perm)?)?;
    cx.set_output(0, output);
    Ok(())
}

fn conjugate(tensor: Tensor) -> Result<Tensor> {
    if !tensor.dtype().is_complex() {
        return Ok(tensor);
    }
    let mut tensor = tensor.into_unique()?;
    if tensor.dtype() == DataType::Complex64 {
        if let Some(values) = tensor.as_mut_slice::<Complex64>() {
            values.iter_mut().for_each(|v| *v = v.conj());
        }
    } else if let Some(values) = tensor.as_mut_slice::<Complex128>() {
        values.iter_mut().for_each(|v| *v = v.conj());
    }
    Ok(tensor)
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let rank = cx.input(0).rank().or(cx.input(1).elements());
    let output = match (cx.input(0).dims(), cx.constant(1), rank) {
        (Some(dims), Some(perm), _) => {
            let perm = permutation(perm, dims.len()).map_err(|e| e.context(cx.describe()))?;
            PartialShape::of(perm.iter().map(|&p| dims[p]))
        }
        (_, _, Some(rank)) if rank <= 254 => PartialShape::of_rank(rank),
        _ => PartialShape::unknown(),
    };
    cx.set_output(0, output);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let back = cx.op("InvertPermutation", &[cx.input(1)])?;
    let op = cx.node().op_name().to_string();
    Ok(vec![Gradient::Dense(cx.op(&op, &[grad, back])?), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(op: &str, x: Tensor, perm: &[i32]) -> Result<Tensor> {
        OpTest::new(register, op).input(x).input(Tensor::vector(perm).unwrap()).run_one()
    }

    #[test]
    fn axes_are_exchanged() {
        let x = Tensor::from_vec([2, 3], vec![1i32, 2, 3, 4, 5, 6]).unwrap();
        let y = run("Transpose", x, &[1, 0]).unwrap();
        assert_eq!(y.dims(), &[3, 2]);
        assert_eq!(y.as_slice::<i32>().unwrap(), &[1, 4, 2, 5, 3, 6]);
        let one = Tensor::zeros(DataType::Bool, [1, 3]).unwrap();
        assert_eq!(run("Transpose", one, &[1, 0]).unwrap().dims(), &[3, 1]);
    }

    #[test]
    fn complex_values_are_conjugated() {
        let x = Tensor::from_vec([1, 2], vec![Complex64::new(1.0, 2.0), Complex64::new(3.0, 4.0)]);
        let y = run("ConjugateTranspose", x.unwrap(), &[1, 0]).unwrap();
        assert_eq!(y.as_slice::<Complex64>().unwrap()[1], Complex64::new(3.0, -4.0));
    }

    #[test]
    fn bad_permutations_are_refused() {
        let x = || Tensor::zeros(DataType::Float, [2, 3]).unwrap();
        for perm in [&[0][..], &[0, 0], &[0, 2], &[0, -3], &[i32::MIN, 0]] {
            assert!(run("Transpose", x(), perm).is_err());
        }
    }
}
