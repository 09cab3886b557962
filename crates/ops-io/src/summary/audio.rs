//! AudioSummary and AudioSummaryV2: sounds as WAV files.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Charge, Result, Status, Tensor};
use downpour_wire::encode_string;
use downpour_wire::proto::{Summary, summary};

use crate::audio::wav;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "AudioSummary(tag: string, tensor: float) -> (summary: string)
            sample_rate: float
            max_outputs: int >= 1 = 3",
        "AudioSummaryV2(tag: string, tensor: float, sample_rate: float) -> (summary: string)
            max_outputs: int >= 1 = 3",
    ] {
        let spec = OpSpec::new(signature)?.shape(shapes::scalar).not_differentiable();
        registry.add(spec, |build| {
            let sample_rate = match build.get("sample_rate") {
                Some(_) => Some(build.float("sample_rate")?),
                None => None,
            };
            let most = build.int("max_outputs")?;
            let most = usize::try_from(most).ok().filter(|&most| most > 0);
            let most = most.ok_or_else(|| Status::invalid_argument("max_outputs must be > 0"))?;
            Ok(KernelBox::new(AudioSummary { sample_rate, most }))
        })?;
    }
    Ok(())
}

struct AudioSummary {
    /// None where it is an input.
    sample_rate: Option<f32>,
    most: usize,
}

impl Kernel for AudioSummary {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (tag, tensor) = (cx.input(0), cx.input(1));
        if tag.rank() != 0 {
            return Err(Status::invalid_argument("Tag must be a scalar"));
        }
        let rate = match self.sample_rate {
            Some(rate) => rate,
            None => match *cx.input(2).as_slice::<f32>()? {
                [rate] => rate,
                _ => {
                    return Err(Status::invalid_argument(
                        "sample_rate must be rank-0 or contain a single value",
                    ));
                }
            },
        };
        let base = String::from_utf8_lossy(&tag.strings()?[0]);
        let (summary, _charge) = summarize(cx, &base, tensor, rate, self.most)?;
        cx.set_output(0, Tensor::string(encode_string(&summary)?));
        Ok(())
    }
}

/// Returns the summary of a batch of sounds, and what it takes in memory.
pub(crate) fn summarize(
    cx: &OpContext<'_>,
    base: &str,
    tensor: &Tensor,
    rate: f32,
    most: usize,
) -> Result<(Summary, Charge)> {
    let (batch, frames, channels) = match *tensor.dims() {
        [batch, frames] => (batch, frames, 1),
        [batch, frames, channels] => (batch, frames, channels),
        _ => {
            return Err(Status::invalid_argument(format!(
                "Tensor must be 3-D or 2-D, got: {}",
                tensor.shape()
            )));
        }
    };
    if rate.is_nan() || rate <= 0.0 {
        return Err(Status::invalid_argument("sample_rate must be > 0"));
    }
    let samples = tensor.as_slice::<f32>()?;
    let size = frames * channels;
    let count = batch.min(most);
    // The files, and the names.
    let charge =
        Charge::new(count.saturating_mul(size * 2 + base.len() + size_of::<summary::Value>()))?;
    let mut value = Vec::with_capacity(count);
    for i in 0..count {
        cx.check_cancelled()?;
        let whole_rate = (rate.round_ties_even() as u64).max(1);
        let file = wav::encode(&samples[i * size..][..size], whole_rate, channels, frames)?;
        let audio = summary::Audio {
            sample_rate: rate,
            num_channels: channels as i64,
            length_frames: frames as i64,
            encoded_audio_string: file.to_bytes(),
            content_type: "audio/wav".into(),
        };
        let tag = if most > 1 { format!("{base}/audio/{i}") } else { format!("{base}/audio") };
        let audio = Some(summary::value::Value::Audio(audio));
        value.push(summary::Value { tag, value: audio, ..Default::default() });
    }
    Ok((Summary { value }, charge))
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_wire::Message;

    fn summarize(dims: &[usize], rate: Tensor) -> OpTest {
        OpTest::new(register, "AudioSummaryV2")
            .input(Tensor::string("sound"))
            .input(Tensor::zeros(downpour_tensor::DataType::Float, dims).unwrap())
            .input(rate)
    }

    #[test]
    fn each_sound_has_its_name() {
        let out = summarize(&[4, 5, 2], Tensor::scalar(10f32)).run_one().unwrap();
        let summary = Summary::decode(out.strings().unwrap()[0].to_bytes()).unwrap();
        assert_eq!(summary.value.len(), 3);
        assert_eq!(summary.value[2].tag, "sound/audio/2");
    }

    #[test]
    fn bad_arguments_are_refused() {
        let two = Tensor::from_slice([2, 1], &[1f32, 2.0]).unwrap();
        assert!(summarize(&[4, 5, 2], two).run().is_err());
        assert!(summarize(&[4, 5, 2], Tensor::scalar(0f32)).run().is_err());
        assert!(summarize(&[4], Tensor::scalar(1f32)).run().is_err());
        assert!(summarize(&[1, 5, 0], Tensor::scalar(1f32)).run().is_err());
    }
}
