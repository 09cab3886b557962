//! Data of one's own: CSV, TFRecord and Parquet files and images to batches, and going on exactly where reading stopped.
//!
//!     cargo run --release --example own_data

use std::path::Path;

use downpour::data::{AugmentImage, Compression, Csv, Dataset, Element, ExampleParser, Feature};
use downpour::data::{ImageFolder, LoadImage, Parallel, Parquet, Position, Remainder};
use downpour::formats::tfrecord::RecordWriter;
use downpour::wire::Message;
use downpour::wire::proto::{Example, Features, FloatList, Int64List, feature};
use downpour::{DataType, Result, Status, Tensor, wire};

fn main() -> Result<()> {
    let folder = tempfile::tempdir().map_err(|e| Status::internal(e.to_string()))?;
    let folder = folder.path().to_string_lossy().into_owned();
    write_csv(&folder).map_err(|e| Status::internal(e.to_string()))?;

    // ANCHOR: csv
    // Columns by name and type; an empty field takes its default, anything else that does not fit is an error that
    // names file and line. A path, a glob, or a URL of an object store.
    let columns = Csv::new()
        .column("length", DataType::Float)
        .column_or("width", DataType::Float, "0")
        .column("kind", DataType::String);
    let flowers = Dataset::csv(&format!("{folder}/part-*.csv"), columns)?;

    // An element is a few named tensors. Functions make one of another; these run on two threads, in order.
    let numbered = flowers.map_parallel(Parallel::new(2), |flower: Element| {
        let size = [flower.get("length")?.to_scalar()?, flower.get("width")?.to_scalar()?];
        let kind = flower.get("kind")?.strings()?[0] == "tulip";
        Ok(Element::named([
            ("size", Tensor::vector::<f32>(&size)?),
            ("tulip", Tensor::scalar(kind)),
        ]))
    });
    let small = numbered.filter(|flower| Ok(flower.get("size")?.as_slice::<f32>()?[0] < 90.0));
    let batches = small.shuffle(64, 7)?.repeat().batch(8, Remainder::Drop)?.prefetch(2);
    // ANCHOR_END: csv
    println!("{}", batches.describe());

    // ANCHOR: position
    let mut reading = batches.iterate()?;
    for _ in 0..5 {
        reading.next()?;
    }
    // A few bytes that say how far this is, through shuffling, repeating and prefetching. Trainers keep them in
    // their checkpoints.
    let saved = reading.position().to_bytes();
    let expected = reading.next()?.expect("it repeats for ever");
    let mut resumed = batches.iterate_from(&Position::from_bytes(&saved)?)?;
    let found = resumed.next()?.expect("it repeats for ever");
    assert_eq!(found.get("size")?.bytes(), expected.get("size")?.bytes());
    println!("{} bytes of position, and the same batch follows", saved.len());
    // ANCHOR_END: position

    write_records(&format!("{folder}/clicks.tfrecord.gz"))?;
    // ANCHOR: tfrecord
    // tf.Examples, parsed straight into tensors.
    let parser = ExampleParser::new([
        ("features", Feature::fixed(DataType::Float, &[3])),
        ("clicked", Feature::fixed_or(&[], Tensor::scalar(0i64))),
    ])?;
    let clicks =
        Dataset::examples(&format!("{folder}/clicks.tfrecord.gz"), Compression::Auto, parser)?;
    // ANCHOR_END: tfrecord
    let batch = clicks.batch(100, Remainder::Keep)?.iterate()?.next()?.expect("there are some");
    println!("TFRecord: features {}", batch.get("features")?.shape());

    let adult = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/adult/adult.parquet");
    // ANCHOR: parquet
    // Of Parquet files only the chosen columns are read.
    let people = Dataset::parquet(adult, Parquet::new().columns(["age", "education"]))?;
    // Batches of one worker among four: every fourth one, without reading twice what the others take.
    let own = people.batch(256, Remainder::Keep)?.shard(4, 1)?;
    // ANCHOR_END: parquet
    let count = own.iterate()?.map(|batch| Ok(batch?.get("age")?.len())).sum::<Result<usize>>()?;
    println!("Parquet: {count} people are this worker's");

    let photos = format!("{folder}/photos");
    write_images(&photos).map_err(|e| Status::internal(e.to_string()))?;
    // ANCHOR: images
    // photos/day/3.bmp, photos/night/7.bmp, ...
    let photos = ImageFolder::open(&photos)?;
    println!("{} images of {}", photos.len(), photos.classes().join(" and "));
    // Loaded on two threads, all in one size, with values between 0 and 1.
    let load = LoadImage::new().resized(20, 20).scaled();
    let images = photos.files()?.shuffle(1000, 7)?.map_parallel(Parallel::new(2), load);
    // Each epoch sees other parts of them, half of them mirrored.
    let changed = images.random_keys(7).map(AugmentImage::new().flip().crop(16, 16));
    let batches = changed.repeat().batch(8, Remainder::Drop)?.prefetch(2);
    // ANCHOR_END: images
    let batch = batches.iterate()?.next()?.expect("it repeats for ever");
    println!("a batch of {}, labels {:?}", batch.get("image")?.shape(), batch.get("label")?);

    let kept = format!("{folder}/kept");
    // ANCHOR: snapshot
    let small = LoadImage::new().resized(20, 20).scaled();
    let small = photos.files()?.map_parallel(Parallel::new(2), small).snapshot(&kept);
    let batches = small.shuffle(1000, 7)?.batch(8, Remainder::Keep)?;
    // ANCHOR_END: snapshot
    let count = batches.iterate()?.count();
    assert!(Path::new(&kept).join("snapshot").exists());
    println!("{count} batches, and their images are loaded no more");
    Ok(())
}

