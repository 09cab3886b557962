//! Images of another size.

use downpour_tensor::{DataType, Result, Status, Tensor, checked_elements};

/// The two input positions around an output position.
struct Between {
    lower: usize,
    upper: usize,
    /// Distance from `lower`.
    weight: f32,
}

/// Pixels are squares: their centres are at halves, as in `tf.image.resize`.
fn between(from: usize, to: usize) -> Vec<Between> {
    let (scale, last) = (from as f32 / to as f32, from as i64 - 1);
    let position = |i: usize| {
        let at = (i as f32 + 0.5) * scale - 0.5;
        let clamped = |value: f32| (value as i64).clamp(0, last) as usize;
        Between { lower: clamped(at.floor()), upper: clamped(at.ceil()), weight: at - at.floor() }
    };
    (0..to).map(position).collect()
}

/// Resizes an image [height, width, channels] of uint8 or float by bilinear interpolation, as `tf.image.resize` does.
/// The result is float.
pub fn bilinear(image: &Tensor, size: [usize; 2]) -> Result<Tensor> {
    let &[height, width, channels] = image.dims() else {
        return Err(Status::invalid_argument(format!(
            "an image has the axes height, width and channels, not the shape {}",
            image.shape()
        )));
    };
    if image.is_empty() || size.contains(&0) {
        return Err(Status::invalid_argument(format!(
            "an image of the shape {} cannot be resized to {} x {}: every size must be at least 1",
            image.shape(),
            size[0],
            size[1]
        )));
    }
    let shape = [size[0], size[1], channels];
    checked_elements(&shape)?;
    let (rows, columns) = (between(height, size[0]), between(width, size[1]));
    let place = Places { rows, columns, width, channels };
    match image.dtype() {
        DataType::UInt8 => place.mix(image.as_slice::<u8>()?, &shape),
        DataType::Float => place.mix(image.as_slice::<f32>()?, &shape),
        other => Err(Status::invalid_argument(format!(
            "images of uint8 or float can be resized, not of {other}"
        ))),
    }
}

struct Places {
    rows: Vec<Between>,
    columns: Vec<Between>,
    /// Columns of the input image.
    width: usize,
    channels: usize,
}

impl Places {
    fn mix<T: Copy + Into<f32>>(&self, from: &[T], shape: &[usize]) -> Result<Tensor> {
        let (line, channels) = (self.width * self.channels, self.channels);
        Tensor::build(shape, |out: &mut [f32]| {
            let lines = out.chunks_exact_mut(self.columns.len() * channels);
            for (to, row) in lines.zip(&self.rows) {
                let top = &from[row.lower * line..][..line];
                let bottom = &from[row.upper * line..][..line];
                for (to, column) in to.chunks_exact_mut(channels).zip(&self.columns) {
                    let (left, right) = (column.lower * channels, column.upper * channels);
                    for (c, to) in to.iter_mut().enumerate() {
                        let mix = |line: &[T]| {
                            let (left, right) = (line[left + c].into(), line[right + c].into());
                            left + (right - left) * column.weight
                        };
                        let (top, bottom) = (mix(top), mix(bottom));
                        *to = top + (bottom - top) * row.weight;
                    }
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centres_of_pixels_are_at_halves() {
        let image = Tensor::from_slice([1, 2, 1], &[0u8, 10]).unwrap();
        let wide = bilinear(&image, [1, 4]).unwrap();
        assert_eq!(wide.as_slice::<f32>().unwrap(), &[0.0, 2.5, 7.5, 10.0]);
        let high = bilinear(&image, [2, 1]).unwrap();
        assert_eq!(
            (high.dims(), high.as_slice::<f32>().unwrap()),
            (&[2, 1, 1][..], &[5.0, 5.0][..])
        );
        let same = bilinear(&wide, [1, 4]).unwrap();
        assert_eq!(same.as_slice::<f32>().unwrap(), wide.as_slice::<f32>().unwrap());
    }

    #[test]
    fn sizes_that_are_none_are_refused() {
        let image = Tensor::from_slice([1, 2, 1], &[0u8, 10]).unwrap();
        for size in [[0, 1], [1, 0], [usize::MAX, 2]] {
            assert!(bilinear(&image, size).is_err());
        }
        let flat = Tensor::from_slice([2], &[0u8, 10]).unwrap();
        assert!(bilinear(&flat, [1, 1]).is_err());
        let empty = Tensor::from_slice([0, 2, 1], &[0u8; 0]).unwrap();
        assert!(bilinear(&empty, [1, 1]).is_err());
    }
}
