//! ExtractJpegShape: the size of a JPEG image, from its header.

use downpour_graph::{OpSpec, PartialShape};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};

use downpour_images::jpeg;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ExtractJpegShape(contents: string) -> (image_shape: output_type)
                output_type: {int32, int64} = int32",
        )?
        .shape(|cx| {
            cx.with_rank(0, 0)?;
            cx.set_output(0, PartialShape::vector(Some(3)));
            Ok(())
        })
        .not_differentiable(),
        |build| Ok(KernelBox::new(JpegShape { dtype: build.dtype("output_type")? })),
    )
}

struct JpegShape {
    dtype: DataType,
}

impl Kernel for JpegShape {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let contents = cx.input(0);
        if contents.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "contents must be scalar, got shape {}",
                contents.shape()
            )));
        }
        let shape = jpeg::shape(&contents.strings()?[0])?;
        let output = match self.dtype {
            DataType::Int64 => Tensor::vector(&shape.map(|v| v as i64))?,
            _ => Tensor::vector(&shape.map(|v| v as i32))?,
        };
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn what_is_no_jpeg_is_refused() {
        for bytes in ["", "\u{7f}", "not a picture"] {
            let test = OpTest::new(register, "ExtractJpegShape").input(Tensor::string(bytes));
            let status = test.run().unwrap_err();
            assert!(status.message().contains("Invalid JPEG data, size"), "{status:?}");
        }
    }
}
