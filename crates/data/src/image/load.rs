//! Files of images become tensors.

use std::sync::OnceLock;

use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};

use super::{first_field, with_first};
use crate::stage::Schema;
use crate::storage::FileRef;
use crate::{Element, MapFunction, Names};

/// No image that can be decoded is larger, and a file that is none should not be read whole.
const LARGEST_FILE: u64 = i32::MAX as u64;

/// Loads the images of an [`ImageFolder`](crate::ImageFolder): a [`MapFunction`] that replaces an element's first
/// tensor, the path or URL of a JPEG, PNG, GIF, BMP or WebP file, with a tensor `image` of height, width and channels.
///
/// It is uint8 unless the image is resized or scaled.
#[derive(Debug)]
pub struct LoadImage {
    channels: usize,
    size: Option<[usize; 2]>,
    scaled: bool,
    contents: bool,
    /// Those of the results, which all share them.
    names: OnceLock<(Names, Names)>,
}

impl Default for LoadImage {
    fn default() -> LoadImage {
        LoadImage::new()
    }
}

impl LoadImage {
    /// Loads images in colour, each in its own size.
    pub fn new() -> LoadImage {
        LoadImage {
            channels: 3,
            size: None,
            scaled: false,
            contents: false,
            names: OnceLock::new(),
        }
    }

    /// With 1 channel (levels of grey), 3 (colours) or 4 (colours and opacity), whatever the file has. BMP files have 3
    /// or 4, GIF files 3, JPEG files 1 or 3, and WebP files what they have.
    pub fn channels(self, channels: usize) -> LoadImage {
        LoadImage { channels, ..self }
    }

    /// All in one size, by bilinear interpolation as `tf.image.resize` does it. The values are float, between 0 and 255.
    pub fn resized(self, height: usize, width: usize) -> LoadImage {
        LoadImage { size: Some([height, width]), ..self }
    }

    /// With float values between 0 and 1.
    pub fn scaled(self) -> LoadImage {
        LoadImage { scaled: true, ..self }
    }

    /// The first tensor has the contents of a file, not its name.
    pub fn from_contents(self) -> LoadImage {
        LoadImage { contents: true, ..self }
    }

    /// Decodes a file's contents.
    fn decode(&self, contents: &[u8]) -> Result<Tensor> {
        let mut image = downpour_images::decode(contents, self.channels, &|| Ok(()))?;
        if let Some(size) = self.size {
            image = downpour_images::resize::bilinear(&image, size)?;
        }
        if !self.scaled {
            return Ok(image);
        }
        let scale = 1.0 / 255.0;
        match image.dtype() {
            DataType::UInt8 => {
                let from = image.as_slice::<u8>()?;
                Tensor::build(image.shape(), |out: &mut [f32]| {
                    out.iter_mut().zip(from).for_each(|(to, &v)| *to = f32::from(v) * scale);
                })
            }
            _ => {
                let values = image
                    .as_mut_slice::<f32>()
                    .ok_or_else(|| Status::internal("a new image has another owner"))?;
                values.iter_mut().for_each(|v| *v *= scale);
                Ok(image)
            }
        }
    }

    fn load(&self, name: &ByteString) -> Result<Tensor> {
        if self.contents {
            return self.decode(name);
        }
        let name = std::str::from_utf8(name).map_err(|_| {
            Status::invalid_argument("the name of an image's file is not valid UTF-8")
        })?;
        let read = || {
            let file = FileRef::named(name)?;
            let size = file.size()?;
            if size > LARGEST_FILE {
                return Err(Status::invalid_argument(format!(
                    "{size} bytes are too many for an image"
                )));
            }
            self.decode(&file.read(0, size as usize)?)
        };
        read().map_err(|error: Status| error.context(name))
    }

    /// The names of results of such elements.
    fn names(&self, element: &Element) -> Names {
        let renamed = |of: &Names| Names::new(std::iter::once("image").chain(of.iter().skip(1)));
        let (of, made) =
            self.names.get_or_init(|| (element.names().clone(), renamed(element.names())));
        if of == element.names() { made.clone() } else { renamed(element.names()) }
    }
}

impl MapFunction for LoadImage {
    fn call(&self, element: Element) -> Result<Element> {
        let file =
            element.tensors().first().filter(|t| t.rank() == 0).and_then(|t| t.strings().ok());
        let Some([file]) = file else {
            return Err(Status::invalid_argument(format!(
                "the first tensor of an element must be the name of an image's file, a single string; the elements have {}",
                element.names().iter().collect::<Vec<_>>().join(", ")
            )));
        };
        let image = self.load(file)?;
        with_first(self.names(&element), element, image)
    }

    fn name(&self) -> String {
        let size = self.size.map(|[h, w]| format!(", {h}x{w}")).unwrap_or_default();
        let scaled = if self.scaled { ", scaled" } else { "" };
        format!("load_image({}{size}{scaled})", self.channels)
    }

    fn schema(&self, input: Option<Schema>) -> Option<Schema> {
        let [height, width] = self.size.map_or([None, None], |size| size.map(Some));
        let floats = self.size.is_some() || self.scaled;
        let dtype = if floats { DataType::Float } else { DataType::UInt8 };
        let channels = Some(self.channels).filter(|&c| c > 0);
        first_field(input, "image", dtype, vec![height, width, channels])
    }
}
