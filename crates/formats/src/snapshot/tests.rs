use downpour_tensor::{DataType, Tensor};
use downpour_wire::proto::data::experimental::SnapshotMetadataRecord;

use super::*;

const TYPES: [DataType; 3] = [DataType::Int64, DataType::String, DataType::Float];

fn element(number: i64) -> Vec<Tensor> {
    let words = vec![format!("word {number}").into_bytes(), Vec::new()];
    let words = words.into_iter().map(|w| downpour_tensor::ByteString::from_vec(w).unwrap());
    vec![
        Tensor::scalar(number),
        Tensor::from_strings([2], words.collect()).unwrap(),
        Tensor::vector(&vec![0.5f32; number as usize]).unwrap(),
    ]
}

fn formats() -> impl Iterator<Item = SnapshotFormat> {
    let names = [&b""[..], b"GZIP", b"ZLIB", b"SNAPPY"];
    let all = (1..3).flat_map(move |version| names.map(|name| SnapshotFormat::new(version, name)));
    all.flatten()
}

#[test]
fn elements_come_back_in_every_format() {
    assert_eq!(formats().count(), 7);
    for format in formats() {
        let folder = tempfile::tempdir().unwrap();
        let path = elements_file(&shard_folder(folder.path(), 3), 0);
        let mut writer = SnapshotWriter::create(&path, format).unwrap();
        (0..50).for_each(|i| writer.write(&element(i)).unwrap());
        assert!(!path.exists());
        writer.commit().unwrap();
        let mut reader = SnapshotReader::open(&path, format, &TYPES).unwrap();
        for i in 0..50 {
            let read = reader.next().unwrap().unwrap();
            let expected = element(i);
            assert_eq!(read[0].to_scalar::<i64>().unwrap(), i, "{format:?}");
            assert_eq!(read[1].strings().unwrap(), expected[1].strings().unwrap());
            assert_eq!(read[2].as_slice::<f32>().unwrap(), expected[2].as_slice::<f32>().unwrap());
        }
        assert!(reader.next().unwrap().is_none());
        let whole = std::fs::read(&path).unwrap();
        for end in [1, 7, 8, whole.len() / 2, whole.len() - 1] {
            let cut = std::io::Cursor::new(whole[..end].to_vec());
            let mut reader = SnapshotReader::new(cut, format, &TYPES);
            while let Ok(Some(_)) = reader.next() {}
        }
        let mut other = SnapshotReader::open(&path, format, &[DataType::Bool]).unwrap();
        assert!(other.next().is_err(), "{format:?}");
    }
}

#[test]
fn what_is_not_committed_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for format in formats() {
        let mut writer = SnapshotWriter::create(&elements_file(folder.path(), 0), format).unwrap();
        writer.write(&element(3)).unwrap();
        drop(writer);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn folders_and_files_have_tensorflows_names() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("17");
    assert_eq!(shard_folder(Path::new("r"), 5), Path::new("r/00000005.shard"));
    assert_eq!(elements_file(Path::new("s"), 12), Path::new("s/00000012.snapshot"));
    assert!(shard_folders(&run).unwrap().is_empty());
    for shard in [2, 0, -1] {
        std::fs::create_dir_all(shard_folder(&run, shard)).unwrap();
    }
    let expected = [0, 2, -1].map(|shard| shard_folder(&run, shard));
    assert_eq!(shard_folders(&run).unwrap(), expected);
}

#[test]
fn metadata_is_read_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    assert!(read_metadata(folder.path()).unwrap().is_none());
    let metadata = SnapshotMetadataRecord {
        run_id: "17".into(),
        version: 2,
        dtype: vec![1, 9],
        finalized: true,
        ..Default::default()
    };
    write_metadata(folder.path(), &metadata).unwrap();
    assert_eq!(read_metadata(folder.path()).unwrap(), Some(metadata));
    let outside = SnapshotMetadataRecord { run_id: "../17".into(), ..Default::default() };
    write_metadata(folder.path(), &outside).unwrap();
    assert!(read_metadata(folder.path()).unwrap_err().message().contains("../17"));
    std::fs::write(folder.path().join("snapshot.metadata"), b"\xff\xff").unwrap();
    assert!(read_metadata(folder.path()).is_err());
}

#[test]
fn unknown_formats_are_refused() {
    assert!(SnapshotFormat::new(3, b"").is_err());
    assert!(SnapshotFormat::new(1, b"ZLIB").is_err());
    assert!(SnapshotFormat::new(2, b"LZ4").is_err());
}
