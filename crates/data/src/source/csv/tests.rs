use downpour_tensor::Code;
use proptest::prelude::*;

use super::*;
use crate::IgnoredErrors;

fn data(text: &[u8], csv: Csv) -> (tempfile::NamedTempFile, Result<Dataset>) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let data = Dataset::csv(file.path().to_str().unwrap(), csv);
    (file, data)
}

fn first_error(text: &[u8], csv: Csv) -> Status {
    let (_file, data) = data(text, csv);
    data.and_then(|d| d.iterate()?.collect::<Result<Vec<_>>>()).unwrap_err()
}

#[test]
fn errors_name_file_line_and_column() {
    let csv = || Csv::new().column("b", DataType::Int32);
    let error = first_error(b"a,b\nx,1\n\n\"two\nlines\",2\ny,3.5\n", csv());
    assert_eq!(error.code(), Code::InvalidArgument);
    let expected = ": line 6: column \"b\": \"3.5\" is not a valid int32";
    assert!(error.message().ends_with(expected), "{error}");
    assert!(error.message().starts_with('/'), "{error}");
    let ends = |text: &[u8], csv: Csv, expected: &str| {
        let error = first_error(text, csv);
        assert!(error.message().ends_with(expected), "{error}");
    };
    ends(
        b"a,b\nx,\n",
        csv(),
        "line 2: column \"b\": \"\" is not a valid int32; give the column a default",
    );
    ends(b"a,b\nx,1,2\n", csv(), "line 2: 3 fields, but 2 were expected");
    ends(b"a,c\nx,1\n", csv(), "there is no column \"b\"; the file has a, c");
    ends(b"a\n", Csv::new().column("a", DataType::Half), "bool or string, and cast");
    ends(
        b"a\n",
        Csv::new().column_or("a", DataType::Int64, "x"),
        "the default of: column \"a\": \"x\" is not a valid int64",
    );
}

#[test]
fn bad_records_can_be_left_out() {
    let (_file, data) = data(b"a\n1\nx\n3\ny\n5\n", Csv::new().column("a", DataType::Int64));
    let ignored = IgnoredErrors::any();
    let data = data.unwrap().ignore_errors(&ignored);
    let values: Vec<i64> =
        data.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    assert_eq!(values, [1, 3, 5]);
    assert_eq!(ignored.count(), 2);
    let strict = data.ignore_errors(&IgnoredErrors::any());
    assert_eq!(strict.iterate().unwrap().count(), 3);
}

#[test]
fn files_without_a_header() {
    let csv = Csv::new().without_header().delimiter(b';').column("1", DataType::Double);
    let (_file, data) = data(b"a;0.5\nb;1e3\n", csv);
    let values: Vec<f64> =
        data.unwrap().iterate().unwrap().map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    assert_eq!(values, [0.5, 1000.0]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_resume_exactly(
        rows in prop::collection::vec(("[a-z\"\n, ]{0,6}", "-?[0-9]{1,3}|x|"), 0..40),
        stop in 0..45usize,
        header in any::<bool>(),
    ) {
        let mut text = String::new();
        if header {
            text.push_str("name,0\n");
        }
        for (name, number) in &rows {
            text.push_str(&format!("\"{}\",{number}\n", name.replace('"', "\"\"")));
        }
        let csv = match header {
            true => Csv::new().column("name", DataType::String).column("0", DataType::Int64),
            false => Csv::new().without_header().column("0", DataType::String).column("1", DataType::Int64),
        };
        let (_file, data) = data(text.as_bytes(), csv);
        let data = data.unwrap();
        let show = |item: Result<crate::Element>| item.map(|e| format!("{e:?}")).map_err(|e| e.to_string());
        let all: Vec<_> = data.iterate().unwrap().map(show).collect();
        prop_assert_eq!(all.len(), rows.len());
        for (item, (_, number)) in all.iter().zip(&rows) {
            prop_assert_eq!(item.is_ok(), number.parse::<i64>().is_ok());
        }
        let mut iterator = data.iterate().unwrap();
        iterator.by_ref().take(stop).for_each(drop);
        let rest: Vec<_> = data.iterate_from(&iterator.position()).unwrap().map(show).collect();
        prop_assert_eq!(&rest[..], &all[stop.min(all.len())..]);
    }

    #[test]
    fn any_bytes_are_records_or_errors(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let (_file, data) = data(&bytes, Csv::new());
        prop_assert!(data.unwrap().iterate().unwrap().count() <= 301);
    }
}
