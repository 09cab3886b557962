//! Folders of images as a job's data.

use downpour_data::{AugmentImage, Dataset, ImageFolder, LoadImage, Parallel};
use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};

use crate::train::job::DataTable;

/// How images are loaded: as `image`, float between 0 and 1, and `label`, the place of the class among the names of the
/// folders.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImagesTable {
    /// Height and width of every image.
    pub size: [usize; 2],
    /// 1 for levels of grey, 3 for colours.
    #[serde(default = "colours")]
    pub channels: usize,
    /// Trains on images of this height and width, of which another part is cut out each time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop_from: Option<[usize; 2]>,
    /// Trains on images of which half are mirrored, others each time.
    #[serde(default)]
    pub flip: bool,
}

fn colours() -> usize {
    3
}

impl ImagesTable {
    /// Refuses sizes that make no image. The messages follow the table's name.
    pub fn check(&self) -> Result<()> {
        let refused = |why: &str| Err(Status::invalid_argument(why.to_string()));
        if self.size.contains(&0) {
            return refused("have a `size` of height and width, each at least 1");
        }
        if ![1, 3].contains(&self.channels) {
            return refused("have 1 or 3 `channels`: levels of grey, or colours");
        }
        if self.crop_from.is_some_and(|from| from[0] < self.size[0] || from[1] < self.size[1]) {
            return refused(
                "cannot be cut out of smaller ones: `crop_from` must be at least `size`",
            );
        }
        Ok(())
    }

    /// The images of such files, as they are.
    pub fn load(&self, files: &Dataset) -> Dataset {
        self.loaded(files, self.size)
    }

    /// The images of such files, changed at random where that is asked for.
    pub fn load_changed(&self, files: &Dataset, seed: u64) -> Dataset {
        let images = self.loaded(files, self.crop_from.unwrap_or(self.size));
        let mut change = AugmentImage::new();
        if self.flip {
            change = change.flip();
        }
        if self.crop_from.is_some() {
            change = change.crop(self.size[0], self.size[1]);
        }
        match self.flip || self.crop_from.is_some() {
            true => images.random_keys(seed).map(change),
            false => images,
        }
    }

    fn loaded(&self, files: &Dataset, [height, width]: [usize; 2]) -> Dataset {
        let load = LoadImage::new().channels(self.channels).resized(height, width).scaled();
        files.map_parallel(Parallel::autotuned(Parallel::all_cores().threads), load)
    }
}

/// Files to train on, and those to measure the model on if they have a folder of their own.
pub fn files(table: &DataTable) -> Result<(Dataset, Option<Dataset>)> {
    let train = ImageFolder::open(table.train.as_deref().unwrap_or_default())?;
    let evaluate = table.evaluate.as_deref();
    // A label means the same class in both.
    let evaluate = evaluate.map(|folder| ImageFolder::with_classes(folder, train.classes()));
    let evaluate = evaluate.transpose()?.map(|folder| folder.files()).transpose()?;
    Ok((train.files()?, evaluate))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> ImagesTable {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn sizes_are_checked() {
        assert!(table("size = [8, 8]").check().is_ok());
        for (wrong, why) in [
            ("size = [8, 0]", "at least 1"),
            ("size = [8, 8]\nchannels = 2", "1 or 3"),
            ("size = [8, 8]\ncrop_from = [9, 7]", "smaller"),
        ] {
            assert!(table(wrong).check().unwrap_err().message().contains(why), "{wrong}");
        }
    }

    #[test]
    fn changed_images_have_the_size_that_was_asked_for() {
        let files = Dataset::range(1);
        let images = table("size = [8, 6]\nchannels = 1\ncrop_from = [10, 10]\nflip = true");
        let described = images.load_changed(&files, 3).describe();
        assert!(
            described.contains("10x10") && described.ends_with("augment_image(flip, crop 8x6)"),
            "{described}"
        );
        assert!(images.load(&files).describe().contains("load_image(1, 8x6, scaled)"));
        assert!(!table("size = [8, 6]").load_changed(&files, 3).describe().contains("augment"));
    }
}
