//! Images of whatever format.

use downpour_tensor::{Result, Status, Tensor};

use crate::{Checkpoint, Format, Serial, bmp, gif, jpeg, png, webp};

/// Decodes a file of any format to a tensor of height, width and channels, of uint8. Of an animation it is the first
/// frame. `channels` is 1, 3 or 4, or 0 for those of the file; GIF files have 3.
pub fn decode(data: &[u8], channels: usize, checkpoint: Checkpoint<'_>) -> Result<Tensor> {
    match Format::of(data) {
        Some(Format::Jpeg) if channels == 4 => {
            Err(Status::invalid_argument("a JPEG image has no 4 channels"))
        }
        Some(Format::Jpeg) => {
            let options = jpeg::Options { channels, ..Default::default() };
            jpeg::decode(data, &options, &Serial, checkpoint)
        }
        Some(Format::Png) => png::decode(data, channels, false, checkpoint),
        Some(Format::Gif) if ![0, 3].contains(&channels) => {
            Err(Status::invalid_argument(format!("a GIF image has 3 channels, not {channels}")))
        }
        Some(Format::Gif) => {
            let frames = gif::decode(data, false, checkpoint)?;
            let shape = frames.dims()[1..].to_vec();
            frames.into_shape(shape)
        }
        Some(Format::Bmp) => bmp::decode(data, channels),
        Some(Format::WebP) => webp::decode(data, channels, false, checkpoint),
        None => Err(Status::invalid_argument(
            "this is no image of a known format: JPEG, PNG, GIF, BMP or WebP",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::encode;

    #[test]
    fn formats_are_told_by_their_first_bytes() {
        let never = &|| Ok(());
        let file = encode(&[1, 2, 3, 4, 5, 6], [1, 2, 3], false, 6).unwrap();
        let image = decode(&file, 0, never).unwrap();
        assert_eq!(
            (image.dims(), image.as_slice::<u8>().unwrap()),
            (&[1, 2, 3][..], &[1, 2, 3, 4, 5, 6][..])
        );
        assert_eq!(decode(&file, 1, never).unwrap().dims(), [1, 2, 1]);
        let wrong = decode(b"not an image", 3, never).unwrap_err();
        assert!(wrong.message().contains("known format"), "{wrong:?}");
    }
}
