//! Pictures as PNG.

use std::borrow::Cow;

use downpour_tensor::{RealNumber, Result, Status, Tensor, dispatch_float};
use downpour_wire::proto::summary;

/// A tensor `[height, width, channels]` (1 grey, 2 grey and alpha, 3 RGB, 4 RGBA) as a PNG file. Bytes
/// are taken as they are; floats are taken as 0 for black to 1 for white, and what is outside is cut.
pub fn encode_png(tensor: &Tensor) -> Result<summary::Image> {
    let bad = |what: &str| Status::invalid_argument(format!("a picture {what}"));
    let &[height, width, channels] = tensor.dims() else {
        return Err(bad(&format!(
            "must have the shape [height, width, channels], not {}",
            tensor.shape()
        )));
    };
    let color = match channels {
        1 => png::ColorType::Grayscale,
        2 => png::ColorType::GrayscaleAlpha,
        3 => png::ColorType::Rgb,
        4 => png::ColorType::Rgba,
        _ => return Err(bad(&format!("has 1 to 4 channels, not {channels}"))),
    };
    let side = |side: usize| {
        i32::try_from(side)
            .ok()
            .filter(|side| *side > 0)
            .ok_or_else(|| bad(&format!("of shape {} is empty or too large", tensor.shape())))
    };
    let (height, width) = (side(height)?, side(width)?);
    let pixels = pixels(tensor)?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&pixels))
        .map_err(|e| bad(&format!("cannot be made a PNG: {e}")))?;
    Ok(summary::Image {
        height,
        width,
        colorspace: channels as i32,
        encoded_image_string: file.into(),
    })
}

fn pixels(tensor: &Tensor) -> Result<Cow<'_, [u8]>> {
    fn scaled<T: RealNumber>(tensor: &Tensor) -> Result<Vec<u8>> {
        // `as` cuts to 0..=255 and makes NaN black.
        let pixel = |value: &T| (value.to_f64_lossy() * 255.0).round() as u8;
        Ok(tensor.as_slice::<T>()?.iter().map(pixel).collect())
    }
    if let Ok(bytes) = tensor.as_slice::<u8>() {
        return Ok(Cow::Borrowed(bytes));
    }
    let scaled = dispatch_float!(tensor.dtype(), "a picture", T => scaled::<T>(tensor))?;
    Ok(Cow::Owned(scaled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_become_pixels() {
        let values = vec![0.0f32, 1.0, 0.5, 7.0, -1.0, f32::NAN];
        let image = encode_png(&Tensor::from_vec([2, 3, 1], values).unwrap()).unwrap();
        assert_eq!((image.height, image.width, image.colorspace), (2, 3, 1));
        let file = std::io::Cursor::new(&image.encoded_image_string[..]);
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut read = vec![0; 6];
        reader.next_frame(&mut read).unwrap();
        assert_eq!(read, [0, 255, 128, 255, 0, 0]);
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        for shape in [&[2usize, 2][..], &[0, 2, 1], &[2, 2, 5]] {
            let tensor = Tensor::zeros(downpour_tensor::DataType::Float, shape).unwrap();
            assert!(encode_png(&tensor).unwrap_err().message().contains("picture"));
        }
        let words = Tensor::from_strings([1, 1, 1], vec!["".into()]).unwrap();
        assert!(encode_png(&words).is_err());
    }
}
