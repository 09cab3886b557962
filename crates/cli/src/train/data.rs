//! A job's data: what comes with Downpour, or files of one's own.

mod features;
mod images;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use downpour::training::{Positions, Share, Source};
use downpour_data::source::csv::Csv;
use downpour_data::source::parquet::Parquet;
use downpour_data::{Compression, Dataset, Element, Names, Remainder};
use downpour_tensor::{DataType, Result, Status};

use super::job::DataTable;
use super::mistake::Text;
pub use images::ImagesTable;

const SOURCES: &str = "mnist, adult, idx, csv, parquet, tfrecord, images";
/// Sources of files of one's own.
const FORMATS: [&str; 5] = ["idx", "csv", "parquet", "tfrecord", "images"];
/// Names of images to choose the next from, at least.
const NAMES: usize = 1 << 20;
/// Batches that are ready ahead of training.
const AHEAD: usize = 4;
/// Examples in a batch when a model is measured.
const MEASURED_BATCH: usize = 500;
/// Examples in a batch, at least, where batches are only parts of a sum: it is quicker than with small ones.
const SUMMED_BATCH: usize = 256;

/// Refuses what no data can come of.
pub fn check(table: &DataTable, place: &Text<'_>) -> Result<()> {
    let source = table.source.get_ref().as_str();
    let at = |why: &str| place.at(table.source.span(), "", why);
    if table.images.is_some() && source != "images" {
        return Err(
            place.at_key("images", "says how images are loaded: it is for the source images")
        );
    }
    if FORMATS.contains(&source) && table.train.is_none() {
        let what = if source == "images" { "a folder of images" } else { "the files" };
        return Err(at(&format!("data of the source {source} needs `train`: {what} to train on")));
    }
    match source {
        "mnist" | "adult" => Ok(()),
        "idx" | "csv" | "parquet" => table
            .columns
            .values()
            .try_for_each(|name| column_type(name).map(drop))
            .map_err(|e| place.at_key("columns", e.message())),
        "tfrecord" => {
            features::parser(table).map(drop).map_err(|e| place.at_key("columns", e.message()))
        }
        "images" => match &table.images {
            _ if !table.columns.is_empty() => {
                Err(place.at_key("columns", "are not for images, which have `image` and `label`"))
            }
            None => {
                Err(at("data of the source images needs `images`: images = { size = [64, 64] }"))
            }
            Some(images) => images.check().map_err(|e| place.at_key("images", e.message())),
        },
        other => Err(at(&format!("there is no source '{other}': the sources are {SOURCES}"))),
    }
}

/// Training batches for each worker, and batches to measure the model on.
///
/// Over and over, in another order for every worker; or once and always the same, if `whole`.
pub fn sources(table: &DataTable, seed: i64, whole: bool) -> Result<(Source, Source)> {
    let (train, evaluate) = examples(table)?;
    let (batch, shuffle) = match whole {
        // The order makes no difference, and neighbours are read together.
        true => (table.batch.max(SUMMED_BATCH), 0),
        false => (table.batch, table.shuffle),
    };
    let (numbered, images) = (train.clone(), table.images.clone());
    let positions = move || {
        let order = (shuffle > 0).then_some(seed as u64);
        let Some(images) = images.clone() else {
            return Positions::shuffled(&numbered, batch, order);
        };
        Positions::shuffled_then(&numbered, batch, order, move |files, epoch, start| match whole {
            true => images.load(&files),
            false => images.load_changed(&files, seed as u64 ^ (epoch << 32) ^ start),
        })
    };
    let images = table.images.clone();
    let train = Source::new(move |share: Share| {
        let mut own = train.shard(share.count as u64, share.index as u64)?;
        if whole {
            return loaded(&own, images.as_ref()).batch(batch, Remainder::Keep);
        }
        let seed = seed as u64 ^ ((share.index as u64) << 32);
        // Names of images are shuffled, not the images: there is room for many, and they come class by class.
        let room = if images.is_some() { shuffle.max(NAMES) } else { shuffle };
        if shuffle > 0 {
            own = own.shuffle(room, seed)?;
        }
        own = own.repeat();
        if let Some(images) = &images {
            own = images.load_changed(&own, seed);
        }
        Ok(own.batch(batch, Remainder::Drop)?.prefetch(AHEAD))
    })
    .with_positions(positions);
    let evaluate = loaded(&evaluate, table.images.as_ref());
    let evaluate = evaluate.batch(MEASURED_BATCH, Remainder::Keep)?.prefetch(AHEAD);
    Ok((train, evaluate.into()))
}

/// Images by their names; other examples as they are.
fn loaded(examples: &Dataset, images: Option<&ImagesTable>) -> Dataset {
    images.map_or_else(|| examples.clone(), |images| images.load(examples))
}

