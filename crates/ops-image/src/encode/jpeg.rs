//! EncodeJpeg and EncodeJpegVariableQuality.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use downpour_images::jpeg::{Settings, encode};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "EncodeJpeg(image: uint8) -> (contents: string)
                format: {'', 'grayscale', 'rgb'} = ''
                quality: int = 95
                progressive: bool = false
                optimize_size: bool = false
                chroma_downsampling: bool = true
                density_unit: {'in', 'cm'} = 'in'
                x_density: int = 300
                y_density: int = 300
                xmp_metadata: string = ''",
        )?
        .shape(picture)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Encode::new(build)?)),
    )?;
    registry.add(
        OpSpec::new(
            "EncodeJpegVariableQuality(images: uint8, quality: int32) -> (contents: string)",
        )?
        .shape(picture)
        .not_differentiable(),
        |_| Ok(KernelBox::function(encode_variable)),
    )
}

fn picture(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 3)?;
    cx.set_output(0, PartialShape::scalar());
    Ok(())
}

struct Encode {
    /// How many channels there must be, if that is said, and the word for it.
    format: Option<(usize, String)>,
    settings: Settings,
}

impl Encode {
    fn new(build: &KernelBuild<'_>) -> Result<Encode> {
        let format = build.string("format")?.to_string();
        let format = match format.as_str() {
            "" => None,
            "grayscale" => Some((1, format)),
            _ => Some((3, format)),
        };
        let density = |name: &str| build.int(name).map(|density| density as u16);
        let settings = Settings {
            quality: checked_quality(build.int("quality")?)?,
            progressive: build.bool("progressive")?,
            optimize_size: build.bool("optimize_size")?,
            chroma_downsampling: build.bool("chroma_downsampling")?,
            density_unit: if build.string("density_unit")? == "cm" { 2 } else { 1 },
            density: [density("x_density")?, density("y_density")?],
            xmp_metadata: build.string("xmp_metadata")?.into(),
        };
        Ok(Encode { format, settings })
    }
}

impl Kernel for Encode {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let size = checked_size(cx.input(0))?;
        if let Some((channels, format)) = &self.format
            && *channels != size[2]
        {
            return Err(Status::invalid_argument(format!(
                "format {format} expects {channels} channels, got {}",
                cx.input(0).shape()
            )));
        }
        finish(cx, size, &self.settings)
    }
}

fn encode_variable(cx: &mut OpContext<'_>) -> Result<()> {
    let size = checked_size(cx.input(0))?;
    let quality = cx.input(1);
    if quality.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "quality must be scalar: {}",
            quality.shape()
        )));
    }
    let quality = checked_quality(quality.to_i64_scalar()?)?;
    finish(cx, size, &Settings { quality, ..Settings::default() })
}

fn checked_quality(quality: i64) -> Result<i32> {
    match quality {
        0..=100 => Ok(quality as i32),
        _ => Err(Status::invalid_argument(format!("quality must be in [0,100], got {quality}"))),
    }
}

/// Returns height, width and channels.
fn checked_size(image: &Tensor) -> Result<[usize; 3]> {
    let &[height, width, channels] = image.dims() else {
        return Err(Status::invalid_argument(format!(
            "image must be 3-dimensional{}",
            image.shape()
        )));
    };
    if image.len() >= i32::MAX as usize {
        return Err(Status::invalid_argument("Cannot encode images with >= max int32 elements"));
    }
    if channels != 1 && channels != 3 {
        return Err(Status::invalid_argument(format!(
            "image must have 1 or 3 channels, got {}",
            image.shape()
        )));
    }
    Ok([height, width, channels])
}

fn finish(cx: &mut OpContext<'_>, size: [usize; 3], settings: &Settings) -> Result<()> {
    let pixels = cx.input(0).as_slice::<u8>()?;
    let file = encode(pixels, size, settings, &|| cx.check_cancelled())?;
    cx.set_output(0, Tensor::string(file));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_images::Serial;
    use downpour_images::jpeg::{Options, decode};
    use downpour_runtime::testing::OpTest;

    fn gradient(height: usize, width: usize, channels: usize) -> Tensor {
        let pixel = |i: usize| (i * 255 / (height * width * channels)) as u8;
        let pixels = (0..height * width * channels).map(pixel).collect();
        Tensor::from_vec([height, width, channels], pixels).unwrap()
    }

    fn encode_with(test: OpTest) -> Tensor {
        let file = test.run_one().unwrap();
        let file = &file.strings().unwrap()[0];
        decode(file, &Options::default(), &Serial, &|| Ok(())).unwrap()
    }

    #[test]
    fn what_was_encoded_can_be_decoded() {
        for channels in [1, 3] {
            for (progressive, optimize) in [(false, false), (false, true), (true, false)] {
                let image = gradient(13, 21, channels);
                let test = OpTest::new(register, "EncodeJpeg")
                    .attr("progressive", progressive)
                    .attr("optimize_size", optimize)
                    .attr("xmp_metadata", "about it")
                    .input(image.clone());
                let back = encode_with(test);
                assert_eq!(back.dims(), image.dims());
                let pairs = back.as_slice::<u8>().unwrap().iter().zip(image.as_slice().unwrap());
                assert!(pairs.clone().all(|(a, b): (&u8, &u8)| a.abs_diff(*b) < 16));
            }
        }
    }

    #[test]
    fn bad_arguments_are_refused() {
        let test = |image: Tensor| OpTest::new(register, "EncodeJpeg").input(image);
        assert!(test(gradient(2, 2, 3)).attr("quality", 101i64).run().is_err());
        assert!(test(gradient(2, 2, 3)).attr("format", "grayscale").run().is_err());
        assert!(test(gradient(2, 2, 2)).run().is_err());
        let status = test(gradient(0, 2, 3)).run().unwrap_err();
        assert_eq!(status.code(), downpour_tensor::Code::InvalidArgument);
        assert!(test(gradient(2, 2, 3)).attr("xmp_metadata", "x".repeat(70_000)).run().is_err());
        let quality = OpTest::new(register, "EncodeJpegVariableQuality")
            .input(gradient(2, 2, 3))
            .input(Tensor::scalar(-1i32));
        assert!(quality.run().is_err());
    }
}
