//! Values as TensorBoard's parts expect them.
//!
//! Scalars, histograms and images have the older of the two encodings: TensorBoard turns it into the
//! newer while reading, and tools that know only the older read it too.

use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::summary::value::Value as Kind;
use downpour_wire::proto::summary_metadata::PluginData;
use downpour_wire::proto::{DataClass, Summary, SummaryMetadata, summary};
use downpour_wire::tensor_to_proto;

use super::histogram::Histogram;
use super::image::encode_png;

fn value(tag: String, plugin: &str, class: DataClass, kind: Kind) -> summary::Value {
    let plugin_data = PluginData { plugin_name: plugin.into(), ..Default::default() };
    let metadata = SummaryMetadata {
        plugin_data: Some(plugin_data),
        data_class: class.into(),
        ..Default::default()
    };
    summary::Value { tag, value: Some(kind), metadata: Some(metadata), ..Default::default() }
}

pub fn scalar(tag: &str, number: f64) -> summary::Value {
    let kind = Kind::SimpleValue(number as f32);
    value(tag.into(), "scalars", DataClass::Scalar, kind)
}

/// A histogram, and a scalar `TAG/not_finite` if the tensor has infinities or NaN.
pub fn histogram(tag: &str, tensor: &Tensor) -> Result<Summary> {
    let mut histogram = Histogram::default();
    histogram.add_tensor(tensor).map_err(|e| e.context(tag))?;
    let mut values = Vec::new();
    if histogram.not_finite() > 0 {
        values.push(scalar(&format!("{tag}/not_finite"), histogram.not_finite() as f64));
    }
    let proto = histogram.to_proto();
    if proto.num > 0.0 {
        values.push(value(tag.into(), "histograms", DataClass::Tensor, Kind::Histo(proto)));
    }
    Ok(Summary { value: values })
}

/// One picture under `TAG/image`, several under `TAG/image/0` and so on, as TensorFlow numbers them.
pub fn images(tag: &str, tensor: &Tensor, most: usize) -> Result<Summary> {
    let picture = |name: String, tensor: &Tensor| -> Result<summary::Value> {
        let image = encode_png(tensor).map_err(|e| e.context(tag))?;
        Ok(value(name, "images", DataClass::BlobSequence, Kind::Image(image)))
    };
    let values = match tensor.dims() {
        [_, _, _] => vec![picture(format!("{tag}/image"), tensor)?],
        [1, dims @ ..] if dims.len() == 3 => {
            vec![picture(format!("{tag}/image"), &tensor.reshaped(dims)?)?]
        }
        [count, dims @ ..] if dims.len() == 3 => (0..*count.min(&most))
            .map(|i| {
                let one = tensor.rows(i, i + 1)?.into_shape(dims)?;
                picture(format!("{tag}/image/{i}"), &one)
            })
            .collect::<Result<_>>()?,
        _ => {
            return Err(Status::invalid_argument(format!(
                "{tag}: pictures have the shape [height, width, channels] or \
                 [number, height, width, channels], not {}",
                tensor.shape()
            )));
        }
    };
    Ok(Summary { value: values })
}

/// Markdown.
pub fn text(tag: &str, text: &str) -> Result<summary::Value> {
    // The part that shows text knows only its newer encoding.
    let tensor = tensor_to_proto(&Tensor::from_string(text)?)?;
    Ok(value(tag.into(), "text", DataClass::Tensor, Kind::Tensor(Box::new(tensor))))
}
