//! Times passes over a file: `read_rate KIND FILE BATCH SECONDS` prints one line of JSON.
//!
//! `benches/data_against_tensorflow.py` makes the files, runs this and compares with `tf.data`.

use std::time::Instant;

use downpour_data::{
    Compression, Dataset, ExampleParser, Feature, Nulls, Parallel, Parquet, Remainder,
};
use downpour_tensor::{DataType, Result, Status};

/// The features of the benchmark's Examples: those of advertising data, or an image.
fn parser(images: bool) -> Result<ExampleParser> {
    if images {
        return ExampleParser::new([
            ("image", Feature::fixed(DataType::String, &[])),
            ("label", Feature::fixed(DataType::Int64, &[])),
        ]);
    }
    ExampleParser::new([
        ("dense", Feature::fixed(DataType::Float, &[13])),
        ("sparse", Feature::fixed(DataType::Int64, &[26])),
        ("label", Feature::fixed(DataType::Int64, &[])),
    ])
}

fn dataset(kind: &str, file: &str, batch: usize) -> Result<Dataset> {
    let records = || Dataset::tfrecord(file, Compression::None);
    match kind {
        "records" => records()?.batch(batch, Remainder::Keep),
        "examples" | "images" => Ok(records()?
            .map_parallel(Parallel::new(2), parser(kind == "images")?)
            .batch(batch, Remainder::Keep)?
            .prefetch(2)),
        "shuffled" => Ok(records()?
            .map_parallel(Parallel::new(2), parser(false)?)
            .shuffle(10_000, 1)?
            .batch(batch, Remainder::Keep)?
            .prefetch(2)),
        "parquet" => Ok(Dataset::parquet(file, Parquet::new().nulls(Nulls::Fill))?
            .batch(batch, Remainder::Keep)?
            .prefetch(2)),
        other => Err(Status::invalid_argument(format!("there is no kind {other:?}"))),
    }
}

fn pass(data: &Dataset) -> Result<usize> {
    let mut rows = 0;
    for batch in data.iterate()? {
        rows += batch?[0].dims()[0];
    }
    Ok(rows)
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = || Status::invalid_argument("usage: read_rate KIND FILE BATCH SECONDS");
    let [kind, file, batch, seconds] = arguments.as_slice() else { return Err(usage()) };
    let data = dataset(kind, file, batch.parse().map_err(|_| usage())?)?;
    let seconds: f64 = seconds.parse().map_err(|_| usage())?;
    pass(&data)?;
    let (start, mut rates) = (Instant::now(), Vec::new());
    while start.elapsed().as_secs_f64() < seconds || rates.len() < 3 {
        let begun = Instant::now();
        let rows = pass(&data)?;
        rates.push(rows as f64 / begun.elapsed().as_secs_f64());
    }
    rates.sort_by(f64::total_cmp);
    println!("{{\"rate\": {}}}", rates[rates.len() / 2]);
    Ok(())
}
