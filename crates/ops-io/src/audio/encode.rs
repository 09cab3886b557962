//! EncodeWav: samples as a WAV file.

use downpour_graph::{OpSpec, PartialShape};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::wav::encode;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("EncodeWav(audio: float, sample_rate: int32) -> (contents: string)")?
            .shape(|cx| {
                cx.with_rank(0, 2)?;
                cx.with_rank(1, 0)?;
                cx.set_output(0, PartialShape::scalar());
                Ok(())
            })
            .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (audio, rate) = (cx.input(0), cx.input(1));
    let &[frames, channels] = audio.dims() else {
        return Err(Status::invalid_argument(format!(
            "audio must be 2-dimensional{}",
            audio.shape()
        )));
    };
    if rate.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "Input sample_rate should be a scalar tensor, got {} instead.",
            rate.shape()
        )));
    }
    if audio.len() >= i32::MAX as usize {
        return Err(Status::invalid_argument("Cannot encode audio with >= max int32 elements"));
    }
    // A negative rate is beyond every limit.
    let rate = rate.to_i64_scalar()? as u64;
    let file = encode(audio.as_slice()?, rate, channels, frames)?;
    cx.set_output(0, Tensor::string(file));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn sounds_become_files_and_sounds_again() {
        let audio = Tensor::from_slice([2, 1], &[0.25f32, -0.5]).unwrap();
        let file = OpTest::new(register, "EncodeWav")
            .input(audio)
            .input(Tensor::scalar(8000i32))
            .run_one()
            .unwrap();
        let out = OpTest::new(super::super::register, "DecodeWav")
            .attr("desired_channels", 2i64)
            .attr("desired_samples", 3i64)
            .input(file)
            .run()
            .unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[0.25, 0.25, -0.5, -0.5, 0.0, 0.0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[8000]);
    }

    #[test]
    fn bad_arguments_are_refused() {
        let test = |dims: &[usize], rate: i32| {
            OpTest::new(register, "EncodeWav")
                .input(Tensor::zeros(downpour_tensor::DataType::Float, dims).unwrap())
                .input(Tensor::scalar(rate))
                .run()
        };
        assert!(test(&[2], 1).is_err());
        assert!(test(&[2, 0], 1).is_err());
        assert!(test(&[2, 1], 0).is_err());
        assert!(test(&[2, 1], -1).is_err());
    }
}
