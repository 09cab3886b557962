//! A shape as far as it is known before running: unknown rank, or dimensions some of which are unknown.

use std::fmt;

use downpour_tensor::{Result, Shape, Status};
use smallvec::SmallVec;

/// One dimension: `None` when unknown.
pub type Dim = Option<usize>;

#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct PartialShape(Option<SmallVec<[Dim; 6]>>);

impl PartialShape {
    /// Nothing is known, not even the rank.
    pub fn unknown() -> PartialShape {
        PartialShape(None)
    }

    pub fn scalar() -> PartialShape {
        PartialShape(Some(SmallVec::new()))
    }

    pub fn of(dims: impl IntoIterator<Item = Dim>) -> PartialShape {
        PartialShape(Some(dims.into_iter().collect()))
    }

    /// A known rank with unknown dimensions.
    pub fn of_rank(rank: usize) -> PartialShape {
        PartialShape::of(std::iter::repeat_n(None, rank))
    }

    pub fn vector(dim: Dim) -> PartialShape {
        PartialShape::of([dim])
    }

    pub fn matrix(rows: Dim, columns: Dim) -> PartialShape {
        PartialShape::of([rows, columns])
    }

    /// From sizes in which -1 means unknown.
    pub fn from_i64(dims: &[i64]) -> Result<PartialShape> {
        dims.iter()
            .map(|&d| match d {
                -1 => Ok(None),
                d => usize::try_from(d).map(Some).map_err(|_| {
                    Status::invalid_argument(format!("a dimension of size {d} is not possible"))
                }),
            })
            .collect::<Result<SmallVec<_>>>()
            .map(|dims| PartialShape(Some(dims)))
    }

    pub fn rank(&self) -> Option<usize> {
        self.0.as_ref().map(|d| d.len())
    }

    /// The dimensions, if the rank is known.
    pub fn dims(&self) -> Option<&[Dim]> {
        self.0.as_deref()
    }

    /// Dimension `i`; `None` when it or the rank is unknown or there is no such axis.
    pub fn dim(&self, i: usize) -> Dim {
        self.dims().and_then(|d| d.get(i).copied().flatten())
    }

    /// The shape, if everything is known and a tensor can have it: attributes come from outside, and whoever counts a
    /// shape's elements relies on it that the number fits.
    pub fn to_shape(&self) -> Option<Shape> {
        let size = |dim: &Dim| dim.and_then(|size| i64::try_from(size).ok());
        let sizes = self.dims()?.iter().map(size).collect::<Option<SmallVec<[i64; 6]>>>()?;
        Shape::from_i64(&sizes).ok()
    }

    pub fn is_fully_known(&self) -> bool {
        self.dims().is_some_and(|d| d.iter().all(Option::is_some))
    }

    pub fn elements(&self) -> Option<usize> {
        self.dims()?.iter().try_fold(1usize, |n, d| n.checked_mul((*d)?))
    }

    /// True when a tensor of `shape` could have this partial shape.
    pub fn allows(&self, shape: &[usize]) -> bool {
        match self.dims() {
            None => true,
            Some(dims) => {
                dims.len() == shape.len()
                    && dims.iter().zip(shape).all(|(d, s)| d.is_none_or(|d| d == *s))
            }
        }
    }

    /// True when some shape satisfies both.
    pub fn is_compatible(&self, other: &PartialShape) -> bool {
        self.merge(other).is_some()
    }

    /// What is known from both together; `None` when they contradict.
    pub fn merge(&self, other: &PartialShape) -> Option<PartialShape> {
        let (Some(a), Some(b)) = (self.dims(), other.dims()) else {
            return Some(if self.0.is_some() { self.clone() } else { other.clone() });
        };
        if a.len() != b.len() {
            return None;
        }
        a.iter()
            .zip(b)
            .map(|(&x, &y)| merge_dim(x, y))
            .collect::<Option<SmallVec<_>>>()
            .map(|d| PartialShape(Some(d)))
    }

