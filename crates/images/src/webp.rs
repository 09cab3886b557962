//! WebP files.

use std::io::Cursor;

use downpour_tensor::{Charge, CountedVec, DataType, Result, Status, Tensor};
use image_webp::WebPDecoder;

use crate::checkpoint::Checkpoint;

/// Decodes a file. With `animated` the tensor has frames, height, width and channels, without it only the latter
/// three of the first frame. `channels` is 0 for those of the file.
pub fn decode(
    data: &[u8],
    channels: usize,
    animated: bool,
    checkpoint: Checkpoint<'_>,
) -> Result<Tensor> {
    let invalid = |why: String| Status::invalid_argument(why);
    let mut decoder = WebPDecoder::new(Cursor::new(data))
        .map_err(|_| invalid("Failed to decode WebP header.".into()))?;
    let (width, height) = decoder.dimensions();
    let (width, height) = (width as usize, height as usize);
    let of_file = 3 + usize::from(decoder.has_alpha());
    if channels != 0 && channels != of_file {
        return Err(invalid("Number of channels requested does not match input".into()));
    }
    let moving = decoder.is_animated();
    if moving && channels != 0 && channels != 4 {
        return Err(invalid("WebP Animation must be 4 channel RGBA".into()));
    }
    // libwebp gives animations with alpha, even those that have none.
    let depth = if moving { 4 } else { of_file };
    let frames = if moving && animated { decoder.num_frames() as usize } else { 1 };
    let shape: &[usize] =
        if animated { &[frames, height, width, depth] } else { &[height, width, depth] };
    downpour_tensor::checked_elements(shape)?;
    let mut output = Tensor::new(DataType::UInt8, shape)?;
    let out =
        output.as_mut_slice::<u8>().ok_or_else(|| Status::internal("a new tensor is shared"))?;
    // The decoder's own copies of an image.
    let pixels = width * height;
    let _workspace = Charge::new(pixels.saturating_mul(8))?;
    decoder.set_memory_limit(pixels.saturating_mul(8).max(1 << 20));
    if !moving {
        checkpoint()?;
        decoder.read_image(out).map_err(|_| invalid("Failed to decode WebP image.".into()))?;
        return Ok(output);
    }
    let mut frame = CountedVec::filled(pixels * of_file, 0)?;
    for (k, to) in out.chunks_exact_mut((pixels * 4).max(1)).enumerate() {
        checkpoint()?;
        decoder.read_frame(&mut frame).map_err(|_| {
            invalid(format!("Failed to decode WebP Animation: failed to decode frame: {k}"))
        })?;
        if of_file == 4 {
            to.copy_from_slice(&frame);
        } else {
            for (to, from) in to.chunks_exact_mut(4).zip(frame.chunks_exact(3)) {
                to[..3].copy_from_slice(from);
                to[3] = 255;
            }
        }
    }
    Ok(output)
}
