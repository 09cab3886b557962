//! A tensor's fully known shape.

use std::fmt;
use std::ops::Deref;

use smallvec::SmallVec;

use crate::{Result, Status};

/// TensorFlow's limit on the number of dimensions.
const MAX_RANK: usize = 254;

/// Dimension sizes, outermost first. Ranks up to six take no heap allocation.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Shape(SmallVec<[usize; 6]>);

impl Shape {
    pub fn scalar() -> Shape {
        Shape::default()
    }

    pub fn new(dims: &[usize]) -> Shape {
        Shape(SmallVec::from_slice(dims))
    }

    /// A shape from sizes that came from outside: negative sizes, too many dimensions and an
    /// element count that overflows are refused.
    pub fn from_i64(dims: &[i64]) -> Result<Shape> {
        if dims.len() > MAX_RANK {
            return Err(Status::invalid_argument(format!(
                "a shape has {} dimensions; at most {MAX_RANK} are supported",
                dims.len()
            )));
        }
        let mut out = SmallVec::with_capacity(dims.len());
        for (i, &d) in dims.iter().enumerate() {
            let d = usize::try_from(d).map_err(|_| {
                Status::invalid_argument(format!("Dimension {d} (at position {i}) must be >= 0"))
            })?;
            out.push(d);
        }
        let shape = Shape(out);
        checked_elements(&shape)?;
        Ok(shape)
    }

    pub fn rank(&self) -> usize {
        self.0.len()
    }

    pub fn dims(&self) -> &[usize] {
        &self.0
    }

    pub fn dims_mut(&mut self) -> &mut [usize] {
        &mut self.0
    }

    pub fn push(&mut self, dim: usize) {
        self.0.push(dim);
    }

    /// Product of the sizes; shapes are checked for overflow where they are made.
    pub fn elements(&self) -> usize {
        self.0.iter().product()
    }

    pub fn is_scalar(&self) -> bool {
        self.0.is_empty()
    }

    /// Element strides of a row-major layout.
    pub fn strides(&self) -> SmallVec<[usize; 6]> {
        let mut strides: SmallVec<[usize; 6]> = SmallVec::from_elem(1, self.rank());
        for i in (0..self.rank().saturating_sub(1)).rev() {
            strides[i] = strides[i + 1] * self.0[i + 1];
        }
        strides
    }

    /// Resolves an axis that may count from the end; `None` when it is out of range.
    pub fn axis(&self, axis: i64) -> Option<usize> {
        let rank = self.rank() as i64;
        let resolved = if axis < 0 { axis.checked_add(rank)? } else { axis };
        (0..rank).contains(&resolved).then_some(resolved as usize)
    }

    pub fn to_i64(&self) -> Vec<i64> {
        self.0.iter().map(|&d| d as i64).collect()
    }
}

/// Product of sizes, refusing counts above `i64::MAX` as TensorFlow does.
pub fn checked_elements(dims: &[usize]) -> Result<usize> {
    // A zero anywhere makes the tensor empty, but the other sizes must still not overflow together:
    // later code multiplies prefixes and suffixes of the shape on their own.
    let mut product: i64 = 1;
    let mut empty = false;
    for &d in dims {
        if d == 0 {
            empty = true;
            continue;
        }
        product = i64::try_from(d).ok().and_then(|d| product.checked_mul(d)).ok_or_else(|| {
            Status::invalid_argument(format!(
                "the shape {:?} has more elements than a 64-bit integer can count",
                dims
            ))
        })?;
    }
    Ok(if empty { 0 } else { product as usize })
}

impl Deref for Shape {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(dims: [usize; N]) -> Shape {
        Shape::new(&dims)
    }
}

impl From<&[usize]> for Shape {
    fn from(dims: &[usize]) -> Shape {
        Shape::new(dims)
    }
}

impl From<Vec<usize>> for Shape {
    fn from(dims: Vec<usize>) -> Shape {
        Shape(SmallVec::from_vec(dims))
    }
}

impl From<&Shape> for Shape {
    fn from(shape: &Shape) -> Shape {
        shape.clone()
    }
}

impl FromIterator<usize> for Shape {
    fn from_iter<I: IntoIterator<Item = usize>>(iter: I) -> Shape {
        Shape(iter.into_iter().collect())
    }
}

/// Written as TensorFlow writes it: `[2,3]`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, d) in self.0.iter().enumerate() {
            write!(f, "{}{d}", if i > 0 { "," } else { "" })?;
        }
        f.write_str("]")
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_sizes_are_checked() {
        assert_eq!(Shape::from_i64(&[2, 3]).unwrap().elements(), 6);
        assert!(Shape::from_i64(&[-1]).is_err());
        assert!(Shape::from_i64(&[1 << 40, 1 << 40]).is_err());
        assert!(Shape::from_i64(&[0, 1 << 40, 1 << 40]).is_err());
        assert!(Shape::from_i64(&[0; 255]).is_err());
    }

    #[test]
    fn strides_and_axes() {
        let s = Shape::new(&[2, 3, 4]);
        assert_eq!(&s.strides()[..], &[12, 4, 1]);
        assert_eq!(s.axis(-1), Some(2));
        assert_eq!(s.axis(3), None);
        assert_eq!(s.axis(i64::MIN), None);
        assert_eq!(s.to_string(), "[2,3,4]");
    }
}
