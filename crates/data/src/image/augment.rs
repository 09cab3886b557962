//! Images changed at random, so that a model sees each in many forms.

use downpour_tensor::{Result, Shape, Status, Tensor};

use super::{first_field, sizes, with_first};
use crate::random::below;
use crate::rows::writable;
use crate::stage::Schema;
use crate::transform::random_keys::KEY;
use crate::{Element, MapFunction, Names};

/// Changes images at random: a [`MapFunction`] for elements whose first tensors are `key`, from
/// [`random_keys`](crate::Dataset::random_keys), and an image. The key is used up.
///
/// The changes to an image depend on its key only, so the same pipeline gives the same images, also with several
/// threads and after it was resumed.
///
/// ```
/// use downpour_data::{AugmentImage, Dataset, Parallel};
/// use downpour_tensor::Tensor;
/// let images = Tensor::from_vec([4, 6, 6, 1], vec![0u8; 4 * 36])?;
/// let data = Dataset::from_tensors([("image", images)])?.random_keys(7);
/// let changed = data.map_parallel(Parallel::new(2), AugmentImage::new().flip().crop(4, 4));
/// assert_eq!(changed.iterate()?.next()?.unwrap().get("image")?.dims(), [4, 4, 1]);
/// # Ok::<(), downpour_tensor::Status>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AugmentImage {
    flip: bool,
    crop: Option<[usize; 2]>,
}

/// The uses of a key.
const FLIP: u64 = 0;
const TOP: u64 = 1;
const LEFT: u64 = 2;

impl AugmentImage {
    /// Changes nothing yet.
    pub fn new() -> AugmentImage {
        AugmentImage::default()
    }

    /// Half of the images are mirrored: left becomes right.
    pub fn flip(self) -> AugmentImage {
        AugmentImage { flip: true, ..self }
    }

    /// Cuts a part of this size out of each image. A smaller image is an error.
    pub fn crop(self, height: usize, width: usize) -> AugmentImage {
        AugmentImage { crop: Some([height, width]), ..self }
    }

    fn change(&self, image: &Tensor, key: u64) -> Result<Tensor> {
        let [height, width, channels] = sizes(image)?;
        let to = self.crop.unwrap_or([height, width]);
        if to[0] > height || to[1] > width {
            return Err(Status::invalid_argument(format!(
                "a part of {} x {} cannot be cut out of an image of {height} x {width}",
                to[0], to[1]
            )));
        }
        let top = below(key, TOP, height - to[0] + 1);
        let left = below(key, LEFT, width - to[1] + 1);
        let flip = self.flip && below(key, FLIP, 2) == 1;
        let pixel = channels * image.dtype().size();
        let from = image.bytes().ok_or_else(|| {
            Status::invalid_argument(format!("an image of {} has no numbers", image.dtype()))
        })?;
        let mut output = Tensor::new(image.dtype(), Shape::new(&[to[0], to[1], channels]))?;
        let out = writable(&mut output)?;
        if out.is_empty() {
            return Ok(output);
        }
        for (y, to) in out.chunks_exact_mut(to[1] * pixel).enumerate() {
            let line = &from[((top + y) * width + left) * pixel..][..to.len()];
            if flip {
                let pixels = to.chunks_exact_mut(pixel).zip(line.chunks_exact(pixel).rev());
                pixels.for_each(|(to, from)| to.copy_from_slice(from));
            } else {
                to.copy_from_slice(line);
            }
        }
        Ok(output)
    }
}

impl MapFunction for AugmentImage {
    fn call(&self, element: Element) -> Result<Element> {
        let (names, mut tensors) = element.into_parts();
        if tensors.len() < 2 || names.iter().next() != Some(KEY) {
            return Err(Status::invalid_argument(format!(
                "images are changed at random by a key: put random_keys(SEED) before; the elements have {}",
                names.iter().collect::<Vec<_>>().join(", ")
            )));
        }
        let key = tensors.remove(0).to_scalar::<i64>()? as u64;
        let image = self.change(&tensors[0], key)?;
        let names = Names::new(names.iter().skip(1));
        with_first(names.clone(), Element::from_parts(names, tensors)?, image)
    }

    fn name(&self) -> String {
        let crop = self.crop.map(|[h, w]| format!("crop {h}x{w}"));
        let parts: Vec<String> =
            self.flip.then(|| "flip".to_owned()).into_iter().chain(crop).collect();
        format!("augment_image({})", parts.join(", "))
    }

