//! GIF files.

use std::io::Cursor;

use downpour_tensor::{CountedVec, DataType, Result, Status, Tensor};
use gif::{ColorOutput, DecodeOptions, MemoryLimit};

use crate::checkpoint::Checkpoint;

/// One image of a file, in indices into its colours.
struct Frame {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    transparent: Option<u8>,
    /// Red, green and blue of its own colours.
    palette: Option<Vec<u8>>,
    indices: CountedVec<u8>,
}

/// Decodes a file to a tensor of frames, height, width and 3 channels. Without `animated` only the first frame counts.
///
/// The canvas is as wide and as high as the widest and highest frame. A frame that is not transparent or does not
/// cover the canvas shows the one before.
pub fn decode(data: &[u8], animated: bool, checkpoint: Checkpoint<'_>) -> Result<Tensor> {
    let invalid = |why: String| {
        Status::invalid_argument(format!("Invalid GIF data (size {}), {why}", data.len()))
    };
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    // The frames' memory is ours.
    options.set_memory_limit(MemoryLimit::Unlimited);
    let mut decoder = options
        .read_info(Cursor::new(data))
        .map_err(|e| invalid(format!("failed to open gif file: {e}")))?;
    let mut frames: CountedVec<Frame> = CountedVec::new();
    loop {
        checkpoint()?;
        let frame = match decoder.next_frame_info() {
            Ok(Some(frame)) => frame,
            Ok(None) => break,
            // The frames before a damaged one count.
            Err(_) if !frames.is_empty() => break,
            Err(e) => return Err(invalid(format!("failed to slurp gif file: {e}"))),
        };
        let (left, top) = (frame.left as usize, frame.top as usize);
        let (width, height) = (frame.width as usize, frame.height as usize);
        let (transparent, palette) = (frame.transparent, frame.palette.clone());
        let mut indices = CountedVec::filled(decoder.buffer_size(), 0)?;
        let read = if width == 0 || height == 0 {
            Err("an image without pixels".to_string())
        } else {
            decoder.read_into_buffer(&mut indices).map_err(|e| e.to_string())
        };
        match read {
            Ok(()) => {
                frames.push(Frame { left, top, width, height, transparent, palette, indices })?;
            }
            Err(_) if !frames.is_empty() => break,
            Err(e) => return Err(invalid(format!("failed to slurp gif file: {e}"))),
        }
    }
    if frames.is_empty() {
        return Err(invalid("gif file does not contain any image".into()));
    }
    let width = frames.iter().map(|f| f.width).max().unwrap_or(0);
    let height = frames.iter().map(|f| f.height).max().unwrap_or(0);
    let count = if animated { frames.len() } else { 1 };
    let size = width * height * 3;
    let mut output = Tensor::zeros(DataType::UInt8, [count, height, width, 3].as_slice())?;
    let out =
        output.as_mut_slice::<u8>().ok_or_else(|| Status::internal("a new tensor is shared"))?;
    for (k, frame) in frames.iter().take(count).enumerate() {
        checkpoint()?;
        if k > 0 {
            out.copy_within((k - 1) * size..k * size, k * size);
        }
        let palette = frame
            .palette
            .as_deref()
            .or(decoder.global_palette())
            .ok_or_else(|| invalid(format!("missing color map for frame {k}")))?;
        frame.draw(&mut out[k * size..][..size], [width, height], palette).map_err(invalid)?;
    }
    Ok(output)
}

impl Frame {
    fn draw(
        &self,
        canvas: &mut [u8],
        [width, height]: [usize; 2],
        palette: &[u8],
    ) -> std::result::Result<(), String> {
        let visible = width.min(self.left + self.width).saturating_sub(self.left);
        for y in self.top..height.min(self.top + self.height) {
            if visible == 0 {
                break;
            }
            let from = &self.indices[(y - self.top) * self.width..][..visible];
            let to = &mut canvas[(y * width + self.left) * 3..][..visible * 3];
            for (to, &index) in to.chunks_exact_mut(3).zip(from) {
                if self.transparent == Some(index) {
                    continue;
                }
                let Some(color) = palette.get(index as usize * 3..index as usize * 3 + 3) else {
                    return Err(format!(
                        "found color index {index} outside of color map range {}",
                        palette.len() / 3
                    ));
                };
                to.copy_from_slice(color);
            }
        }
        Ok(())
    }
}
