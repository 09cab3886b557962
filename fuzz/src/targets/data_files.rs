//! Any bytes as an IDX, CSV, text or TFRecord file, as records of fixed length, as an Example, as a saved position and in a
//! snapshot: elements, or errors, and an end; and a pass that was resumed half way sees the same.
//!
//! Parquet files are left out: their library asserts what it reads, which we catch and the fuzzer counts.

use std::sync::LazyLock;

use downpour_data::storage::FileRef;
use downpour_data::{
    ChosenColumns, Compression, Csv, CsvColumn, CsvRecords, Dataset, Element, ExampleParser,
    Feature, FixedLength, MapFunction, Position,
};
use downpour_formats::tfrecord::RecordWriter;
use downpour_tensor::{DataType, Tensor};

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    downpour_tensor::set_memory_limit(64 << 20);
    tempfile::tempdir().expect("a folder can be made")
});

fn parser() -> ExampleParser {
    ExampleParser::new([
        ("x", Feature::fixed_or(&[2], Tensor::scalar(0f32))),
        ("y", Feature::variable(DataType::Int64)),
        ("z", Feature::variable(DataType::String)),
    ])
    .expect("the features are good")
}

fn record(contents: &[u8]) -> Vec<u8> {
    let mut writer = RecordWriter::new(Vec::new(), Default::default());
    writer.write(contents).expect("there is room");
    writer.finish().expect("there is room")
}

/// A snapshot of one block of elements.
fn snapshot(block: &[u8]) -> downpour_tensor::Result<Dataset> {
    let (place, elements) = (FOLDER.path().join("snapshot"), record(block));
    std::fs::create_dir_all(&place).expect("the folder is ours");
    let list = format!("downpour-snapshot 1\n3 {}\n\nrange(3)", elements.len());
    std::fs::write(place.join("snapshot"), record(list.as_bytes())).expect("the folder is ours");
    std::fs::write(place.join("elements-00000"), elements).expect("the folder is ours");
    Ok(Dataset::range(3).snapshot(place))
}

fn records() -> CsvRecords {
    CsvRecords {
        header: true,
        delimiter: b',',
        quotes: true,
        missing: b"NA".to_vec(),
        chosen: ChosenColumns::Without(vec![1]),
        columns: vec![CsvColumn::Text(None), CsvColumn::Float(Some(0.5))],
        compression: Compression::Auto,
    }
}

fn lengths() -> FixedLength {
    FixedLength { header: 3, record: 5, footer: 2, compression: Compression::Auto }
}

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let Some((&kind, contents)) = data.split_first() else { return };
    let path = FOLDER.path().join("file");
    std::fs::write(&path, contents).expect("the folder is ours");
    let path = path.to_str().expect("temporary folders have plain names");
    let files = vec![FileRef::named(path).expect("it is a path")];
    let dataset = match kind % 10 {
        0 => Dataset::idx(path, "x"),
        1 => Dataset::csv(path, Csv::new()),
        2 => Dataset::csv(path, Csv::new().without_header().column_or("0", DataType::Float, "0")),
        3 => Dataset::text_lines(path),
        4 => Dataset::examples(path, Compression::Auto, parser()),
        6 => Ok(Dataset::csv_records(files, records())),
        7 => Ok(Dataset::fixed_length_records(files, lengths())),
        8 => snapshot(contents),
        9 => {
            // The list of a snapshot's files.
            let place = FOLDER.path().join("listed");
            std::fs::create_dir_all(&place).expect("the folder is ours");
            std::fs::write(place.join("snapshot"), record(contents)).expect("the folder is ours");
            let _ = Dataset::range(3).snapshot(place).iterate();
            return;
        }
        _ => {
            let _ = Position::from_bytes(contents);
            let message = Tensor::from_string(contents).unwrap();
            let _ = parser().call(Element::new(vec![message]));
            return;
        }
    };
    let dataset = dataset.expect("the file is there");
    let good = |item: Result<Element, downpour_tensor::Status>| item.is_ok();
    let iterator = dataset.iterate().expect("files are opened when they are read");
    let all: Vec<bool> = iterator.take(1000).map(good).collect();
    let mut half = dataset.iterate().expect("files are opened when they are read");
    half.by_ref().take(all.len() / 2).for_each(drop);
    let resumed = dataset.iterate_from(&half.position()).expect("a position of ours is good");
    let rest: Vec<bool> = resumed.take(all.len() - all.len() / 2).map(good).collect();
    assert_eq!(rest, all[all.len() / 2..]);
}
