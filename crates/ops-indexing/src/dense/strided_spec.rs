//! What `x[begin:end:stride, ..., new_axis, index]` means for a given shape.
//!
//! A slice is given sparsely: one entry per written index, with masks that say which entries are an
//! ellipsis, a new axis, a single index, or have an open begin or end. Resolving it gives, for every
//! axis of the tensor, where to start, how far to step and how many elements to take.

use downpour_graph::{Attrs, PartialShape};
use downpour_tensor::{Result, Shape, Status, Tensor};
use smallvec::SmallVec;

use crate::indices::Indices;

/// A list per axis: slices of shapes are the most frequent of all and should not allocate.
pub(crate) type PerAxis<T> = SmallVec<[T; 6]>;

/// The mask attributes of the strided slice operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks {
    begin: u64,
    end: u64,
    ellipsis: u64,
    new_axis: u64,
    shrink: u64,
}

impl Masks {
    pub fn from_attrs(attrs: &Attrs) -> Result<Masks> {
        let mask = |name: &str| -> Result<u64> { Ok(attrs.int(name)? as u32 as u64) };
        let masks = Masks {
            begin: mask("begin_mask")?,
            end: mask("end_mask")?,
            ellipsis: mask("ellipsis_mask")?,
            new_axis: mask("new_axis_mask")?,
            shrink: mask("shrink_axis_mask")?,
        };
        if masks.ellipsis.count_ones() > 1 {
            return Err(Status::invalid_argument("Multiple ellipses in slice spec not allowed"));
        }
        Ok(masks)
    }
}

/// The begin, end and stride inputs; begin and end may be unknown while shapes are inferred.
pub(crate) struct Bounds {
    pub begin: Option<PerAxis<i64>>,
    pub end: Option<PerAxis<i64>>,
    pub strides: PerAxis<i64>,
}

impl Bounds {
    pub fn from_tensors(begin: &Tensor, end: &Tensor, strides: &Tensor) -> Result<Bounds> {
        let equal = begin.rank() == 1 && begin.dims() == end.dims() && end.dims() == strides.dims();
        if !equal || begin.len() >= 32 {
            return Err(Status::invalid_argument(format!(
                "Expected begin, end, and strides to be 1D equal size tensors, but got shapes {}, \
                 {}, and {} instead.",
                begin.shape(),
                end.shape(),
                strides.shape()
            )));
        }
        let list = |tensor| -> Result<PerAxis<i64>> { Ok(Indices::of(tensor)?.iter().collect()) };
        Ok(Bounds { begin: Some(list(begin)?), end: Some(list(end)?), strides: list(strides)? })
    }
}

/// One axis of the result.
#[derive(Clone, Copy, Debug, PartialEq)]
enum OutputAxis {
    /// The elements taken along this axis of the input.
    Of(usize),
    New,
}

/// The slice, resolved per axis of the input. `counts[i]` is `None` where it is not known yet.
#[derive(Debug)]
pub(crate) struct StridedSpec {
    pub begin: PerAxis<i64>,
    pub steps: PerAxis<i64>,
    counts: PerAxis<Option<usize>>,
    outputs: PerAxis<OutputAxis>,
}

/// One axis of the input before its size is looked at.
#[derive(Clone, Copy)]
struct Axis {
    begin: Option<i64>,
    end: Option<i64>,
    stride: i64,
    open_begin: bool,
    open_end: bool,
    shrink: bool,
}

const WHOLE: Axis = Axis {
    begin: Some(0),
    end: Some(0),
    stride: 1,
    open_begin: true,
    open_end: true,
    shrink: false,
};

impl StridedSpec {
    pub fn resolve(dims: &[Option<usize>], bounds: &Bounds, masks: Masks) -> Result<StridedSpec> {
        let (axes, outputs) = expand(dims.len(), bounds, masks)?;
        let values_known = bounds.begin.is_some() && bounds.end.is_some();
        let mut spec = StridedSpec {
            begin: PerAxis::with_capacity(dims.len()),
            steps: PerAxis::with_capacity(dims.len()),
            counts: PerAxis::with_capacity(dims.len()),
            outputs,
        };
        for (i, axis) in axes.iter().enumerate() {
            let stride = axis.stride;
            if stride == 0 {
                return Err(Status::invalid_argument(format!("strides[{i}] must be non-zero")));
            }
            let Some(dim) = dims[i] else {
                spec.push(0, stride, axis.shrink.then_some(1));
                continue;
            };
            let dim = dim as i64;
            if axis.shrink && stride <= 0 {
                return Err(Status::invalid_argument(
                    "only stride 1 allowed on non-range indexing.",
                ));
            }
            match (axis.begin, axis.end) {
                (Some(begin), Some(_)) if values_known && axis.shrink => {
                    let at = if begin < 0 { begin.saturating_add(dim) } else { begin };
                    if !(0..dim).contains(&at) {
                        return Err(Status::invalid_argument(format!(
                            "slice index {at} of dimension {i} out of bounds."
                        )));
                    }
                    spec.push(at, 1, Some(1));
                }
                (Some(begin), Some(end)) if values_known => {
                    let (begin, end) = axis.range(begin, end, dim);
                    let span = if stride > 0 { end - begin } else { begin - end };
                    let size = stride.unsigned_abs();
                    let count = if span <= 0 { 0 } else { (span as u64).div_ceil(size) };
                    spec.push(begin, stride, Some(count as usize));
                }
                _ if axis.shrink => spec.push(0, 1, Some(1)),
                _ if axis.open_begin && axis.open_end => {
                    let count = (dim as u64).div_ceil(stride.unsigned_abs());
                    spec.push(0, stride, Some(count as usize));
                }
                _ => spec.push(0, stride, None),
            }
        }
        Ok(spec)
    }

