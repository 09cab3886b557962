//! Images: resizing, cropping, boxes and colours.

mod area;
mod bicubic;
mod bilinear;
mod color;
mod color_gradient;
mod contrast;
mod crop;
mod crop_gradient;
mod draw_boxes;
mod nearest;
mod non_max_suppression;
mod pad_conv;
mod scale;
mod stretched;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    bilinear::register(registry)?;
    nearest::register(registry)?;
    bicubic::register(registry)?;
    area::register(registry)?;
    crop::register(registry)?;
    crop_gradient::register(registry)?;
    non_max_suppression::register(registry)?;
    draw_boxes::register(registry)?;
    pad_conv::register(registry)?;
    color::register(registry)?;
    contrast::register(registry)?;
    Ok(())
}
