use std::io::Write;

use downpour_tensor::Code;

use super::*;

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn read(bytes: &[u8]) -> Vec<Result<Vec<u8>>> {
    let file = file(bytes);
    let data = Dataset::idx(file.path().to_str().unwrap(), "x").unwrap();
    data.iterate().unwrap().map(|e| e.map(|e| e[0].bytes().unwrap().to_vec())).collect()
}

const THREE_PAIRS: &[u8] = &[0, 0, 8, 2, 0, 0, 0, 3, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6];

#[test]
fn values_and_types() {
    let rows: Vec<_> = read(THREE_PAIRS).into_iter().map(|r| r.unwrap()).collect();
    assert_eq!(rows, [[1, 2], [3, 4], [5, 6]]);
    let shorts = file(&[0, 0, 0x0b, 1, 0, 0, 0, 2, 1, 2, 0xff, 0xfe]);
    let data = Dataset::idx(shorts.path().to_str().unwrap(), "x").unwrap();
    let values: Vec<i16> =
        data.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    assert_eq!(values, [258, -2]);
}

#[test]
fn compressed_files_resume_too() {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(THREE_PAIRS).unwrap();
    for bytes in [gz.finish().unwrap(), THREE_PAIRS.to_vec()] {
        let file = file(&bytes);
        let data = Dataset::idx(file.path().to_str().unwrap(), "x").unwrap();
        let mut iterator = data.iterate().unwrap();
        iterator.next().unwrap().unwrap();
        let mut resumed = data.iterate_from(&iterator.position()).unwrap();
        assert_eq!(resumed.next().unwrap().unwrap()[0].bytes().unwrap(), [3, 4]);
    }
}

#[test]
fn damage_is_named() {
    let expect = |bytes: &[u8], text: &str| {
        let items = read(bytes);
        let error = items.last().unwrap().as_ref().unwrap_err();
        assert_eq!(error.code(), Code::DataLoss);
        assert!(error.message().ends_with(text), "{error}");
        assert!(error.message().contains("/"), "the file is named: {error}");
    };
    expect(
        &THREE_PAIRS[..17],
        "the IDX file ends within elements 0..3 of the 3 its header promises; it is truncated",
    );
    expect(&THREE_PAIRS[..9], "the IDX file ends within its sizes; it is truncated");
    expect(&[0], "the IDX file ends within its first four bytes; it is truncated");
    expect(
        b"PK\x03\x04",
        "not an IDX file: it begins with [50, 4b, 03, 04], not with two zeros and a known type (08, 09, 0b..0e)",
    );
    expect(&[0, 0, 8, 0], "an IDX file without axes has no elements to count");
}

#[test]
fn forged_sizes_ask_for_no_memory() {
    let mut bytes = vec![0, 0, 0x0e, 4];
    bytes.extend_from_slice(&[0xff; 16]);
    let items = read(&bytes);
    assert!(items[0].is_err());
    assert_eq!(items.len(), 1);
}
