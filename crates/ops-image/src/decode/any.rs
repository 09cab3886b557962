//! DecodeJpeg, DecodeAndCropJpeg, DecodePng, DecodeGif, DecodeBmp, DecodeWebP and DecodeImage.

use downpour_graph::OpSpec;
use downpour_images::jpeg::Window;
use downpour_images::{Checkpoint, Format, bmp, gif, jpeg, png, webp};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};

use super::attributes::{self, Attributes, Operation};
use super::row_loop::OnPool;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let jpeg = "channels: int = 0
                ratio: int = 1
                fancy_upscaling: bool = true
                try_recover_truncated: bool = false
                acceptable_fraction: float = 1.0
                dct_method: string = ''";
    let specs = [
        OpSpec::new(&format!("DecodeJpeg(contents: string) -> (image: uint8)\n {jpeg}"))?
            .shape(attributes::picture),
        OpSpec::new(&format!(
            "DecodeAndCropJpeg(contents: string, crop_window: int32) -> (image: uint8)\n {jpeg}"
        ))?
        .shape(attributes::cropped),
        OpSpec::new(
            "DecodePng(contents: string) -> (image: dtype)
                channels: int = 0
                dtype: {uint8, uint16} = uint8",
        )?
        .shape(attributes::picture),
        OpSpec::new("DecodeGif(contents: string) -> (image: uint8)")?.shape(attributes::gif),
        OpSpec::new(
            "DecodeBmp(contents: string) -> (image: uint8)
                channels: int = 0",
        )?
        .shape(attributes::picture),
        OpSpec::new(
            "DecodeWebP(contents: string) -> (image: dtype)
                channels: int = 0
                dtype: {uint8} = uint8",
        )?
        .shape(attributes::frames),
        OpSpec::new(
            "DecodeImage(contents: string) -> (image: dtype)
                channels: int = 0
                dtype: {uint8, uint16, float} = uint8
                expand_animations: bool = true",
        )?
        .shape(attributes::image),
    ];
    for spec in specs {
        registry.add(spec.not_differentiable(), |build| {
            Ok(KernelBox::new(Decode(Attributes::new(build)?)))
        })?;
    }
    Ok(())
}

struct Decode(Attributes);

impl Kernel for Decode {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let contents = cx.input(0);
        if contents.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "`contents` must be scalar but got shape{}",
                contents.shape()
            )));
        }
        let data = &contents.strings()?[0][..];
        if data.is_empty() {
            return Err(Status::invalid_argument("Input is empty."));
        }
        if data.len() > i32::MAX as usize {
            return Err(Status::invalid_argument(format!(
                "Input contents are too large for int: {}",
                data.len()
            )));
        }
        let checkpoint: Checkpoint<'_> = &|| cx.check_cancelled();
        let output = match Format::of(data) {
            Some(Format::Jpeg) => self.jpeg(cx, data, checkpoint)?,
            Some(Format::Png) => self.png(data, checkpoint)?,
            Some(Format::Gif) => self.gif(data, checkpoint)?,
            Some(Format::Bmp) => self.bmp(data)?,
            Some(Format::WebP) => self.webp(data, checkpoint)?,
            None => {
                return Err(Status::invalid_argument(
                    "Unknown image file format. One of JPEG, PNG, GIF, BMP, WebP required.",
                ));
            }
        };
        cx.set_output(0, output);
        Ok(())
    }
}

impl Decode {
    fn jpeg(&self, cx: &OpContext<'_>, data: &[u8], checkpoint: Checkpoint<'_>) -> Result<Tensor> {
        if self.0.channels == 4 {
            return Err(Status::invalid_argument("JPEG does not support 4 channels"));
        }
        let mut options = self.0.jpeg.clone();
        if self.0.operation == Operation::CropJpeg {
            options.window = Some(window(cx.input(1))?);
        }
        self.refuse_for_bmp("JPEG", "jpeg")?;
        let picture = jpeg::decode(data, &options, &OnPool(cx.parallel()), checkpoint)?;
        self.finish(self.converted(picture)?)
    }

    fn png(&self, data: &[u8], checkpoint: Checkpoint<'_>) -> Result<Tensor> {
        self.refuse_for_bmp("PNG", "png")?;
        self.refuse_for_crop("PNG")?;
        let wide = self.0.dtype != DataType::UInt8;
        let picture = png::decode(data, self.0.channels, wide, checkpoint)?;
        if self.0.dtype != DataType::Float {
            return self.finish(picture);
        }
        let scale = (1.0 / u16::MAX as f64) as f32;
        let from = picture.as_slice::<u16>()?;
        self.finish(Tensor::build(picture.shape(), |out: &mut [f32]| {
            out.iter_mut().zip(from).for_each(|(to, &v)| *to = v as f32 * scale);
        })?)
    }

