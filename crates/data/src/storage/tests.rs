use super::*;
use crate::{Csv, Dataset};

#[test]
fn one_scheme_for_all_stores() {
    for (name, text) in [("b.csv", "x\n3\n"), ("a.csv", "x\n1\n2\n"), ("deeper/c.csv", "x\n9\n")] {
        write(&format!("memory://bucket/day/{name}"), text).unwrap();
    }
    let csv = Csv::new().column("x", downpour_tensor::DataType::Int64);
    let data = Dataset::csv("memory://bucket/day/*.csv", csv.clone()).unwrap();
    let values: Vec<i64> =
        data.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    assert_eq!(values, [1, 2, 3]);
    let mut iterator = data.iterate().unwrap();
    iterator.by_ref().take(2).for_each(drop);
    let rest = data.iterate_from(&iterator.position()).unwrap();
    assert_eq!(rest.count(), 1);

    let missing = Dataset::csv("memory://bucket/nothing.csv", csv.clone()).unwrap();
    let error = missing.iterate().unwrap().next().unwrap_err();
    assert_eq!(error.code(), Code::NotFound);
    assert!(error.message().starts_with("memory://bucket/nothing.csv: cannot read"), "{error}");

    let error = Dataset::csv("memory://bucket/none*.csv", csv.clone()).unwrap_err();
    assert_eq!(error.message(), "no file matches memory://bucket/none*.csv");
    let error = Dataset::csv("ftp://x/y", csv).unwrap_err();
    assert!(error.message().contains("the scheme \"ftp\" is not known"), "{error}");
}

#[cfg(not(feature = "s3"))]
#[test]
fn stores_that_were_left_out_say_how_to_have_them() {
    let error = resolve("s3://bucket/x").err().unwrap();
    assert_eq!(error.code(), Code::Unimplemented);
    assert_eq!(
        error.message(),
        "s3://bucket needs a build with the feature \"s3\": cargo build --release --features s3"
    );
}

#[test]
fn local_files_by_url() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.txt");
    write(&format!("file://{}", path.display()), "hello").unwrap();
    let files = resolve(&format!("file://{}", folder.path().join("*").display())).unwrap();
    assert_eq!(&files[0].read(1, 3).unwrap()[..], b"ell");
    assert!(files[0].read(1, 9).unwrap_err().message().contains("ends 4 bytes behind"));
}