    /// What holds for values of either shape (used where branches of control flow meet).
    pub fn relax(&self, other: &PartialShape) -> PartialShape {
        match (self.dims(), other.dims()) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                PartialShape::of(a.iter().zip(b).map(|(&x, &y)| if x == y { x } else { None }))
            }
            _ => PartialShape::unknown(),
        }
    }

    /// -1 for unknown dimensions; `None` for unknown rank.
    pub fn to_i64(&self) -> Option<Vec<i64>> {
        Some(self.dims()?.iter().map(|d| d.map_or(-1, |d| d as i64)).collect())
    }

    /// This shape with further dimensions behind it.
    pub fn concat(&self, other: &PartialShape) -> PartialShape {
        match (self.dims(), other.dims()) {
            (Some(a), Some(b)) => PartialShape::of(a.iter().chain(b).copied()),
            _ => PartialShape::unknown(),
        }
    }

    /// Dimensions `start..end` of a shape of known rank; unknown stays unknown.
    pub fn subshape(&self, start: usize, end: usize) -> PartialShape {
        match self.dims() {
            Some(d) if start <= end && end <= d.len() => {
                PartialShape::of(d[start..end].iter().copied())
            }
            _ => PartialShape::unknown(),
        }
    }
}

/// Agreement of two dimensions; outer `None` is a contradiction.
pub fn merge_dim(a: Dim, b: Dim) -> Option<Dim> {
    match (a, b) {
        (Some(x), Some(y)) if x != y => None,
        (Some(x), _) => Some(Some(x)),
        (None, y) => Some(y),
    }
}

impl From<&Shape> for PartialShape {
    fn from(shape: &Shape) -> PartialShape {
        PartialShape::of(shape.iter().map(|&d| Some(d)))
    }
}

impl From<Shape> for PartialShape {
    fn from(shape: Shape) -> PartialShape {
        PartialShape::from(&shape)
    }
}

impl From<&PartialShape> for PartialShape {
    fn from(shape: &PartialShape) -> PartialShape {
        shape.clone()
    }
}

/// A scalar's shape.
impl From<()> for PartialShape {
    fn from((): ()) -> PartialShape {
        PartialShape::scalar()
    }
}

/// Sizes that are all known.
impl<const N: usize> From<[usize; N]> for PartialShape {
    fn from(dims: [usize; N]) -> PartialShape {
        PartialShape::from(&dims[..])
    }
}

impl From<&[usize]> for PartialShape {
    fn from(dims: &[usize]) -> PartialShape {
        PartialShape::of(dims.iter().map(|&d| Some(d)))
    }
}

impl From<Vec<usize>> for PartialShape {
    fn from(dims: Vec<usize>) -> PartialShape {
        PartialShape::from(&dims[..])
    }
}

/// Sizes some of which are unknown: `[None, Some(784)]`.
impl<const N: usize> From<[Dim; N]> for PartialShape {
    fn from(dims: [Dim; N]) -> PartialShape {
        PartialShape::of(dims)
    }
}

/// Written as TensorFlow writes it: `[2,?]`, or `<unknown>`.
impl fmt::Display for PartialShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(dims) = self.dims() else { return f.write_str("<unknown>") };
        f.write_str("[")?;
        for (i, d) in dims.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            match d {
                Some(d) => write!(f, "{comma}{d}")?,
                None => write!(f, "{comma}?")?,
            }
        }
        f.write_str("]")
    }
}

impl fmt::Debug for PartialShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_keeps_what_is_known_and_finds_contradictions() {
        let a = PartialShape::of([Some(2), None]);
        let b = PartialShape::of([None, Some(3)]);
        assert_eq!(a.merge(&b), Some(PartialShape::of([Some(2), Some(3)])));
        assert_eq!(a.merge(&PartialShape::of([Some(4), None])), None);
        assert_eq!(a.merge(&PartialShape::unknown()), Some(a.clone()));
        assert_eq!(a.relax(&b), PartialShape::of_rank(2));
        assert_eq!(a.to_string(), "[2,?]");
    }

    #[test]
    fn only_a_shape_that_a_tensor_can_have_becomes_one() {
        let shape = |sizes: &[usize]| PartialShape::of(sizes.iter().map(|&d| Some(d))).to_shape();
        assert_eq!(shape(&[2, 3]), Some(Shape::new(&[2, 3])));
        assert_eq!(shape(&[]), Some(Shape::scalar()));
        for sizes in [&[1 << 40, 1 << 40][..], &[0, 1 << 40, 1 << 40], &[usize::MAX], &[1; 300]] {
            assert_eq!(shape(sizes), None, "{sizes:?}");
        }
        assert_eq!(PartialShape::of([None, Some(1)]).to_shape(), None);
    }
}
