//! The features an operation parses, as its attributes describe them.

use downpour_graph::{Dim, PartialShape, ShapeContext};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor, checked_elements};

/// The types and shapes of the features of a tf.Example; their keys are known when it is parsed.
pub(super) struct Features {
    pub dense: Vec<Dense>,
    pub sparse: Vec<DataType>,
    /// The types of values and splits.
    pub ragged: Vec<(DataType, DataType)>,
}

/// A feature that becomes a dense tensor.
pub(super) struct Dense {
    pub dtype: DataType,
    pub shape: PartialShape,
    /// The shape without its first dimension, if that varies, else all of it.
    pub row: Shape,
    /// How many values a row has.
    pub stride: usize,
    /// Whether an example has any number of rows.
    pub is_variable: bool,
}

impl Features {
    /// Checks the types and shapes that attributes give.
    pub fn new(
        dense: (Vec<DataType>, Vec<PartialShape>),
        sparse: Vec<DataType>,
        ragged: (Vec<DataType>, Vec<DataType>),
    ) -> Result<Features> {
        let same = |what: &str, a: usize, b: usize| match a == b {
            true => Ok(()),
            false => Err(Status::invalid_argument(format!("{what} ({a} and {b})"))),
        };
        same("len(dense_keys) != len(dense_shapes)", dense.0.len(), dense.1.len())?;
        same("len(ragged_keys) != len(ragged_split_types)", ragged.0.len(), ragged.1.len())?;
        let dense = dense.0.into_iter().zip(dense.1).enumerate();
        Ok(Features {
            dense: dense.map(|(d, (t, s))| Dense::new(d, t, s)).collect::<Result<_>>()?,
            sparse,
            ragged: ragged.0.into_iter().zip(ragged.1).collect(),
        })
    }

    /// Refuses dense features of variable length, which only Examples have.
    pub fn without_variable_lengths(self) -> Result<Features> {
        match self.dense.iter().position(|dense| dense.is_variable) {
            None => Ok(self),
            Some(d) => Err(Status::invalid_argument(format!(
                "dense_shapes[{d}] has unknown dimensions: {}",
                self.dense[d].shape
            ))),
        }
    }

    /// Returns how many features there are.
    pub fn len(&self) -> usize {
        self.dense.len() + self.sparse.len() + self.ragged.len()
    }

    /// Returns the type of a feature's values; dense ones come first, then sparse, then ragged.
    pub fn dtype(&self, slot: usize) -> DataType {
        let sparse = slot.wrapping_sub(self.dense.len());
        match self.dense.get(slot) {
            Some(dense) => dense.dtype,
            None => self
                .sparse
                .get(sparse)
                .copied()
                .unwrap_or_else(|| self.ragged[sparse - self.sparse.len()].0),
        }
    }

    /// Checks what stands for missing dense features.
    pub fn check_defaults(&self, defaults: &[&Tensor]) -> Result<()> {
        for (d, (dense, default)) in self.dense.iter().zip(defaults).enumerate() {
            let shape = default.shape();
            if dense.is_variable {
                if default.len() != 1 {
                    return Err(Status::invalid_argument(format!(
                        "dense_shape[{d}] is a variable length shape: {}, therefore def_value[{d}] must contain a \
                         single element (the padding element).  But its shape is: {shape}",
                        dense.shape
                    )));
                }
            } else if !default.is_empty() && !dense.shape.allows(shape) {
                return Err(Status::invalid_argument(format!(
                    "def_value[{d}].shape() == {shape} is not compatible with dense_shapes_[{d}] == {}",
                    dense.shape
                )));
            }
        }
        Ok(())
    }
}

impl Dense {
    fn new(d: usize, dtype: DataType, shape: PartialShape) -> Result<Dense> {
        let unknown = || {
            Status::invalid_argument(format!(
                "dense_shapes[{d}] has unknown rank or unknown inner dimensions: {shape}"
            ))
        };
        let dims = shape.dims().ok_or_else(unknown)?;
        let is_variable = dims.first() == Some(&None);
        let row = &dims[usize::from(is_variable)..];
        let row: Option<Shape> = row.iter().copied().collect();
        let row = row.ok_or_else(unknown)?;
        let stride = checked_elements(&row)?;
        if is_variable && stride == 0 {
            return Err(Status::invalid_argument(format!(
                "dense_shapes[{d}] is of variable length but its rows have no values: {shape}"
            )));
        }
        Ok(Dense { dtype, shape, row, stride, is_variable })
    }
}

/// Sets the shapes of the three outputs of each of `count` sparse features, whose rank is that of the input and
/// `more`, and returns the next output.
pub(super) fn set_sparse_shapes(
    cx: &mut ShapeContext<'_>,
    first: usize,
    count: usize,
    more: usize,
) -> usize {
    let rank = cx.input(0).rank().map(|rank| rank + more);
    for i in 0..count {
        cx.set_output(first + i, PartialShape::matrix(None, rank));
        cx.set_output(first + count + i, PartialShape::vector(None));
        cx.set_output(first + 2 * count + i, PartialShape::vector(rank));
    }
    first + 3 * count
}

/// Sets the shapes of dense outputs, which begin with `prefix`, and returns the next output.
pub(super) fn set_dense_shapes(
    cx: &mut ShapeContext<'_>,
    first: usize,
    prefix: &PartialShape,
    shapes: &[PartialShape],
) -> usize {
    for (i, shape) in shapes.iter().enumerate() {
        cx.set_output(first + i, prefix.concat(shape));
    }
    first + shapes.len()
}

/// Sets the shapes of values and row splits of `count` ragged features, and returns the next output.
pub(super) fn set_ragged_shapes(
    cx: &mut ShapeContext<'_>,
    first: usize,
    count: usize,
    examples: Dim,
) -> usize {
    for i in 0..count {
        cx.set_output(first + i, PartialShape::vector(None));
        cx.set_output(first + count + i, PartialShape::vector(examples.map(|n| n + 1)));
    }
    first + 2 * count
}

/// Returns input `i`, which must be a scalar or a vector if its rank is known.
pub(super) fn with_rank_at_most_one(cx: &ShapeContext<'_>, i: usize) -> Result<()> {
    match cx.input(i).rank() {
        Some(rank) if rank > 1 => Err(Status::invalid_argument(format!(
            "Shape must be at most rank 1 but is rank {rank} for input {i} of {}",
            cx.describe()
        ))),
        _ => Ok(()),
    }
}
