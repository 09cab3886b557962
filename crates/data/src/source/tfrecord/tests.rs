use std::io::Write;

use downpour_formats::tfrecord::RecordWriter;
use downpour_tensor::Code;

use super::*;
use crate::IgnoredErrors;
use crate::example::Feature;

fn records(records: &[&[u8]]) -> Vec<u8> {
    let mut writer = RecordWriter::new(Vec::new(), Default::default());
    records.iter().for_each(|r| writer.write(r).unwrap());
    writer.finish().unwrap()
}

fn on_disk(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn open(file: &tempfile::NamedTempFile) -> Dataset {
    Dataset::tfrecord(file.path().to_str().unwrap(), Compression::Auto).unwrap()
}

fn strings(data: &Dataset) -> Vec<ByteString> {
    data.iterate().unwrap().map(|e| e.unwrap()[0].strings().unwrap()[0].clone()).collect()
}

#[test]
fn plain_gzip_and_zlib_resume() {
    let plain = records(&[b"one", b"", b"three"]);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&plain).unwrap();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    zlib.write_all(&plain).unwrap();
    for bytes in [plain, gzip.finish().unwrap(), zlib.finish().unwrap()] {
        let file = on_disk(&bytes);
        let data = open(&file);
        assert_eq!(strings(&data), ["one", "", "three"]);
        for stop in 0..=3 {
            let mut iterator = data.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let resumed = data.iterate_from(&iterator.position()).unwrap();
            assert_eq!(resumed.count(), 3 - stop);
        }
    }
}

#[test]
fn a_damaged_record_is_named_and_can_be_left_out() {
    let mut bytes = records(&[b"one", b"two", b"three"]);
    // A byte of "two".
    bytes[19 + 12] ^= 1;
    let file = on_disk(&bytes);
    let data = open(&file);
    let error = data.iterate().unwrap().find_map(|e| e.err()).unwrap();
    assert_eq!(error.code(), Code::DataLoss);
    assert!(error.message().starts_with(file.path().to_str().unwrap()), "{error}");
    assert!(
        error.message().ends_with(
            "record 1: corrupted record at byte 19: the checksum of its 3 bytes does not match"
        ),
        "{error}"
    );
    let ignored = IgnoredErrors::any();
    assert_eq!(strings(&data.ignore_errors(&ignored)), ["one", "three"]);
    assert_eq!(ignored.count(), 1);
    // A damaged length ends the file.
    bytes[19] ^= 1;
    let file = on_disk(&bytes);
    assert_eq!(strings(&open(&file).ignore_errors(&ignored)), ["one"]);
}

#[test]
fn a_bad_example_is_named_by_its_record() {
    // Example { features { feature { key: "x" value { int64_list { value: 5 } } } } }
    let good: &[u8] = &[10, 12, 10, 10, 10, 1, b'x', 18, 5, 26, 3, 10, 1, 5];
    let file = on_disk(&records(&[good, b"\x0a\xff", good]));
    let parser = ExampleParser::new([("x", Feature::fixed(DataType::Int64, &[]))]).unwrap();
    let path = file.path().to_str().unwrap();
    let data = Dataset::examples(path, Compression::Auto, parser).unwrap();
    let items: Vec<_> = data.iterate().unwrap().collect();
    assert_eq!(items.len(), 3);
    let error = items[1].as_ref().unwrap_err();
    assert!(error.message().contains("record 1: Could not parse example input"), "{error}");
    assert_eq!(items[2].as_ref().unwrap()[0].to_scalar::<i64>().unwrap(), 5);
    for stop in 0..=3 {
        let mut iterator = data.iterate().unwrap();
        iterator.by_ref().take(stop).for_each(drop);
        let resumed: Vec<_> = data.iterate_from(&iterator.position()).unwrap().collect();
        assert_eq!(resumed.len(), 3 - stop);
        let bad = resumed.iter().position(|r| r.is_err());
        assert_eq!(bad, 1usize.checked_sub(stop));
    }
}
