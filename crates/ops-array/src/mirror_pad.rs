//! MirrorPad continues a tensor by its mirror image; MirrorPadGrad folds the images back.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};
use smallvec::SmallVec;

use crate::movement::{Moves, StridedCopy, rearrange};
use crate::number::{Sum, dispatch_sum};
use crate::pad::{self, padded_shape, paddings};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let signature = |name: &str| {
        OpSpec::new(&format!(
            "{name}(input: T, paddings: Tpaddings) -> (output: T)
                T: type
                Tpaddings: {{int32, int64}} = int32
                mode: {{'REFLECT', 'SYMMETRIC'}}"
        ))
    };
    registry.add(
        signature("MirrorPad")?
            .shape(pad::infer)
            .gradient(|cx| mirrored_gradient(cx, "MirrorPadGrad")),
        |build| Ok(KernelBox::new(MirrorPad { skip: skip(build)? })),
    )?;
    registry.add(
        signature("MirrorPadGrad")?
            .shape(grad_shape)
            .gradient(|cx| mirrored_gradient(cx, "MirrorPad")),
        |build| Ok(KernelBox::new(MirrorPadGrad { skip: skip(build)? })),
    )
}

/// 1 where the mirror stands on the border element (REFLECT), 0 where behind it (SYMMETRIC).
fn skip(build: &KernelBuild<'_>) -> Result<usize> {
    Ok((build.string("mode")? == "REFLECT") as usize)
}

/// Refuses images that would need more elements than there are.
fn check(pairs: &[(usize, usize)], inner: &[usize], skip: usize) -> Result<()> {
    for (&(before, after), &size) in pairs.iter().zip(inner) {
        let limit = size + 1 - skip;
        if before >= limit || after >= limit {
            let relation = if skip == 1 { "less than" } else { "no greater than" };
            return Err(Status::invalid_argument(format!(
                "paddings must be {relation} the dimension size: {before}, {after} against {size}"
            )));
        }
    }
    Ok(())
}

struct MirrorPad {
    skip: usize,
}

