//! Folders of images, a folder for each class.

use downpour_tensor::{ByteString, Code, Result, Status, Tensor};

use crate::Dataset;
use crate::context::Context;
use crate::image::LoadImage;
use crate::position::State;
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::storage::{FileRef, resolve};

/// How files of images end, in small letters.
const ENDS: [&str; 6] = ["jpg", "jpeg", "png", "gif", "bmp", "webp"];

/// The images below a folder that has a folder for each class: `flowers/rose/1.jpg`, `flowers/tulip/2.png`. Only names
/// are read; [`LoadImage`] loads the images.
///
/// ```no_run
/// use downpour_data::{AugmentImage, ImageFolder, LoadImage, Parallel, Remainder};
///
/// let flowers = ImageFolder::open("flowers")?;
/// println!("{}", flowers.classes().join(", "));
/// // Names are shuffled, which takes little memory; then images are loaded on all cores.
/// let batches = flowers.files()?.shuffle(10_000, 7)?
///     .map_parallel(Parallel::all_cores(), LoadImage::new().resized(72, 72).scaled())
///     .random_keys(7)
///     .map(AugmentImage::new().flip().crop(64, 64))
///     .batch(32, Remainder::Drop)?;
/// # Ok::<(), downpour_tensor::Status>(())
/// ```
#[derive(Clone, Debug)]
pub struct ImageFolder {
    classes: Vec<String>,
    /// Path or URL, and class.
    files: Vec<(String, usize)>,
}

impl ImageFolder {
    /// Finds the images below a folder, given by its path or URL. The classes are its folders with images, sorted by
    /// name.
    pub fn open(folder: &str) -> Result<ImageFolder> {
        let found = list(folder)?;
        let mut classes: Vec<String> = found.iter().map(|(_, class)| class.clone()).collect();
        classes.sort();
        classes.dedup();
        Ok(ImageFolder::of(found, classes))
    }

    /// The same where the classes are known, as those of other images. Another class is an error.
    pub fn with_classes(folder: &str, classes: &[String]) -> Result<ImageFolder> {
        let found = list(folder)?;
        match found.iter().find(|(_, class)| !classes.contains(class)) {
            Some((file, class)) => Err(Status::invalid_argument(format!(
                "the image {file} is of the class {class}, which is not among {}",
                classes.join(", ")
            ))),
            None => Ok(ImageFolder::of(found, classes.to_vec())),
        }
    }

    fn of(found: Vec<(String, String)>, classes: Vec<String>) -> ImageFolder {
        let number = |class: &String| classes.iter().position(|c| c == class).unwrap_or_default();
        let files = found.into_iter().map(|(file, class)| (file, number(&class))).collect();
        ImageFolder { files, classes }
    }

    /// The names of the classes, in the order of their labels.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// How many images there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// There are always some: a folder without is refused.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The images' files: their names as `file`, and `label` (int64), the number of the class.
    pub fn files(&self) -> Result<Dataset> {
        let labels: Vec<i64> = self.files.iter().map(|(_, label)| *label as i64).collect();
        let name = |i: usize| ByteString::copy_from(&self.files[i].0);
        let files = Tensor::build_strings([self.files.len()], name)?;
        let rows = Dataset::from_tensors([("file", files), ("label", Tensor::vector(&labels)?)])?;
        let kind = format!("images({} of {})", self.files.len(), self.classes.join(", "));
        Ok(Dataset::new(ImageList { rows, kind }))
    }
}

impl Dataset {
    /// The images below a folder that has a folder for each class: `image` (uint8: height, width and 3 channels, each in
    /// its own size) and `label` (int64), the place of the class among the sorted names. [`ImageFolder`] and
    /// [`LoadImage`] are its parts, for images that are shuffled, resized, or loaded by several threads.
    pub fn images(folder: &str) -> Result<Dataset> {
        Ok(ImageFolder::open(folder)?.files()?.map(LoadImage::new()))
    }
}

/// Files and their classes, sorted by file.
fn list(folder: &str) -> Result<Vec<(String, String)>> {
    let folder = folder.trim_end_matches('/');
    let nothing = || {
        Status::not_found(format!(
            "there are no images in folders of {folder}: each class needs a folder there, with files that end in {}",
            ENDS.join(", ")
        ))
    };
    let found = resolve(&format!("{folder}/*/*")).map_err(|error| match error.code() {
        Code::NotFound => nothing(),
        _ => error,
    })?;
    let of_class = |file: &FileRef| {
        let (path, name) = file.name().rsplit_once('/')?;
        let (_, class) = path.rsplit_once('/')?;
        let (_, end) = name.rsplit_once('.')?;
        let shown = !name.starts_with('.') && !class.starts_with('.');
        let image = ENDS.contains(&end.to_ascii_lowercase().as_str());
        (shown && image).then(|| (file.name().to_owned(), class.to_owned()))
    };
    let images: Vec<_> = found.iter().filter_map(of_class).collect();
    if images.is_empty() { Err(nothing()) } else { Ok(images) }
}

/// The rows of a list under a description that names the classes: labels of others would mean something else.
struct ImageList {
    rows: Dataset,
    kind: String,
}

impl Stage for ImageList {
    fn describe(&self) -> String {
        self.kind.clone()
    }

    fn schema(&self) -> Option<Schema> {
        self.rows.schema()
    }

    fn length(&self) -> Option<Length> {
        self.rows.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        self.rows.stage().open(context, state)
    }
}

#[cfg(test)]
mod tests;
