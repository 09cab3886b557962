//! DecodeWav: the samples of a WAV file.

use downpour_graph::{Dim, OpSpec, PartialShape};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor, checked_elements};

use super::wav::decode;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "DecodeWav(contents: string) -> (audio: float, sample_rate: int32)
                desired_channels: int = -1
                desired_samples: int = -1",
        )?
        .shape(|cx| {
            cx.with_rank(0, 0)?;
            let size = |name: &str, word: &str| -> Result<Dim> {
                match cx.node().int(name)? {
                    -1 => Ok(None),
                    size => usize::try_from(size).map(Some).map_err(|_| {
                        Status::invalid_argument(format!("{word} must be non-negative, got {size}"))
                    }),
                }
            };
            let channels = size("desired_channels", "channels")?;
            let samples = size("desired_samples", "samples")?;
            cx.set_output(0, PartialShape::matrix(samples, channels));
            cx.set_output(1, PartialShape::scalar());
            Ok(())
        })
        .not_differentiable(),
        |build| {
            let channels = build.int("desired_channels")?;
            Ok(KernelBox::new(DecodeWav { channels, frames: build.int("desired_samples")? }))
        },
    )
}

struct DecodeWav {
    /// -1 for those of the file.
    channels: i64,
    frames: i64,
}

impl Kernel for DecodeWav {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let contents = cx.input(0);
        if contents.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "contents must be scalar, got shape {}",
                contents.shape()
            )));
        }
        let file = &contents.strings()?[0];
        if file.len() > i32::MAX as usize {
            return Err(Status::invalid_argument(format!(
                "WAV contents are too large for int: {}",
                file.len()
            )));
        }
        let wav = decode(file)?;
        let asked = |asked: i64, found: usize| if asked == -1 { found as i64 } else { asked };
        let shape = Shape::from_i64(&[
            asked(self.frames, wav.frames()),
            asked(self.channels, wav.channels),
        ])?;
        checked_elements(&shape)?;
        let channels = shape[1];
        let audio = Tensor::build(&shape, |out: &mut [f32]| {
            for (frame, to) in out.chunks_exact_mut(channels.max(1)).enumerate() {
                if frame >= wav.frames() {
                    to.fill(0.0);
                    continue;
                }
                for (channel, to) in to.iter_mut().enumerate() {
                    *to = wav.sample(frame, channel.min(wav.channels - 1));
                }
            }
        })?;
        let sample_rate = Tensor::scalar(wav.sample_rate as i32);
        cx.set_output(0, audio);
        cx.set_output(1, sample_rate);
        Ok(())
    }
}