    fn schema(&self, input: Option<Schema>) -> Option<Schema> {
        let mut schema = input?;
        if schema.fields.len() < 2 {
            return None;
        }
        schema.fields.remove(0);
        let image = schema.fields[0].clone();
        let mut shape = image.shape;
        if let (Some([height, width]), [h, w, _]) = (self.crop, shape.as_mut_slice()) {
            (*h, *w) = (Some(height), Some(width));
        }
        first_field(Some(schema), &image.name, image.dtype, shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dataset, Parallel};

    fn images(count: usize) -> Dataset {
        let pixels: Vec<u8> = (0..count * 24).map(|v| (v % 251) as u8).collect();
        let images = Tensor::from_vec([count, 3, 4, 2], pixels).unwrap();
        let labels = Tensor::from_vec([count], (0..count as i64).collect()).unwrap();
        Dataset::from_tensors([("image", images), ("label", labels)]).unwrap()
    }

    fn all(data: &Dataset, epoch: u64) -> Vec<Vec<u8>> {
        let pixels = |e: Element| e.get("image").unwrap().as_slice::<u8>().unwrap().to_vec();
        data.iterate_epoch(epoch).unwrap().map(|e| pixels(e.unwrap())).collect()
    }

    #[test]
    fn half_are_mirrored_and_no_pixel_is_lost() {
        let flipped = images(200).random_keys(3).map(AugmentImage::new().flip());
        let (plain, made) = (all(&images(200), 0), all(&flipped, 0));
        let mirrored = |image: &[u8]| -> Vec<u8> {
            let line = |line: &[u8]| line.chunks(2).rev().flatten().copied().collect::<Vec<u8>>();
            image.chunks(8).flat_map(line).collect()
        };
        let mut count = 0;
        for (plain, made) in plain.iter().zip(&made) {
            assert!(made == plain || *made == mirrored(plain));
            count += usize::from(made != plain);
        }
        assert!((70..130).contains(&count), "{count}");
        let names: Vec<String> =
            flipped.schema().unwrap().fields.into_iter().map(|f| f.name).collect();
        assert_eq!(names, ["image", "label"]);
    }

    #[test]
    fn parts_are_everywhere_and_differ_between_epochs() {
        let cut = images(300)
            .random_keys(3)
            .map_parallel(Parallel::new(3), AugmentImage::new().crop(2, 3));
        assert_eq!(cut.schema().unwrap().fields[0].shape, [Some(2), Some(3), Some(2)]);
        let made = all(&cut, 0);
        let mut seen = std::collections::BTreeSet::new();
        for (n, part) in made.iter().enumerate() {
            assert_eq!(part.len(), 12);
            // The first value tells the place.
            seen.insert((usize::from(part[0]) + 251 * 100 - (n * 24) % 251) % 251);
        }
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [0, 2, 8, 10]);
        assert_eq!(made, all(&cut, 0));
        assert_ne!(made, all(&cut, 1));
    }

    #[test]
    fn a_resumed_pipeline_goes_on_with_the_same_images() {
        let data = images(40).shuffle(10, 1).unwrap().random_keys(9).repeat();
        let data = data.map_parallel(Parallel::new(2), AugmentImage::new().flip().crop(2, 2));
        let mut iterator = data.iterate().unwrap();
        for _ in 0..55 {
            iterator.next().unwrap();
        }
        let mut resumed = data.iterate_from(&iterator.position()).unwrap();
        for _ in 0..30 {
            let (expected, found) =
                (iterator.next().unwrap().unwrap(), resumed.next().unwrap().unwrap());
            assert_eq!(found[0].bytes(), expected[0].bytes());
            assert_eq!(found[1].bytes(), expected[1].bytes());
        }
    }

    #[test]
    fn images_too_small_and_elements_without_keys_are_errors() {
        let error =
            |data: Dataset| data.iterate().unwrap().next().unwrap_err().message().to_owned();
        let large = images(1).random_keys(1).map(AugmentImage::new().crop(4, 4));
        assert!(error(large).contains("4 x 4 cannot be cut out of an image of 3 x 4"));
        assert!(error(images(1).map(AugmentImage::new().flip())).contains("random_keys"));
        let flat = Dataset::range(1).random_keys(1).map(AugmentImage::new().flip());
        assert!(error(flat).contains("height, width and channels"));
    }
}
