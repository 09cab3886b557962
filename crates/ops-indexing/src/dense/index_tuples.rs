//! Index tuples: each names a slice of a tensor by its leading coordinates.

use downpour_graph::Attrs;
use downpour_tensor::{Result, Shape, Status, Tensor};
use smallvec::SmallVec;

use crate::indices::{Indices, place};

/// What to do with a tuple that points outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BadIndices {
    Error,
    Ignore,
}

impl BadIndices {
    pub fn from_attrs(attrs: &Attrs) -> Result<BadIndices> {
        match attrs.string("bad_indices_policy")?.as_str() {
            "" | "DEFAULT" | "ERROR" => Ok(BadIndices::Error),
            "IGNORE" => Ok(BadIndices::Ignore),
            other => Err(Status::invalid_argument(format!(
                "Unknown bad indices handling attribute: {other}"
            ))),
        }
    }
}

pub(crate) struct IndexTuples<'a> {
    indices: Indices<'a>,
    outer: Shape,
    dims: SmallVec<[usize; 6]>,
    strides: SmallVec<[usize; 6]>,
    inner: usize,
    count: usize,
}

impl<'a> IndexTuples<'a> {
    /// Tuples along the last axis of `indices` into a tensor of shape `dims`.
    pub fn new(indices: &'a Tensor, dims: &[usize]) -> Result<IndexTuples<'a>> {
        let Some((&depth, outer)) = indices.dims().split_last() else {
            return Err(Status::invalid_argument("indices must be at least a vector"));
        };
        if depth > dims.len() {
            return Err(Status::invalid_argument(format!(
                "index tuples of length {depth} cannot point into a tensor of shape {}",
                Shape::new(dims)
            )));
        }
        Ok(IndexTuples {
            indices: Indices::of(indices)?,
            outer: Shape::new(outer),
            dims: SmallVec::from_slice(&dims[..depth]),
            strides: SmallVec::from_slice(&Shape::new(dims).strides()[..depth]),
            inner: dims[depth..].iter().product(),
            count: outer.iter().product(),
        })
    }

    /// Elements of the slice each tuple names.
    pub fn inner(&self) -> usize {
        self.inner
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// Where the slice of tuple `i` begins; `None` if it points outside.
    #[inline]
    pub fn offset(&self, i: usize) -> Option<usize> {
        let depth = self.dims.len();
        let mut offset = 0;
        for k in 0..depth {
            let index = self.indices.get(i * depth + k);
            if index as u64 >= self.dims[k] as u64 {
                return None;
            }
            offset += index as usize * self.strides[k];
        }
        Some(offset)
    }

    pub fn first_outside(&self) -> Option<usize> {
        (0..self.count).find(|&i| self.offset(i).is_none())
    }

    /// `[place] = [tuple]`, for messages.
    pub fn describe(&self, i: usize) -> String {
        let depth = self.dims.len();
        let tuple: Vec<String> =
            (0..depth).map(|k| self.indices.get(i * depth + k).to_string()).collect();
        format!("{} = [{}]", place(&self.outer, i), tuple.join(", "))
    }
}