    fn push(&mut self, begin: i64, step: i64, count: Option<usize>) {
        self.begin.push(begin);
        self.steps.push(step);
        self.counts.push(count);
    }

    /// The slice of a tensor whose shape is known.
    pub fn of_shape(dims: &[usize], bounds: &Bounds, masks: Masks) -> Result<StridedSpec> {
        let dims: PerAxis<Option<usize>> = dims.iter().map(|&d| Some(d)).collect();
        StridedSpec::resolve(&dims, bounds, masks)
    }

    /// Elements taken per axis of the input; all known when the shape and the bounds were.
    pub fn counts(&self) -> Result<PerAxis<usize>> {
        let counts: Option<PerAxis<usize>> = self.counts.iter().copied().collect();
        counts.ok_or_else(|| Status::internal("a strided slice was resolved without its bounds"))
    }

    /// The shape of the result.
    pub fn output_shape(&self) -> PartialShape {
        PartialShape::of(self.outputs.iter().map(|axis| match axis {
            OutputAxis::Of(i) => self.counts[*i],
            OutputAxis::New => Some(1),
        }))
    }

    pub fn known_output_shape(&self) -> Result<Shape> {
        let shape = self.output_shape().to_shape();
        shape.ok_or_else(|| Status::internal("a strided slice was resolved without its bounds"))
    }

    /// True when the whole tensor is taken in order.
    pub fn is_everything(&self, dims: &[usize]) -> bool {
        (0..dims.len()).all(|i| self.takes_all(i, dims))
    }

    /// True when only rows along the first axis are left out.
    pub fn is_row_range(&self, dims: &[usize]) -> bool {
        !dims.is_empty() && self.steps[0] == 1 && (1..dims.len()).all(|i| self.takes_all(i, dims))
    }

    fn takes_all(&self, i: usize, dims: &[usize]) -> bool {
        self.steps[i] == 1 && self.begin[i] == 0 && self.counts[i] == Some(dims[i])
    }
}

impl Axis {
    /// Begin and end with negative values resolved and clamped to the axis.
    fn range(&self, begin: i64, end: i64, dim: i64) -> (i64, i64) {
        let (low, high) = if self.stride > 0 { (0, dim) } else { (-1, dim - 1) };
        let clamp = |v: i64| {
            let v = if v < 0 { v.saturating_add(dim) } else { v };
            v.clamp(low, high.max(low))
        };
        let (first, last) = if self.stride > 0 { (low, high) } else { (high, low) };
        (
            if self.open_begin { first } else { clamp(begin) },
            if self.open_end { last } else { clamp(end) },
        )
    }
}

/// One `Axis` per axis of the input, and the axes of the result.
fn expand(
    rank: usize,
    bounds: &Bounds,
    masks: Masks,
) -> Result<(PerAxis<Axis>, PerAxis<OutputAxis>)> {
    let mut entries = bounds.strides.len();
    let mut ellipsis = masks.ellipsis;
    let in_use = (1u64 << entries) - 1;
    if ellipsis & in_use == 0 {
        // Axes nobody wrote are taken whole, as if an ellipsis stood at the end.
        ellipsis = 1 << entries;
        entries += 1;
    }
    let mut axes = PerAxis::with_capacity(rank);
    let mut outputs = PerAxis::with_capacity(rank);
    for i in 0..entries {
        let bit = 1u64 << i;
        if ellipsis & bit != 0 {
            let new_behind = (masks.new_axis & in_use & !(bit | (bit - 1))).count_ones() as usize;
            let behind = (entries - i - 1).saturating_sub(new_behind);
            while axes.len() + behind < rank {
                outputs.push(OutputAxis::Of(axes.len()));
                axes.push(WHOLE);
            }
        } else if masks.new_axis & bit != 0 {
            outputs.push(OutputAxis::New);
        } else {
            if axes.len() == rank {
                return Err(Status::invalid_argument(if rank == 0 {
                    "Attempting to slice scalar input.".to_string()
                } else {
                    format!("Index out of range using input dim {rank}; input has only {rank} dims")
                }));
            }
            let shrink = masks.shrink & bit != 0;
            if !shrink {
                outputs.push(OutputAxis::Of(axes.len()));
            }
            axes.push(Axis {
                begin: bounds.begin.as_ref().map(|b| b[i]),
                end: bounds.end.as_ref().map(|e| e[i]),
                stride: bounds.strides[i],
                open_begin: masks.begin & bit != 0,
                open_end: masks.end & bit != 0,
                shrink,
            });
        }
    }
    Ok((axes, outputs))
}
