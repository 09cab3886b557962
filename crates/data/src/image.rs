//! Images: files loaded, resized, and changed at random.

mod augment;
mod load;

pub use augment::AugmentImage;
pub use load::LoadImage;

use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::stage::Schema;
use crate::{Element, Names};

/// The sizes of an image [height, width, channels].
fn sizes(image: &Tensor) -> Result<[usize; 3]> {
    image.dims().try_into().map_err(|_| {
        Status::invalid_argument(format!(
            "an image has the axes height, width and channels, not the shape {}",
            image.shape()
        ))
    })
}

/// The element's tensors with another one in the place of the first.
fn with_first(names: Names, element: Element, first: Tensor) -> Result<Element> {
    let mut tensors = element.into_tensors();
    tensors[0] = first;
    Element::from_parts(names, tensors)
}

/// The schema with another first field.
fn first_field(
    schema: Option<Schema>,
    name: &str,
    dtype: DataType,
    shape: Vec<Option<usize>>,
) -> Option<Schema> {
    let mut schema = schema?;
    let first = schema.fields.first_mut()?;
    *first = crate::Field { name: name.to_owned(), dtype, shape };
    Some(schema)
}
