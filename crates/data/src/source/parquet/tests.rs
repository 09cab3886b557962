use std::sync::Arc;

use downpour_tensor::{Code, DataType};
use parquet::data_type::{ByteArray, ByteArrayType, FloatType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::*;

const SCHEMA: &str =
    "message m { required int64 id; optional float x; required binary name (STRING);
    optional group tags (LIST) { repeated group list { optional int64 element; } } }";

/// Rows `0..rows` in row groups of `per_group`: every third `x` is missing, row i has i % 3 tags.
fn write(path: &std::path::Path, rows: i64, per_group: usize, missing: bool) {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_data_page_row_count_limit(3).build());
    let file = std::fs::File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, properties).unwrap();
    let all: Vec<i64> = (0..rows).collect();
    for ids in all.chunks(per_group) {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(ids, None, None).unwrap();
        column.close().unwrap();
        let here = |id: &i64| !missing || id % 3 != 0;
        let x: Vec<f32> = ids.iter().filter(|id| here(id)).map(|&id| id as f32 / 2.).collect();
        let defined: Vec<i16> = ids.iter().map(|id| i16::from(here(id))).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<FloatType>().write_batch(&x, Some(&defined), None).unwrap();
        column.close().unwrap();
        let names: Vec<ByteArray> =
            ids.iter().map(|id| format!("n{}", id % 5).as_str().into()).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&names, None, None).unwrap();
        column.close().unwrap();
        let (mut tags, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
        for id in ids {
            match id % 3 {
                0 => (defined.push(1), repeated.push(0)).0,
                count => (0..count).for_each(|k| {
                    tags.push(id * 10 + k);
                    defined.push(3);
                    repeated.push(i16::from(k > 0));
                }),
            }
        }
        let mut column = group.next_column().unwrap().unwrap();
        let typed = column.typed::<Int64Type>();
        typed.write_batch(&tags, Some(&defined), Some(&repeated)).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
}

fn ids(data: &Dataset) -> Vec<i64> {
    data.iterate().unwrap().map(|e| e.unwrap().get("id").unwrap().to_scalar().unwrap()).collect()
}

#[test]
fn values_nulls_lists_and_projection() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    write(&path, 10, 4, true);
    let path = path.to_str().unwrap();
    let all = Dataset::parquet(path, Parquet::new().nulls(Nulls::Fill)).unwrap();
    let rows: Vec<_> = all.iterate().unwrap().map(|e| e.unwrap()).collect();
    assert_eq!(rows.len(), 10);
    assert_eq!(rows[5].names().iter().collect::<Vec<_>>(), ["id", "x", "name", "tags"]);
    assert_eq!(rows[5].get("x").unwrap().to_scalar::<f32>().unwrap(), 2.5);
    assert!(rows[6].get("x").unwrap().to_scalar::<f32>().unwrap().is_nan());
    assert_eq!(rows[7].get("name").unwrap().strings().unwrap(), ["n2"]);
    assert_eq!(rows[5].get("tags").unwrap().as_slice::<i64>().unwrap(), [50, 51]);
    assert_eq!(rows[6].get("tags").unwrap().dims(), [0]);
    let two = Parquet::new().columns(["name", "id"]);
    let data = Dataset::parquet(path, two).unwrap();
    let first = data.iterate().unwrap().next().unwrap().unwrap();
    assert_eq!(first.names().iter().collect::<Vec<_>>(), ["name", "id"]);
    assert_eq!(first[1].dtype(), DataType::Int64);
    assert_eq!(ids(&data), (0..10).collect::<Vec<_>>());
}

#[test]
fn resumes_within_row_groups_and_shards_by_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    write(&path, 50, 7, false);
    let path = path.to_str().unwrap();
    let read = || Parquet::new().columns(["id", "tags"]);
    let data = Dataset::parquet(path, read()).unwrap();
    for stop in [0, 1, 6, 7, 8, 20, 49, 50] {
        let mut iterator = data.iterate().unwrap();
        iterator.by_ref().take(stop).for_each(drop);
        let resumed = data.iterate_from(&iterator.position()).unwrap();
        let rest: Vec<i64> = resumed.map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
        assert_eq!(rest, (stop as i64..50).collect::<Vec<_>>());
    }
    let part = |i| ids(&Dataset::parquet(path, read().shard(3, i)).unwrap());
    let mut parts = [part(0), part(1), part(2)].concat();
    parts.sort_unstable();
    assert_eq!(parts, (0..50).collect::<Vec<_>>());
    assert!(Dataset::parquet(path, read().shard(3, 3)).is_err());
}

#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    write(&path, 10, 4, true);
    let name = path.to_str().unwrap().to_owned();
    let first = |parquet: Parquet| -> Status {
        Dataset::parquet(&name, parquet).unwrap().iterate().unwrap().find_map(|e| e.err()).unwrap()
    };
    let error = first(Parquet::new().columns(["y"]));
    assert!(
        error.message().ends_with("there is no column \"y\"; the file has id, x, name, tags"),
        "{error}"
    );
    let error = first(Parquet::new().columns(["x"]));
    assert!(error.message().contains("row group 0: rows 0..4: column \"x\": value 0"), "{error}");
    assert!(error.message().contains("Nulls::Fill"), "{error}");

    let good = std::fs::read(&path).unwrap();
    std::fs::write(&path, b"not a parquet file at all, but long enough").unwrap();
    let error = first(Parquet::new());
    assert_eq!(error.code(), Code::DataLoss);
    assert!(error.message().contains("the Parquet file is damaged"), "{error}");
    std::fs::write(&path, &good[..good.len() / 2]).unwrap();
    assert_eq!(first(Parquet::new()).code(), Code::DataLoss);
    // Any damaged byte: rows or errors, never a panic or an endless sequence.
    for place in (0..good.len()).step_by(11) {
        let mut bad = good.clone();
        bad[place] ^= 0x55;
        std::fs::write(&path, &bad).unwrap();
        let data = Dataset::parquet(&name, Parquet::new().nulls(Nulls::Fill)).unwrap();
        assert!(data.iterate().unwrap().take(1000).count() < 1000, "byte {place}");
    }
}
