//! Windows that move over rows and columns of images.

use std::ops::Range;

use downpour_graph::{Attrs, Dim};
use downpour_tensor::{Result, Status};

/// A window along one axis.
#[derive(Clone, Copy)]
pub(crate) struct Axis {
    pub input: usize,
    pub size: usize,
    pub stride: usize,
    pub output: usize,
}

impl Axis {
    pub(crate) fn new(input: usize, size: usize, stride: usize, same: bool) -> Result<Axis> {
        if stride == 0 {
            return Err(Status::invalid_argument("Stride must be > 0, but got 0"));
        }
        let output = if same {
            input.div_ceil(stride)
        } else if let Some(rest) = input.checked_sub(size) {
            rest / stride + 1
        } else {
            return Err(Status::invalid_argument(format!(
                "Computed output size would be negative: input {input}, filter {size}, stride \
                 {stride}"
            )));
        };
        Ok(Axis { input, size, stride, output })
    }

    /// Returns how many places the first window reaches before the input (SAME).
    pub(crate) fn before(&self) -> usize {
        let reach = self.output.saturating_sub(1).saturating_mul(self.stride);
        reach.saturating_add(self.size).saturating_sub(self.input) / 2
    }

    /// Returns the places of the input under a window.
    pub(crate) fn places(&self, output: usize, before: usize) -> Range<usize> {
        let start = output * self.stride;
        let end = start.saturating_add(self.size).saturating_sub(before).min(self.input);
        start.saturating_sub(before).min(end)..end
    }
}

/// Returns the entries for rows and columns of an attribute with one entry for each axis of a batch of images.
pub(crate) fn spatial(attrs: &Attrs, name: &str) -> Result<[usize; 2]> {
    let values = attrs.ints(name)?;
    let &[batch, rows, columns, depth] = &values[..] else {
        return Err(Status::invalid_argument(format!(
            "Sliding window {name} field must specify 4 dimensions"
        )));
    };
    if batch != 1 || depth != 1 {
        return Err(Status::unimplemented(format!(
            "{name} must be 1 in the batch and depth dimensions"
        )));
    }
    let size = |value: i64| {
        usize::try_from(value).ok().filter(|&v| v > 0 && v <= i32::MAX as usize).ok_or_else(|| {
            Status::invalid_argument(format!("Sliding window {name} must be > 0, but got {value}"))
        })
    };
    Ok([size(rows)?, size(columns)?])
}

/// Returns the output's size as far as it is known.
pub(crate) fn output_dim(input: Dim, size: Dim, stride: usize, same: bool) -> Result<Dim> {
    let size = if same { Some(1) } else { size };
    let (Some(input), Some(size)) = (input, size) else { return Ok(None) };
    Ok(Some(Axis::new(input, size, stride, same)?.output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_stay_inside() {
        let axis = Axis::new(5, 3, 2, true).unwrap();
        assert_eq!((axis.output, axis.before()), (3, 1));
        let places: Vec<_> = (0..3).map(|i| axis.places(i, 1)).collect();
        assert_eq!(places, [0..2, 1..4, 3..5]);
        assert_eq!(Axis::new(5, 3, 2, false).unwrap().output, 2);
        assert!(Axis::new(2, 3, 1, false).is_err());
        assert!(Axis::new(2, 3, 0, true).is_err());
    }
}
