//! Indices of several dimensions: the rows of a variable that the vectors along the last axis name.

use downpour_tensor::{CountedVec, Result, Shape, Status, Tensor};

use super::handles::position;

/// The variable seen as rows of `width` elements that indices of `depth` numbers choose from.
pub(crate) struct NdIndices {
    pub width: usize,
    /// The row of each index; `None` where it lies outside. Counted, since indices of no numbers take no memory
    /// however many they are.
    pub rows: CountedVec<Option<usize>>,
    depth: usize,
    outer: Shape,
}

impl NdIndices {
    /// `depth` numbers per index, taken from the last axis of `indices` (or one by one where the
    /// indices are a vector and `depth` is 1). `depth` is at most the variable's rank.
    pub fn new(shape: &Shape, indices: &Tensor, depth: usize) -> Result<NdIndices> {
        let width: usize = shape[depth..].iter().product();
        let values = indices.to_i64_vec()?;
        let outer = match indices.dims() {
            [outer @ .., last] if *last == depth => Shape::new(outer),
            all => Shape::new(all),
        };
        let row = |index: &[i64]| {
            index.iter().zip(shape.iter()).try_fold(0usize, |row, (&i, &size)| {
                let i = usize::try_from(i).ok().filter(|&i| i < size)?;
                Some(row * size + i)
            })
        };
        let rows = match values.len().checked_div(depth) {
            Some(indices) => {
                CountedVec::build(indices, |i| Ok(row(&values[i * depth..][..depth])))?
            }
            // An index of no numbers names the whole variable.
            None => CountedVec::filled(downpour_tensor::checked_elements(&outer)?, Some(0))?,
        };
        Ok(NdIndices { width, rows, depth, outer })
    }

    /// All rows, or INVALID_ARGUMENT that names the first index outside of `shape`.
    pub fn all_inside(
        &self,
        indices: &Tensor,
        shape: &Shape,
        of_what: &str,
    ) -> Result<CountedVec<usize>> {
        CountedVec::build(self.rows.len(), |i| match self.rows[i] {
            Some(row) => Ok(row),
            None => {
                let values = indices.to_i64_vec()?;
                let index: Vec<String> = values[i * self.depth..(i + 1) * self.depth]
                    .iter()
                    .map(ToString::to_string)
                    .collect();
                Err(Status::invalid_argument(format!(
                    "indices{} = [{}] does not index into {of_what}shape {shape}",
                    position(&self.outer, i),
                    index.join(", ")
                )))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They take no memory themselves, but their rows would.
    #[test]
    fn too_many_indices_of_no_numbers_are_refused() {
        let indices = Tensor::new(downpour_tensor::DataType::Int32, [1 << 50, 0]).unwrap();
        let refused = NdIndices::new(&Shape::from([0]), &indices, 0).err().unwrap();
        assert_eq!(refused.code(), downpour_tensor::Code::ResourceExhausted);
        let few = Tensor::new(downpour_tensor::DataType::Int32, [3, 0]).unwrap();
        let rows = NdIndices::new(&Shape::from([2]), &few, 0).unwrap().rows;
        assert_eq!(rows[..], [Some(0); 3]);
    }
}