impl Kernel for MirrorPad {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let pairs = paddings(cx.input(1), cx.input(0).rank())?;
        let input = cx.take(0);
        check(&pairs, input.dims(), self.skip)?;
        let shape = padded_shape(input.shape(), &pairs)?;
        if shape == *input.shape() {
            cx.set_output(0, input);
            return Ok(());
        }
        let (from, to) = (input.shape().strides(), shape.strides());
        // Each axis has up to three segments (image, original, image); the output is the product
        // of the axes' segments, each a plain copy with some axes reversed.
        let mut boxes = vec![(SmallVec::<[(usize, isize, isize); 6]>::new(), 0usize, 0usize)];
        for (i, &(before, after)) in pairs.iter().enumerate() {
            let size = input.dims()[i];
            let segments = [
                (before, -1isize, (before + self.skip).saturating_sub(1), 0),
                (size, 1, 0, before),
                (after, -1, size.saturating_sub(1 + self.skip), before + size),
            ];
            let mut next = Vec::new();
            for (axes, from_start, to_start) in &boxes {
                for &(count, direction, first, place) in segments.iter().filter(|s| s.0 > 0) {
                    let mut axes = axes.clone();
                    axes.push((count, direction * from[i] as isize, to[i] as isize));
                    next.push((axes, from_start + first * from[i], to_start + place * to[i]));
                }
            }
            boxes = next;
        }
        let mut moves = Moves::default();
        for (axes, from_start, to_start) in boxes {
            moves.push(0, StridedCopy::new(axes, from_start, to_start));
        }
        let output = rearrange(cx.parallel(), input.dtype(), shape, &[&input], &moves)?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct MirrorPadGrad {
    skip: usize,
}

impl Kernel for MirrorPadGrad {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let pairs = paddings(cx.input(1), cx.input(0).rank())?;
        let input = cx.take(0);
        let mut inner = Vec::with_capacity(pairs.len());
        for (&(before, after), &size) in pairs.iter().zip(input.dims()) {
            let total = before.checked_add(after).filter(|&t| t < size).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "Total paddings must be less than the input dimension size: {before} and \
                     {after} for {size}"
                ))
            })?;
            inner.push(size - total);
        }
        check(&pairs, &inner, self.skip)?;
        let output = dispatch_sum!(input.dtype(), "MirrorPadGrad", T => {
            let mut folded = input;
            for (axis, &pair) in pairs.iter().enumerate() {
                if pair != (0, 0) {
                    folded = fold::<T>(&folded, axis, pair, self.skip)?;
                }
            }
            Ok(folded)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// Adds the two images along one axis to what they mirror.
fn fold<T: Sum>(
    input: &Tensor,
    axis: usize,
    (before, after): (usize, usize),
    skip: usize,
) -> Result<Tensor> {
    let values = input.as_slice::<T>()?;
    let size = input.dims()[axis];
    let kept = size - before - after;
    let inner: usize = input.dims()[axis + 1..].iter().product();
    let mut shape = input.shape().clone();
    shape.dims_mut()[axis] = kept;
    Tensor::build(shape, |out: &mut [T]| {
        let rows = values.chunks_exact((size * inner).max(1));
        for (row, out) in rows.zip(out.chunks_exact_mut((kept * inner).max(1))) {
            out.copy_from_slice(&row[before * inner..(before + kept) * inner]);
            let mut add = |from: usize, to: usize| {
                let image = &row[from * inner..(from + 1) * inner];
                let place = &mut out[to * inner..(to + 1) * inner];
                place.iter_mut().zip(image).for_each(|(o, &v)| *o = o.plus(v));
            };
            for i in 0..before {
                add(i, before - 1 - i + skip);
            }
            for j in 0..after {
                add(before + kept + j, kept - 1 - j - skip);
            }
        }
    })
}

fn grad_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let Some(dims) = cx.input(0).dims() else { return Ok(()) };
    let Some(matrix) = cx.constant(1) else {
        cx.set_output(0, PartialShape::of_rank(dims.len()));
        return Ok(());
    };
    let pairs = paddings(matrix, dims.len()).map_err(|e| e.context(cx.describe()))?;
    let shrink = |(d, (before, after)): (&Option<usize>, &(usize, usize))| {
        d.and_then(|d| d.checked_sub(*before)).and_then(|d| d.checked_sub(*after))
    };
    cx.set_output(0, PartialShape::of(dims.iter().zip(&pairs).map(shrink)));
    Ok(())
}

fn mirrored_gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let attrs = Attrs::new().with("mode", cx.node().string("mode")?);
    Ok(vec![Gradient::Dense(cx.op_with(op, &[grad, cx.input(1)], attrs)?), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(
        op: &str,
        mode: &'static str,
        x: &[i32],
        dims: &[usize],
        pads: &[i32],
    ) -> Result<Tensor> {
        OpTest::new(register, op)
            .attr("mode", mode)
            .input(Tensor::from_vec(dims, x.to_vec()).unwrap())
            .input(Tensor::from_vec([pads.len() / 2, 2], pads.to_vec()).unwrap())
            .run_one()
    }

    #[test]
    fn images() {
        let y = run("MirrorPad", "REFLECT", &[1, 2, 3], &[3], &[2, 1]).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[3, 2, 1, 2, 3, 2]);
        let y = run("MirrorPad", "SYMMETRIC", &[1, 2, 3], &[3], &[2, 1]).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[2, 1, 1, 2, 3, 3]);
        let y = run("MirrorPad", "REFLECT", &[1, 2, 3, 4], &[2, 2], &[1, 0, 0, 1]).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[3, 4, 3, 1, 2, 1, 3, 4, 3]);
        assert!(run("MirrorPad", "REFLECT", &[1, 2], &[2], &[2, 0]).is_err());
        assert!(run("MirrorPad", "SYMMETRIC", &[1, 2], &[2], &[3, 0]).is_err());
    }

    #[test]
    fn folding_back() {
        let y = run("MirrorPadGrad", "REFLECT", &[1, 2, 3, 4, 5, 6], &[6], &[2, 1]).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[3, 4 + 2 + 6, 5 + 1]);
        let y = run("MirrorPadGrad", "SYMMETRIC", &[1, 2, 3, 4, 5, 6], &[6], &[2, 1]).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[5, 5, 11]);
        let bad = run("MirrorPadGrad", "REFLECT", &[1], &[1], &[0x77f0_0000, 0xa00_0000]);
        assert!(bad.is_err());
    }
}
