use std::io::Write;

use super::*;

fn two_columns() -> CsvRecords {
    CsvRecords {
        header: false,
        delimiter: b',',
        quotes: true,
        missing: b"NA".to_vec(),
        chosen: ChosenColumns::All,
        columns: vec![CsvColumn::Text(Some("none".into())), CsvColumn::Int32(None)],
        compression: Compression::None,
    }
}

fn dataset(contents: &[u8], records: CsvRecords) -> (tempfile::NamedTempFile, Dataset) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(contents).unwrap();
    let files = vec![FileRef::named(file.path().to_str().unwrap()).unwrap()];
    (file, Dataset::csv_records(files, records))
}

/// A record of two columns as text, or the error in its place.
fn shown(item: Result<crate::Element>) -> String {
    match item {
        Ok(element) => {
            let text = String::from_utf8_lossy(&element[0].strings().unwrap()[0]).into_owned();
            format!("{text}={}", element[1].to_scalar::<i32>().unwrap())
        }
        Err(error) => error.message().rsplit(": ").next().unwrap().to_owned(),
    }
}

fn read(contents: &str, records: CsvRecords) -> Vec<String> {
    let (_file, dataset) = dataset(contents.as_bytes(), records);
    dataset.iterate().unwrap().map(shown).collect()
}

#[test]
fn lines_quotes_and_defaults() {
    let text = "a,1\r\nb,2\rc,3\n\"d,\n\"\"e\"\"\",\" 4 \"\n,5\nNA,6\n\"\",7";
    let expected = ["a=1", "b=2", "c=3", "d,\n\"e\"=4", "none=5", "none=6", "none=7"];
    assert_eq!(read(text, two_columns()), expected);
    assert_eq!(read("", two_columns()), [""; 0]);
    assert_eq!(read("a,1\n\n", two_columns())[1..], ["Expect 2 fields but have 1 in record"]);
    let plain = CsvRecords { quotes: false, delimiter: b' ', ..two_columns() };
    assert_eq!(read("\"a\" 1\n", plain), ["\"a\"=1"]);
}

#[test]
fn a_bad_record_is_one_error() {
    for (record, message) in [
        ("a", "Expect 2 fields but have 1 in record"),
        ("a,1,2", "Expect 2 fields but have more in record"),
        ("a,", "Field 1 is required but missing in record!"),
        ("a,x", "Field 1 in record is not a valid int32"),
        ("a\"b,1", "Unquoted fields cannot have quotes inside"),
        ("\"a\"b\",1", "Quote inside a string has to be escaped by another quote"),
        ("a,2147483648", "Field 1 in record is not a valid int32"),
    ] {
        let found = read(&format!("before,1\n{record}\nbehind,2"), two_columns());
        assert_eq!((&found[0][..], &found[2][..]), ("before=1", "behind=2"), "{record}");
        let (_file, dataset) = dataset(record.as_bytes(), two_columns());
        let error = dataset.iterate().unwrap().next().unwrap_err();
        assert!(error.message().contains(message), "{record}: {error}");
    }
    let open = read("a,1\n\"b,2\nc,3\n", two_columns());
    assert_eq!(open, ["a=1", "Reached end of file without closing quoted field in record"]);
}

#[test]
fn columns_and_headers_are_passed_over() {
    let these =
        CsvRecords { header: true, chosen: ChosenColumns::These(vec![1, 3]), ..two_columns() };
    assert_eq!(read("\"a\nb\",c,d,e\nx,y,z,1\n", these.clone()), ["y=1"]);
    let found = read("a\nx,y,z\n", these.clone());
    assert_eq!(found, ["Expect 2 fields but have 1 in record"]);
    assert_eq!(read("", these.clone()), ["Can't read header of file"]);
    assert_eq!(read("a\"b\n,y,z,1\n", these), ["Can't read header of file", "y=1"]);
    let without = CsvRecords { chosen: ChosenColumns::Without(vec![0, 2]), ..two_columns() };
    assert_eq!(read("x,y,z,1\n", without), ["y=1"]);
}

#[test]
fn records_longer_than_the_buffer() {
    let long = "x".repeat(3 * BUFFER);
    let text = format!("a,1\n\"{long}\"\"\",2\nb,3\n");
    let found = read(&text, two_columns());
    assert_eq!((&found[0][..], &found[2][..]), ("a=1", "b=3"));
    assert_eq!(found[1], format!("{long}\"=2"));
}

#[test]
fn it_goes_on_where_it_stood() {
    let mut text = "name,number\n".to_owned();
    (0..3000).for_each(|i| text.push_str(&format!("\"n,{i}\",{i}\r\n")));
    text.insert_str(text.len() / 2, "\r\nbad,bad\r\n");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    for (bytes, compression) in [(text.as_bytes(), Compression::None), (&packed, Compression::Gzip)]
    {
        let (_file, data) =
            dataset(bytes, CsvRecords { header: true, compression, ..two_columns() });
        let all: Vec<_> = data.iterate().unwrap().map(shown).collect();
        assert!(all.len() > 3000);
        for stop in [0, 1, 7, 1024, 1025, 1499, 1500, 1501, 1502, 1503, 1504, all.len()] {
            let mut iterator = data.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let rest = data.iterate_from(&iterator.position()).unwrap();
            assert_eq!(rest.map(shown).collect::<Vec<_>>(), all[stop..], "{stop}");
        }
    }
}

#[test]
fn any_bytes_are_records_or_errors() {
    use proptest::prelude::*;
    proptest!(|(bytes in prop::collection::vec(prop::sample::select(b"a1,\"\r\n ".to_vec()), 0..60))| {
        let (_file, dataset) = dataset(&bytes, two_columns());
        let mut items = dataset.iterate().unwrap();
        prop_assert!(items.by_ref().take(100).count() <= 61);
    });
}