/// Twenty bright and twenty dark images in the simplest of formats.
fn write_images(folder: &str) -> std::io::Result<()> {
    for (class, colour) in [("day", 200u8), ("night", 30)] {
        std::fs::create_dir_all(Path::new(folder).join(class))?;
        for number in 0..20u8 {
            let (width, height) = (24u8, 20 + number);
            let pixels = vec![colour + number; usize::from(width) * usize::from(height) * 3];
            let mut file = b"BM".to_vec();
            file.resize(54, 0);
            (file[10], file[18], file[22], file[28]) = (54, width, height, 24);
            file.extend(pixels);
            std::fs::write(Path::new(folder).join(class).join(format!("{number}.bmp")), file)?;
        }
    }
    Ok(())
}

/// Three files with forty flowers each.
fn write_csv(folder: &str) -> std::io::Result<()> {
    for part in 0..3 {
        let mut text = "kind,length,width\n".to_string();
        for number in 0..40 {
            let kind = ["rose", "tulip"][number % 2];
            // Every tenth has no width.
            let width = if number % 10 == 0 { String::new() } else { (number % 7).to_string() };
            text += &format!("{kind},{},{width}\n", part * 40 + number);
        }
        std::fs::write(Path::new(folder).join(format!("part-{part}.csv")), text)?;
    }
    Ok(())
}

/// A compressed TFRecord file, as TensorFlow's own tools write them.
fn write_records(path: &str) -> Result<()> {
    let compression = downpour::formats::tfrecord::Compression::Gzip;
    let mut writer = RecordWriter::create(Path::new(path), compression)?;
    for number in 0..30 {
        let value = vec![number as f32, 1.0, -0.5];
        let floats = feature::Kind::FloatList(FloatList { value });
        let clicked =
            feature::Kind::Int64List(Int64List { value: vec![i64::from(number % 3 == 0)] });
        let named = [("features", floats), ("clicked", clicked)];
        let named =
            named.map(|(name, kind)| (name.to_string(), wire::proto::Feature { kind: Some(kind) }));
        let example = Example { features: Some(Features { feature: named.into_iter().collect() }) };
        writer.write(&example.encode_to_vec())?;
    }
    writer.finish().map(drop)
}
