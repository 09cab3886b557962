//! Reductions over rows that share a segment number.

mod gradient;
mod groups;
mod sorted;
mod sparse;
mod sparse_grad;
mod unsorted;

use downpour_runtime::{Parallel, Registry};
use downpour_tensor::{Element, Result, Shape, Status, Tensor};

use crate::reduce::Fold;
use groups::Groups;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    sorted::register(registry)?;
    unsorted::register(registry)?;
    sparse::register(registry)?;
    sparse_grad::register(registry)
}

/// `rows` followed by the sizes `inner`, in the words TensorFlow uses when that is too much.
fn output_shape(rows: i64, inner: &[usize]) -> Result<Shape> {
    let dims: Vec<i64> = std::iter::once(rows).chain(inner.iter().map(|&d| d as i64)).collect();
    Shape::from_i64(&dims).map_err(|_| {
        let size: usize = inner.iter().product();
        Status::invalid_argument(format!(
            "Encountered overflow when multiplying {rows} with {size}, result: -1"
        ))
    })
}

/// Columns whose states are kept together while the rows of a segment pass by.
const TILE: usize = 256;

/// Folds each group of rows of `data` (whose rows have `columns` elements) into its output row;
/// rows without a group get `empty`.
fn fold_groups<T: Element, F: Fold<T>>(
    parallel: &Parallel,
    data: &[T],
    columns: usize,
    groups: &Groups,
    empty: T,
    output: &mut Tensor,
) -> Result<()> {
    if columns == 0 || output.is_empty() {
        return Ok(());
    }
    let rows = output.len() / columns;
    let per_row = columns * (groups.rows.len() / rows + 1);
    let out = output.as_mut_slice::<T>().expect("the output was just made with this type");
    parallel.for_chunks(out, columns, (1 << 14) / per_row + 1, |first, run| {
        let mut states = [F::identity(); TILE];
        let mut next = first;
        let last = first + run.len() / columns;
        let start = groups.runs.partition_point(|g| g.segment < first);
        for group in groups.runs[start..].iter().take_while(|g| g.segment < last) {
            let row = group.segment - first;
            run[(next - first) * columns..row * columns].fill(empty);
            next = group.segment + 1;
            let members = &groups.rows[group.start..group.end];
            if let [only] = members {
                let data = &data[only * columns..][..columns];
                for (out, &value) in run[row * columns..][..columns].iter_mut().zip(data) {
                    *out = F::finish(F::combine(F::identity(), F::load(value)), 1);
                }
                continue;
            }
            for (tile, out) in run[row * columns..][..columns].chunks_mut(TILE).enumerate() {
                let states = &mut states[..out.len()];
                states.fill(F::identity());
                for &member in members {
                    let from = member * columns + tile * TILE;
                    for (state, &value) in states.iter_mut().zip(&data[from..from + out.len()]) {
                        *state = F::combine(*state, F::load(value));
                    }
                }
                for (out, &state) in out.iter_mut().zip(states.iter()) {
                    *out = F::finish(state, members.len());
                }
            }
        }
        run[(next - first) * columns..].fill(empty);
    });
    Ok(())
}
