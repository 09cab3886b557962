//! The attributes of the operations that decode images.

use downpour_graph::{PartialShape, ShapeContext};
use downpour_runtime::KernelBuild;
use downpour_tensor::{DataType, Result, Status};

use downpour_images::jpeg::Options;

/// Which operation decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Jpeg,
    CropJpeg,
    Png,
    Gif,
    Bmp,
    WebP,
    Image,
}

/// The operation's attributes.
pub(super) struct Attributes {
    pub operation: Operation,
    pub name: String,
    pub channels: usize,
    pub dtype: DataType,
    /// All frames of an animation, not only the first.
    pub animated: bool,
    pub jpeg: Options,
}

impl Attributes {
    pub fn new(build: &KernelBuild<'_>) -> Result<Attributes> {
        let name = build.op_name().to_string();
        let operation = match name.as_str() {
            "DecodeJpeg" => Operation::Jpeg,
            "DecodeAndCropJpeg" => Operation::CropJpeg,
            "DecodePng" => Operation::Png,
            "DecodeGif" => Operation::Gif,
            "DecodeBmp" => Operation::Bmp,
            "DecodeWebP" => Operation::WebP,
            _ => Operation::Image,
        };
        let mut jpeg = Options::default();
        if matches!(operation, Operation::Jpeg | Operation::CropJpeg) {
            let ratio = build.int("ratio")?;
            if ![1, 2, 4, 8].contains(&ratio) {
                return Err(Status::invalid_argument(format!(
                    "ratio must be 1, 2, 4, or 8, got {ratio}"
                )));
            }
            jpeg.ratio = ratio as usize;
            jpeg.fancy_upscaling = build.bool("fancy_upscaling")?;
            jpeg.try_recover_truncated = build.bool("try_recover_truncated")?;
            jpeg.acceptable_fraction = build.float("acceptable_fraction")?;
            jpeg.accurate = match build.string("dct_method")?.as_str() {
                "" | "INTEGER_FAST" => false,
                "INTEGER_ACCURATE" => true,
                _ => {
                    return Err(Status::invalid_argument(
                        "dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}",
                    ));
                }
            };
        }
        let dtype = match operation {
            Operation::Png | Operation::Image => build.dtype("dtype")?,
            _ => DataType::UInt8,
        };
        let animated = match operation {
            Operation::Image => build.bool("expand_animations")?,
            _ => true,
        };
        let channels = match operation {
            Operation::Gif => 3,
            _ => build.int("channels")?,
        };
        if ![0, 1, 3, 4].contains(&channels) {
            return Err(Status::invalid_argument(format!(
                "`channels` must be 0, 1, 3 or 4 but got {channels}"
            )));
        }
        let channels = channels as usize;
        jpeg.channels = channels;
        Ok(Attributes { operation, name, channels, dtype, animated, jpeg })
    }
}

/// The size of the last axis, where `channels` names it.
fn channels(cx: &ShapeContext<'_>) -> Result<Option<usize>> {
    let channels = cx.node().int("channels")?;
    match usize::try_from(channels) {
        Ok(0) => Ok(None),
        Ok(channels) => Ok(Some(channels)),
        Err(_) => {
            Err(Status::invalid_argument(format!("channels must be non-negative, got {channels}")))
        }
    }
}

/// Height, width and channels.
pub(super) fn picture(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 0)?;
    let channels = channels(cx)?;
    cx.set_output(0, PartialShape::of([None, None, channels]));
    Ok(())
}

/// The same of a crop window, whose size is in input 1.
pub(super) fn cropped(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 0)?;
    let channels = channels(cx)?;
    let window = cx.with_rank(1, 1)?;
    cx.merge_dim(window.dim(0), Some(4))?;
    let size = |i: usize| -> Result<Option<usize>> {
        let Some(&size) = cx.constant_ints(1).as_ref().and_then(|window| window.get(i)) else {
            return Ok(None);
        };
        // As in TensorFlow, -1 is an unknown size.
        match size {
            -1 => Ok(None),
            size => usize::try_from(size).map(Some).map_err(|_| {
                Status::invalid_argument(format!(
                    "Shape [{size}] has negative dimensions: crop_window"
                ))
            }),
        }
    };
    let (height, width) = (size(2)?, size(3)?);
    cx.set_output(0, PartialShape::of([height, width, channels]));
    Ok(())
}

/// Frames, height, width and 3 channels.
pub(super) fn gif(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 0)?;
    cx.set_output(0, PartialShape::of([None, None, None, Some(3)]));
    Ok(())
}

/// Frames, height, width and channels.
pub(super) fn frames(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 0)?;
    let channels = channels(cx)?;
    cx.set_output(0, PartialShape::of([None, None, None, channels]));
    Ok(())
}

/// A picture, or frames where the format decides it.
pub(super) fn image(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 0)?;
    let channels = channels(cx)?;
    let shape = if cx.node().bool("expand_animations")? {
        PartialShape::unknown()
    } else {
        PartialShape::of([None, None, channels])
    };
    cx.set_output(0, shape);
    Ok(())
}
