//! A checked view of the three tensors that make a sparse tensor.

use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::units::{Unit, dispatch_units};

/// Coordinates, values and dense shape whose sizes agree. Coordinates are as they came: methods check
/// bounds and order where an operation needs them.
#[derive(Clone)]
pub(crate) struct Coo<'a> {
    pub indices: &'a [i64],
    pub values: &'a Tensor,
    pub shape: &'a [i64],
}

impl<'a> Coo<'a> {
    pub fn new(indices: &'a Tensor, values: &'a Tensor, shape: &'a Tensor) -> Result<Coo<'a>> {
        let ranks = [("indices", indices, 2), ("values", values, 1), ("shape", shape, 1)];
        for (name, tensor, rank) in ranks {
            if tensor.rank() != rank {
                return Err(Status::invalid_argument(format!(
                    "Sparse {name} must be rank {rank} but is rank {}",
                    tensor.rank()
                )));
            }
        }
        let (count, rank) = (indices.dims()[0], indices.dims()[1]);
        if values.len() != count {
            return Err(Status::invalid_argument(format!(
                "Number of elements in indices ({count}) and values ({}) do not match",
                values.len()
            )));
        }
        if shape.len() != rank {
            return Err(Status::invalid_argument(format!(
                "Index rank ({rank}) and shape rank ({}) do not match",
                shape.len()
            )));
        }
        Ok(Coo { indices: indices.as_slice()?, values, shape: shape.as_slice()? })
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The coordinates of value `i`.
    pub fn row(&self, i: usize) -> &'a [i64] {
        let rank = self.rank();
        &self.indices[i * rank..(i + 1) * rank]
    }

    pub fn rows(&self) -> impl ExactSizeIterator<Item = &'a [i64]> + use<'a> {
        let (indices, rank) = (self.indices, self.shape.len());
        (0..self.values.len()).map(move |i| &indices[i * rank..(i + 1) * rank])
    }

    /// The dense shape, if such a tensor can be.
    pub fn dense_shape(&self) -> Result<Shape> {
        Shape::from_i64(self.shape)
    }

    fn describe(&self, i: usize) -> String {
        let parts: Vec<String> = self.row(i).iter().map(i64::to_string).collect();
        format!("indices[{i}] = [{}]", parts.join(","))
    }

    pub fn inside(&self, i: usize) -> bool {
        self.row(i).iter().zip(self.shape).all(|(&x, &d)| x >= 0 && x < d)
    }

    /// Every coordinate lies inside the shape.
    pub fn check_bounds(&self) -> Result<()> {
        match (0..self.len()).find(|&i| !self.inside(i)) {
            Some(i) => Err(self.out_of_bounds(i)),
            None => Ok(()),
        }
    }

    fn out_of_bounds(&self, i: usize) -> Status {
        let shape: Vec<String> = self.shape.iter().map(i64::to_string).collect();
        Status::invalid_argument(format!(
            "{} is out of bounds: need 0 <= index < [{}]",
            self.describe(i),
            shape.join(",")
        ))
    }

    /// Every coordinate lies inside the shape, and they are sorted without repetition.
    pub fn check_order(&self) -> Result<()> {
        for i in 0..self.len() {
            if !self.inside(i) {
                return Err(self.out_of_bounds(i));
            }
            if i == 0 {
                continue;
            }
            match self.row(i - 1).cmp(self.row(i)) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Greater => {
                    return Err(Status::invalid_argument(format!(
                        "{} is out of order. Many sparse ops require sorted indices.\n    Use \
                         `tf.sparse.reorder` to create a correctly ordered copy.\n\n",
                        self.describe(i)
                    )));
                }
                std::cmp::Ordering::Equal => {
                    return Err(Status::invalid_argument(format!(
                        "{} is repeated",
                        self.describe(i)
                    )));
                }
            }
        }
        Ok(())
    }

    /// Positions of the values in the order of their coordinates (stable).
    pub fn sorted(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&a, &b| self.row(a).cmp(self.row(b)));
        order
    }

    /// Coordinates and values at these positions.
    pub fn pick(&self, order: &[usize]) -> Result<(Tensor, Tensor)> {
        Ok((self.pick_rows(order)?, pick_values(self.values, order)?))
    }

    fn pick_rows(&self, order: &[usize]) -> Result<Tensor> {
        let rank = self.rank();
        Tensor::build([order.len(), rank], |out: &mut [i64]| {
            if rank > 0 {
                let rows = out.chunks_exact_mut(rank).zip(order);
                rows.for_each(|(row, &i)| row.copy_from_slice(self.row(i)));
            }
        })
    }
}

/// The elements of a vector at these positions.
pub(crate) fn pick_values(values: &Tensor, order: &[usize]) -> Result<Tensor> {
    dispatch_units!(values.dtype(), T => {
        let source = T::view(values)?;
        T::build(values.dtype(), Shape::from([order.len()]), |out| {
            out.iter_mut().zip(order).for_each(|(o, &i)| *o = source[i].clone());
            Ok(())
        })
    })
}

/// A matrix of coordinates from rows written one after the other.
pub(crate) fn index_matrix(rows: &[i64], rank: usize, count: usize) -> Result<Tensor> {
    Tensor::from_slice([count, rank], rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_bounds_are_told_apart() {
        let v = Tensor::vector(&[1f32, 2.0]).unwrap();
        let s = Tensor::vector(&[2i64, 2]).unwrap();
        let check = |indices: &[i64]| {
            let i = Tensor::from_slice([2, 2], indices).unwrap();
            Coo::new(&i, &v, &s).unwrap().check_order().map_err(|e| e.message().to_string())
        };
        assert!(check(&[0, 1, 1, 0]).is_ok());
        assert!(check(&[1, 0, 0, 1]).unwrap_err().contains("indices[1] = [0,1] is out of order"));
        assert!(check(&[1, 0, 1, 0]).unwrap_err().contains("is repeated"));
        assert!(
            check(&[0, 0, 0, 2]).unwrap_err().contains("is out of bounds: need 0 <= index < [2,2]")
        );
        let i = Tensor::from_slice([1, 2], &[0i64, 0]).unwrap();
        assert!(Coo::new(&i, &v, &s).is_err());
    }
}