    fn gif(&self, data: &[u8], checkpoint: Checkpoint<'_>) -> Result<Tensor> {
        if ![0, 3].contains(&self.0.channels) {
            return Err(Status::invalid_argument(format!(
                "channels must be 0 or 3 for GIF, got {}",
                self.0.channels
            )));
        }
        self.refuse_for_bmp("GIF", "gif")?;
        self.refuse_for_crop("GIF")?;
        if self.0.operation == Operation::WebP {
            return Err(Status::invalid_argument(format!("Bad op type {}", self.0.name)));
        }
        let frames = gif::decode(data, self.0.animated, checkpoint)?;
        let count = frames.dims()[0];
        let frames = self.converted(frames)?;
        let picture = match self.0.operation {
            Operation::Png | Operation::Jpeg if count > 1 => {
                return Err(Status::invalid_argument(format!(
                    "Got {count} frames, but animated gifs can only be decoded by \
                     tf.io.decode_gif or tf.io.decode_image"
                )));
            }
            Operation::Png | Operation::Jpeg => true,
            _ => !self.0.animated,
        };
        if !picture {
            return Ok(frames);
        }
        let shape = frames.dims()[1..].to_vec();
        frames.into_shape(shape)
    }

    fn bmp(&self, data: &[u8]) -> Result<Tensor> {
        let Attributes { operation, channels, ref name, .. } = self.0;
        if channels == 1 {
            return Err(Status::invalid_argument(
                "`channels` must be 0, 3 or 4 for BMP, but got 1",
            ));
        }
        self.refuse_for_crop("BMP")?;
        if !matches!(operation, Operation::Bmp | Operation::Image) {
            return Err(Status::invalid_argument(format!(
                "Trying to decode BMP format using a wrong op. Use `decode_bmp` or \
                 `decode_image` instead. Op used: {name}"
            )));
        }
        self.converted(bmp::decode(data, channels)?)
    }

    fn webp(&self, data: &[u8], checkpoint: Checkpoint<'_>) -> Result<Tensor> {
        if self.0.channels == 1 {
            return Err(Status::invalid_argument("WebP only supports 3 or 4 channels"));
        }
        if self.0.dtype != DataType::UInt8 {
            return Err(Status::invalid_argument("WebP only supports uint8 for dtype"));
        }
        webp::decode(data, self.0.channels, self.0.animated, checkpoint)
    }

    fn refuse_for_bmp(&self, format: &str, name: &str) -> Result<()> {
        if self.0.operation != Operation::Bmp {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "Trying to decode {format} format using DecodeBmp op. Use `decode_{name}` or \
             `decode_image` instead."
        )))
    }

    fn refuse_for_crop(&self, format: &str) -> Result<()> {
        if self.0.operation != Operation::CropJpeg {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "DecodeAndCropJpeg operation can run on JPEG only, but detected {format}."
        )))
    }

    /// Converts bytes to the dtype that was asked for.
    fn converted(&self, picture: Tensor) -> Result<Tensor> {
        let from = picture.as_slice::<u8>()?;
        match self.0.dtype {
            DataType::UInt16 => Tensor::build(picture.shape(), |out: &mut [u16]| {
                out.iter_mut().zip(from).for_each(|(to, &v)| *to = v as u16 * 256);
            }),
            DataType::Float => {
                let scale = (1.0 / u8::MAX as f64) as f32;
                Tensor::build(picture.shape(), |out: &mut [f32]| {
                    out.iter_mut().zip(from).for_each(|(to, &v)| *to = v as f32 * scale);
                })
            }
            _ => Ok(picture),
        }
    }

    /// Makes one picture the only frame where frames are expected.
    fn finish(&self, picture: Tensor) -> Result<Tensor> {
        if self.0.operation != Operation::Gif {
            return Ok(picture);
        }
        let shape: Vec<usize> = [1].iter().chain(picture.dims()).copied().collect();
        picture.into_shape(shape)
    }
}

fn window(input: &Tensor) -> Result<Window> {
    if input.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "crop_window must be 1-D, got shape {}",
            input.shape()
        )));
    }
    match *input.as_slice::<i32>()? {
        [top, left, height, width] => Ok(Window { top, left, height, width }),
        _ => Err(Status::invalid_argument(format!(
            "crop_size must have four elements {}",
            input.shape()
        ))),
    }
}
