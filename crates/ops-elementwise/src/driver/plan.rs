//! How operands lie relative to the output, and the walk over it block by block.

use downpour_tensor::broadcast::{Broadcast, broadcast_shape};
use downpour_tensor::{Element, Result, Shape, Tensor};
use smallvec::SmallVec;

use super::BLOCK;

/// The shape that all operands broadcast to, quickly where they agree or are single elements.
pub(super) fn output_shape<const N: usize>(operands: &[Tensor; N]) -> Result<Shape> {
    let mut largest = &operands[0];
    for operand in &operands[1..] {
        if operand.rank() > largest.rank() || (operand.len() != 1 && largest.len() == 1) {
            largest = operand;
        }
    }
    let fits =
        |t: &Tensor| t.shape() == largest.shape() || (t.len() == 1 && t.rank() <= largest.rank());
    if operands.iter().all(fits) {
        return Ok(largest.shape().clone());
    }
    let mut shape = operands[0].shape().clone();
    for operand in &operands[1..] {
        shape = broadcast_shape(&shape, operand.dims())?;
    }
    Ok(shape)
}

/// Where an operand's values come from.
#[derive(Clone, Copy)]
pub(super) enum Source<'a, A> {
    /// One value per output element, in the same order.
    Full(&'a [A]),
    /// The output buffer itself holds the operand's values, in the same order.
    Output,
    /// One value for all.
    Scalar(A),
    /// Addressed through the broadcast plan.
    Strided(&'a [A]),
}

/// A buffer for up to one block; small runs take no allocation.
pub(super) type Block<A> = SmallVec<[A; 16]>;

pub(super) fn block<A: Element>(len: usize) -> Block<A> {
    SmallVec::from_elem(A::default(), len.min(BLOCK))
}

/// Walks the rows `rows` of a plan and hands out gathered operand blocks: `visit(start, inputs)`
/// for consecutive output runs of at most `BLOCK` elements beginning at `start`.
pub(super) fn gather<A: Element, const N: usize>(
    plan: &Broadcast<N>,
    sources: &[Source<'_, A>; N],
    rows: std::ops::Range<usize>,
    mut visit: impl FnMut(usize, usize, [Option<&[A]>; N]),
) {
    let inner = plan.inner();
    let steps = plan.inner_strides();
    let mut buffers: [Block<A>; N] = std::array::from_fn(|k| match sources[k] {
        Source::Strided(_) => block(inner.max(BLOCK)),
        _ => Block::new(),
    });
    let mut start = rows.start * inner;
    let mut filled = 0;
    let mut flush = |start: usize, filled: usize, buffers: &[Block<A>; N]| {
        visit(
            start,
            filled,
            std::array::from_fn(|k| match sources[k] {
                Source::Strided(_) => Some(&buffers[k][..filled]),
                _ => None,
            }),
        );
    };
    plan.for_rows(rows, |_, offsets| {
        let mut done = 0;
        while done < inner {
            let n = (inner - done).min(BLOCK - filled);
            for k in 0..N {
                if let Source::Strided(values) = sources[k] {
                    let to = &mut buffers[k][filled..filled + n];
                    if steps[k] == 0 {
                        to.fill(values[offsets[k]]);
                    } else {
                        let from = offsets[k] + done;
                        to.copy_from_slice(&values[from..from + n]);
                    }
                }
            }
            done += n;
            filled += n;
            if filled == BLOCK {
                flush(start, filled, &buffers);
                start += filled;
                filled = 0;
            }
        }
    });
    if filled > 0 {
        flush(start, filled, &buffers);
    }
}
