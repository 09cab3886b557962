//! ImageSummary: pictures as PNG files.

use downpour_formats::events::encode_png;
use downpour_graph::{AttrValue, OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{
    Charge, CountedVec, DataType, RealNumber, Result, Status, Tensor, dispatch_float,
};
use downpour_wire::encode_string;
use downpour_wire::proto::{Summary, summary};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let mut spec = OpSpec::new(
        "ImageSummary(tag: string, tensor: T) -> (summary: string)
            max_images: int >= 1 = 3
            T: {uint8, float, half, double} = float
            bad_color: tensor",
    )?
    .shape(shapes::scalar)
    .not_differentiable();
    // A tensor has no text form.
    let red = AttrValue::Tensor(Tensor::vector(&[255u8, 0, 0, 255])?);
    for attr in spec.def.attrs.iter_mut().filter(|attr| attr.name == "bad_color") {
        attr.default = Some(red.clone());
    }
    registry.add(spec, |build| {
        Ok(KernelBox::new(Images::new(build.int("max_images")?, &build.tensor("bad_color")?)?))
    })
}

/// How images are summarized.
pub(crate) struct Images {
    most: usize,
    /// The colour of pixels that are not finite.
    bad_color: Vec<u8>,
}

impl Images {
    pub fn new(most: i64, color: &Tensor) -> Result<Images> {
        let most = i32::try_from(most)
            .map_err(|_| Status::invalid_argument("max_images must be < 2^31"))?;
        if color.dtype() != DataType::UInt8 {
            return Err(Status::invalid_argument(format!(
                "bad_color must be uint8, got {}",
                color.dtype()
            )));
        }
        if color.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "bad_color must be a vector, got shape {}",
                color.shape()
            )));
        }
        // No picture has more than four channels.
        let bad_color = color.as_slice::<u8>()?.iter().take(4).copied().collect();
        Ok(Images { most: most.max(0) as usize, bad_color })
    }

    /// Turns numbers into bytes: positive ones from black to the largest, others around a middle grey.
    fn normalized<T: RealNumber>(&self, values: &[T], depth: usize) -> Result<CountedVec<u8>> {
        let number = |v: T| v.to_f64_lossy() as f32;
        let is_finite = |pixel: &[T]| pixel.iter().all(|v| v.to_f64_lossy().is_finite());
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for pixel in values.chunks_exact(depth).filter(|pixel| is_finite(pixel)) {
            for &v in pixel {
                low = low.min(number(v));
                high = high.max(number(v));
            }
        }
        let (reach, largest, middle) =
            if low < 0.0 { (127.0, low.abs().max(high.abs()), 128.0) } else { (255.0, high, 0.0) };
        let scale = if largest < 1e-6 { 0.0 } else { reach / largest };
        let scale = T::from_f64_lossy(scale as f64);
        let middle = T::from_f64_lossy(middle);
        let mut bytes = CountedVec::filled(values.len(), 0u8)?;
        for (to, pixel) in bytes.chunks_exact_mut(depth).zip(values.chunks_exact(depth)) {
            if is_finite(pixel) {
                for (to, v) in to.iter_mut().zip(pixel) {
                    *to = v.mul_w(scale).add_w(middle).to_f64_lossy() as u8;
                }
            } else {
                to.copy_from_slice(&self.bad_color[..depth]);
            }
        }
        Ok(bytes)
    }
}

impl Images {
    /// Returns the summary of a batch of images, and what it takes in memory.
    pub fn summarize(
        &self,
        cx: &OpContext<'_>,
        base: &str,
        tensor: &Tensor,
    ) -> Result<(Summary, Charge)> {
        let &[batch, height, width, depth @ (1 | 3 | 4)] = tensor.dims() else {
            return Err(Status::invalid_argument(format!(
                "Tensor must be 4-D with last dim 1, 3, or 4, not {}",
                tensor.shape()
            )));
        };
        let large = |side: usize| side >= 1 << 31;
        if large(batch) || large(height) || large(width) || height * width >= 1 << 29 {
            return Err(Status::invalid_argument(format!(
                "Tensor too large for summary {}",
                tensor.shape()
            )));
        }
        if height == 0 || width == 0 {
            return Err(Status::invalid_argument(format!(
                "input tensor must have non-zero dims. Found: [{batch}, {height}, {width}, {depth}]."
            )));
        }
        let is_bytes = tensor.dtype() == DataType::UInt8;
        if !is_bytes && self.bad_color.len() < depth {
            return Err(Status::invalid_argument(format!(
                "expected depth <= bad_color.size, got depth = {depth}, bad_color.size = {}",
                self.bad_color.len()
            )));
        }
        let size = height * width * depth;
        let count = batch.min(self.most);
        // The files, which are hardly larger than the pixels, and the names.
        let one = size + size / 8 + 1024 + base.len() + size_of::<summary::Value>();
        let charge = Charge::new(count.saturating_mul(one))?;
        let mut value = Vec::with_capacity(count);
        for i in 0..count {
            cx.check_cancelled()?;
            let pixels = if is_bytes {
                Tensor::from_slice(
                    [height, width, depth],
                    &tensor.as_slice::<u8>()?[i * size..][..size],
                )?
            } else {
                let bytes = dispatch_float!(tensor.dtype(), "ImageSummary", T => {
                    self.normalized::<T>(&tensor.as_slice::<T>()?[i * size..][..size], depth)
                })?;
                Tensor::from_slice([height, width, depth], &bytes)?
            };
            let image = Some(summary::value::Value::Image(encode_png(&pixels)?));
            let tag =
                if self.most > 1 { format!("{base}/image/{i}") } else { format!("{base}/image") };
            value.push(summary::Value { tag, value: image, ..Default::default() });
        }
        Ok((Summary { value }, charge))
    }
}

impl Kernel for Images {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (tag, tensor) = (cx.input(0), cx.input(1));
        if tag.rank() != 0 {
            return Err(Status::invalid_argument("Tags must be a scalar"));
        }
        let base = String::from_utf8_lossy(&tag.strings()?[0]);
        let (summary, _charge) = self.summarize(cx, &base, tensor)?;
        cx.set_output(0, Tensor::string(encode_string(&summary)?));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_wire::Message;

    fn summarize(dims: [usize; 4], values: &[f32]) -> OpTest {
        OpTest::new(register, "ImageSummary")
            .input(Tensor::string("picture"))
            .input(Tensor::from_slice(dims, values).unwrap())
    }

    #[test]
    fn each_picture_has_its_name_and_size() {
        let out = summarize([2, 1, 2, 1], &[-1.0, 1.0, f32::NAN, 2.0]).run_one().unwrap();
        let summary = Summary::decode(out.strings().unwrap()[0].to_bytes()).unwrap();
        assert_eq!(summary.value[1].tag, "picture/image/1");
        let Some(summary::value::Value::Image(image)) = &summary.value[0].value else {
            panic!("{summary:?}");
        };
        assert_eq!((image.height, image.width, image.colorspace), (1, 2, 1));
    }

    #[test]
    fn bad_arguments_are_refused() {
        assert!(summarize([1, 1, 1, 2], &[0.0; 2]).run().is_err());
        assert!(summarize([1, 0, 1, 1], &[]).run().is_err());
        let short = Tensor::vector(&[1u8]).unwrap();
        assert!(summarize([1, 1, 1, 3], &[0.0; 3]).attr("bad_color", short).run().is_err());
        let wrong = Tensor::vector(&[1f32]).unwrap();
        assert!(summarize([1, 1, 1, 1], &[0.0]).attr("bad_color", wrong).run().is_err());
    }
}
