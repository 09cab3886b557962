//! NumPy-style broadcasting of two or more shapes, reduced to as few loops as possible.

use smallvec::SmallVec;

use crate::{Result, Shape, Status};

type Dims = SmallVec<[usize; 6]>;

/// The shape two operands broadcast to.
pub fn broadcast_shape(a: &[usize], b: &[usize]) -> Result<Shape> {
    let rank = a.len().max(b.len());
    let mut out = Dims::with_capacity(rank);
    for i in 0..rank {
        let da = from_end(a, rank, i);
        let db = from_end(b, rank, i);
        out.push(match (da, db) {
            (x, y) if x == y => x,
            (1, y) => y,
            (x, 1) => x,
            _ => {
                return Err(Status::invalid_argument(format!(
                    "Incompatible shapes: {} vs. {}",
                    Shape::new(a),
                    Shape::new(b)
                )));
            }
        });
    }
    let shape: Shape = out.into_iter().collect();
    crate::checked_elements(&shape)?;
    Ok(shape)
}

fn from_end(dims: &[usize], rank: usize, i: usize) -> usize {
    let missing = rank - dims.len();
    if i < missing { 1 } else { dims[i - missing] }
}

/// A broadcast of N operands into one output, with adjacent axes merged where every operand is
/// contiguous over both or broadcast over both.
///
/// `dims` are the merged output sizes; `strides[k][i]` is operand k's element stride on merged axis i
/// (0 where it is broadcast).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broadcast<const N: usize> {
    pub output: Shape,
    pub dims: Dims,
    pub strides: [Dims; N],
}

impl<const N: usize> Broadcast<N> {
    pub fn new(operands: [&[usize]; N]) -> Result<Broadcast<N>> {
        let mut output = Shape::scalar();
        for operand in operands {
            output = broadcast_shape(&output, operand)?;
        }
        Ok(Broadcast::to_shape(output, operands))
    }

    /// Broadcasts to a given output shape, which every operand must already fit.
    fn to_shape(output: Shape, operands: [&[usize]; N]) -> Broadcast<N> {
        let rank = output.rank();
        let full: [Dims; N] = std::array::from_fn(|k| operand_strides(operands[k], rank));
        let mut dims = Dims::new();
        let mut strides: [Dims; N] = std::array::from_fn(|_| Dims::new());
        for i in 0..rank {
            let size = output[i];
            if size == 1 {
                continue;
            }
            let mergeable = !dims.is_empty()
                && (0..N).all(|k| {
                    let outer = strides[k][dims.len() - 1];
                    outer == full[k][i] * size
                });
            if mergeable {
                let last = dims.len() - 1;
                dims[last] *= size;
                for k in 0..N {
                    strides[k][last] = full[k][i];
                }
            } else {
                dims.push(size);
                for k in 0..N {
                    strides[k].push(full[k][i]);
                }
            }
        }
        if dims.is_empty() {
            dims.push(output.elements());
            strides.iter_mut().for_each(|s| s.push(1));
        }
        Broadcast { output, dims, strides }
    }

    /// True when every operand already has the output's shape: one flat loop.
    pub fn is_flat(&self) -> bool {
        self.dims.len() == 1 && self.strides.iter().all(|s| s[0] == 1)
    }

    /// Size of the innermost merged axis.
    pub fn inner(&self) -> usize {
        self.dims[self.dims.len() - 1]
    }

    /// Strides of the innermost axis, per operand.
    pub fn inner_strides(&self) -> [usize; N] {
        std::array::from_fn(|k| self.strides[k][self.dims.len() - 1])
    }

    /// Number of innermost rows.
    pub fn rows(&self) -> usize {
        self.dims[..self.dims.len() - 1].iter().product()
    }

    /// Calls `f(output_offset, operand_offsets)` for each of the rows `range` (in output order).
    pub fn for_rows(&self, range: std::ops::Range<usize>, mut f: impl FnMut(usize, [usize; N])) {
        if range.is_empty() {
            return;
        }
        let outer = &self.dims[..self.dims.len() - 1];
        let inner = self.inner();
        let mut index: Dims = SmallVec::from_elem(0, outer.len());
        let mut rest = range.start;
        for i in (0..outer.len()).rev() {
            index[i] = rest % outer[i];
            rest /= outer[i];
        }
        let mut offsets: [usize; N] =
            std::array::from_fn(|k| index.iter().zip(&self.strides[k]).map(|(i, s)| i * s).sum());
        for row in range {
            f(row * inner, offsets);
            for i in (0..outer.len()).rev() {
                index[i] += 1;
                for (offset, strides) in offsets.iter_mut().zip(&self.strides) {
                    *offset += strides[i];
                }
                if index[i] < outer[i] {
                    break;
                }
                index[i] = 0;
                for (offset, strides) in offsets.iter_mut().zip(&self.strides) {
                    *offset -= strides[i] * outer[i];
                }
            }
        }
    }
}

fn operand_strides(dims: &[usize], rank: usize) -> Dims {
    let own = Shape::new(dims).strides();
    let missing = rank - dims.len();
    (0..rank)
        .map(|i| if i < missing || dims[i - missing] == 1 { 0 } else { own[i - missing] })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shapes_and_axes() {
        assert_eq!(broadcast_shape(&[2, 1, 3], &[4, 1]).unwrap().dims(), &[2, 4, 3]);
        assert!(broadcast_shape(&[2], &[3]).is_err());
        assert_eq!(broadcast_shape(&[0], &[1]).unwrap().dims(), &[0]);
    }

    #[test]
    fn equal_shapes_are_one_loop() {
        let b = Broadcast::new([&[2, 3, 4], &[2, 3, 4]]).unwrap();
        assert!(b.is_flat());
        assert_eq!(b.inner(), 24);
        let b = Broadcast::new([&[5, 6], &[6]]).unwrap();
        assert_eq!((b.rows(), b.inner()), (5, 6));
    }

    proptest! {
        #[test]
        fn offsets_match_plain_indexing(
            dims in prop::collection::vec(0usize..4, 0..5),
            ones_a in prop::collection::vec(any::<bool>(), 5),
            ones_b in prop::collection::vec(any::<bool>(), 5),
            drop_b in 0usize..5,
        ) {
            let pick = |ones: &[bool]| -> Vec<usize> {
                dims.iter().zip(ones).map(|(&d, &one)| if one { 1 } else { d }).collect()
            };
            let a = pick(&ones_a);
            let b: Vec<usize> = pick(&ones_b).into_iter().skip(drop_b.min(dims.len())).collect();
            let plan = Broadcast::new([&a[..], &b[..]]).unwrap();
            let out = plan.output.clone();
            let (sa, sb) = (operand_strides(&a, out.rank()), operand_strides(&b, out.rank()));
            let mut expected = Vec::new();
            for flat in 0..out.elements() {
                let mut rest = flat;
                let (mut oa, mut ob) = (0, 0);
                for i in (0..out.rank()).rev() {
                    let x = rest % out[i];
                    rest /= out[i];
                    oa += x * sa[i];
                    ob += x * sb[i];
                }
                expected.push((oa, ob));
            }
            let mut got = vec![(0, 0); out.elements()];
            let steps = plan.inner_strides();
            if out.elements() > 0 {
                plan.for_rows(0..plan.rows(), |o, [x, y]| {
                    for i in 0..plan.inner() {
                        got[o + i] = (x + i * steps[0], y + i * steps[1]);
                    }
                });
            }
            prop_assert_eq!(got, expected);
        }
    }
}