/// How many batches all of the training data is.
pub fn batches(table: &DataTable) -> Result<u64> {
    let (train, _) = examples(table)?;
    let mut iterator = train.batch(table.batch, Remainder::Keep)?.iterate()?;
    let mut count = 0;
    while iterator.next()?.is_some() {
        count += 1;
    }
    Ok(count)
}

/// Single examples: to train on, and to measure the model on. Images are the names of their files.
fn examples(table: &DataTable) -> Result<(Dataset, Dataset)> {
    let all = match table.source.get_ref().as_str() {
        "mnist" => {
            let folder = folder(table, "mnist")?;
            let part = |name: &str| {
                let file = |kind: &str| folder.join(format!("{name}-{kind}-ubyte.gz"));
                let images = Dataset::idx(text(&file("images-idx3"))?, "image")?;
                Ok(images.zip(&Dataset::idx(text(&file("labels-idx1"))?, "label")?).cache())
            };
            return Ok((part("train")?, part("t10k")?));
        }
        "adult" => {
            let file = folder(table, "adult")?.join("adult.parquet");
            read(table, "parquet", text(&file)?)?
        }
        "images" => match images::files(table)? {
            (train, Some(evaluate)) => return Ok((train, evaluate)),
            (train, None) => train,
        },
        format => {
            let files = table.train.as_deref().unwrap_or_default();
            let train = read(table, format, files)?;
            if let Some(files) = &table.evaluate {
                return Ok((train, read(table, format, files)?));
            }
            train
        }
    };
    keep_some(&all, table.keep_one_in)
}

/// Every n-th example is kept for measuring; the others are read once, in their order.
fn keep_some(all: &Dataset, one_in: u64) -> Result<(Dataset, Dataset)> {
    let trained_on = move |example: &Element| {
        let number = example.get("index")?.to_scalar::<i64>()?;
        Ok(number as u64 % one_in != one_in - 1)
    };
    // The number is the first tensor. All examples share their names.
    let names = OnceLock::new();
    let without_number = move |example: Element| {
        let names = names.get_or_init(|| Names::new(example.names().iter().skip(1)));
        let tensors = example.into_tensors().into_iter().skip(1);
        Element::from_parts(names.clone(), tensors.collect())
    };
    let train = all.enumerate().filter(trained_on).map(without_number);
    Ok((train, all.shard(one_in, one_in - 1)?))
}

fn read(table: &DataTable, format: &str, files: &str) -> Result<Dataset> {
    match format {
        "parquet" => {
            let parquet = match table.columns.is_empty() {
                true => Parquet::new(),
                false => Parquet::new().columns(table.columns.keys()),
            };
            Dataset::parquet(files, parquet)
        }
        "tfrecord" => Dataset::examples(files, Compression::Auto, features::parser(table)?),
        "csv" => {
            let mut csv = Csv::new();
            for (name, kind) in &table.columns {
                csv = csv.column(name, column_type(kind)?);
            }
            Dataset::csv(files, csv)
        }
        // `image=a.gz,label=b.gz`
        _ => {
            let mut all: Option<Dataset> = None;
            for part in files.split(',') {
                let (name, file) = part.split_once('=').ok_or_else(|| {
                    Status::invalid_argument(format!(
                        "files of the source idx are named by column: image=IMAGES.gz,label=LABELS.gz, not '{part}'"
                    ))
                })?;
                let column = Dataset::idx(file.trim(), name.trim())?;
                all = Some(all.map_or_else(|| column.clone(), |rest| rest.zip(&column)));
            }
            all.ok_or_else(|| Status::invalid_argument("`train` names no files"))
        }
    }
}

fn column_type(name: &str) -> Result<DataType> {
    DataType::from_name(name).ok_or_else(|| {
        Status::invalid_argument(format!(
            "'{name}' is no type of a column: float, double, int32, int64, bool, string, ..."
        ))
    })
}

/// Where data that comes with Downpour is: where the job says, in `data/` here, where DOWNPOUR_DATA says, or
/// where this program was built.
fn folder(table: &DataTable, name: &str) -> Result<PathBuf> {
    if let Some(folder) = &table.folder {
        return Ok(folder.clone());
    }
    let mut places = vec![PathBuf::from("data")];
    places.extend(std::env::var_os("DOWNPOUR_DATA").map(PathBuf::from));
    places.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data"));
    let found = places.iter().map(|place| place.join(name)).find(|folder| folder.is_dir());
    found.ok_or_else(|| {
        let looked: Vec<String> = places.iter().map(|p| p.join(name).display().to_string()).collect();
        Status::not_found(format!(
            "the data '{name}' is not there: looked for {}. It is part of Downpour's sources, in the folder data/; \
             set DOWNPOUR_DATA to that folder, or `folder` in the job's [data].",
            looked.join(", ")
        ))
    })
}

fn text(path: &Path) -> Result<&str> {
    path.to_str()
        .ok_or_else(|| Status::invalid_argument(format!("{} is not valid UTF-8", path.display())))
}
