//! EncodePng: images of 8 or 16 bits, any number of them.

use downpour_graph::{OpSpec, PartialShape};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor, checked_elements};

use downpour_images::png::encode;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "EncodePng(image: T) -> (contents: string)
                compression: int = -1
                T: {uint8, uint16} = uint8",
        )?
        .shape(|cx| {
            let image = cx.with_rank_at_least(0, 3)?;
            let batch = match image.dims() {
                Some(dims) => PartialShape::of(dims[..dims.len() - 3].iter().copied()),
                None => PartialShape::unknown(),
            };
            cx.set_output(0, batch);
            Ok(())
        })
        .not_differentiable(),
        |build| {
            let compression = build.int("compression")?;
            if !(-1..=9).contains(&compression) {
                return Err(Status::invalid_argument(format!(
                    "compression should be in [-1,9], got {compression}"
                )));
            }
            // zlib's own choice is 6.
            let level = u8::try_from(compression).unwrap_or(6);
            Ok(KernelBox::new(EncodePng { level }))
        },
    )
}

struct EncodePng {
    level: u8,
}

impl Kernel for EncodePng {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let image = cx.input(0);
        let (Some(&[height, width, channels]), limit) =
            (image.dims().last_chunk::<3>(), i32::MAX as usize)
        else {
            return Err(Status::invalid_argument(format!(
                "images must be at least rank 3{}",
                image.shape()
            )));
        };
        if image.len() >= limit {
            return Err(Status::invalid_argument("image cannot have >= int32 max elements"));
        }
        if width.checked_mul(channels).is_none_or(|row| row >= limit / 2) {
            return Err(Status::invalid_argument("image too wide to encode"));
        }
        if !(1..=4).contains(&channels) {
            return Err(Status::invalid_argument(format!(
                "image must have 1, 2, 3, or 4 channels, got {channels}"
            )));
        }
        let batch = &image.dims()[..image.rank() - 3];
        let count = checked_elements(batch)?;
        if count > 0 && (width == 0 || height == 0) {
            return Err(Status::invalid_argument(
                "PNG encoding failed at the following flattened batch indices: 0",
            ));
        }
        let wide = image.dtype() == DataType::UInt16;
        let bytes = image.bytes().unwrap_or_default();
        let size = bytes.len() / count.max(1);
        let output = Tensor::build_strings(batch, |i| {
            cx.check_cancelled()?;
            encode(&bytes[i * size..][..size], [height, width, channels], wide, self.level)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_images::png::decode;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn what_was_encoded_can_be_decoded() {
        for (channels, level) in [(1, 0i64), (2, 1), (3, 6), (4, 9)] {
            let shape = [2, 3, 5, channels];
            let values = (0..30 * channels).map(|i| (i * 977) as u16).collect();
            let image = Tensor::from_vec(shape, values).unwrap();
            let test = OpTest::new(register, "EncodePng").attr("T", DataType::UInt16);
            let files = test.attr("compression", level).input(image.clone()).run_one().unwrap();
            assert_eq!(files.dims(), &[2]);
            let second = decode(&files.strings().unwrap()[1], 0, true, &|| Ok(())).unwrap();
            assert_eq!(
                second.as_slice::<u16>().unwrap(),
                &image.as_slice::<u16>().unwrap()[15 * channels..]
            );
        }
    }

    #[test]
    fn bad_arguments_are_refused() {
        let test = |dims: &[usize]| {
            let image = Tensor::zeros(DataType::UInt8, dims).unwrap();
            OpTest::new(register, "EncodePng").input(image)
        };
        assert!(test(&[2, 2]).run().is_err());
        assert!(test(&[2, 2, 5]).run().is_err());
        assert!(test(&[2, 0, 3]).run().is_err());
        assert!(test(&[0, 2, 0, 3]).run().is_ok());
        assert!(test(&[2, 2, 3]).attr("compression", 10i64).run().is_err());
    }
}
