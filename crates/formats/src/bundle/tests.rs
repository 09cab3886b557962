use super::*;
use crate::slice::SliceSpec;
use downpour_tensor::{Code, Shape, Tensor};

fn prefix(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_string_lossy().into_owned()
}

#[test]
fn tensors_survive_and_damage_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let p = prefix(&folder, "ckpt");
    let weights = Tensor::from_vec([2, 3], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let words = Tensor::from_strings([2], vec!["a".into(), "".into()]).unwrap();
    let mut writer = BundleWriter::create(&p).unwrap();
    writer.add("w", &weights).unwrap();
    writer.add("words", &words).unwrap();
    writer.add("step", &Tensor::scalar(7i64)).unwrap();
    assert!(writer.add("w", &weights).is_err());
    writer.finish().unwrap();

    let mut reader = BundleReader::open(&p).unwrap();
    assert_eq!(reader.names(), ["step", "w", "words"]);
    assert_eq!(reader.read("w").unwrap().as_slice::<f32>().unwrap()[5], 6.0);
    assert_eq!(reader.read("words").unwrap().strings().unwrap(), words.strings().unwrap());
    assert_eq!(reader.read("step").unwrap().to_scalar::<i64>().unwrap(), 7);
    assert_eq!(reader.read("absent").unwrap_err().code(), Code::NotFound);

    let data = data_file(&p, 0, 1);
    let mut bytes = std::fs::read(&data).unwrap();
    bytes[0] ^= 1;
    std::fs::write(&data, &bytes).unwrap();
    assert_eq!(BundleReader::open(&p).unwrap().read("w").unwrap_err().code(), Code::DataLoss);
    std::fs::write(&data, &bytes[..3]).unwrap();
    assert_eq!(BundleReader::open(&p).unwrap().read("w").unwrap_err().code(), Code::DataLoss);
}

#[test]
fn slices_are_put_together_across_merged_bundles() {
    let folder = tempfile::tempdir().unwrap();
    let full = Shape::new(&[4, 2]);
    let parts: Vec<String> = (0..2).map(|i| prefix(&folder, &format!("part{i}"))).collect();
    for (i, part) in parts.iter().enumerate() {
        let values: Vec<i32> = (0..4).map(|v| v + 4 * i as i32).collect();
        let tensor = Tensor::from_vec([2, 2], values).unwrap();
        let slice = SliceSpec(vec![Some((2 * i, 2)), None]);
        let mut writer = BundleWriter::create(part).unwrap();
        writer.add_slice("v", &full, &slice, &tensor).unwrap();
        writer.finish().unwrap();
    }
    let merged = prefix(&folder, "merged");
    merge_bundles(&parts, &merged, false).unwrap();
    let mut reader = BundleReader::open(&merged).unwrap();
    let whole = reader.read("v").unwrap();
    assert_eq!(whole.as_slice::<i32>().unwrap(), &[0, 1, 2, 3, 4, 5, 6, 7]);
    let middle = SliceSpec(vec![Some((1, 2)), Some((1, 1))]);
    let part = reader.read_slice("v", &full, &middle).unwrap();
    assert_eq!(part.as_slice::<i32>().unwrap(), &[3, 5]);
    assert!(BundleReader::open(&parts[0]).is_err(), "the parts are gone");
}

#[test]
fn forged_numbers_of_data_files_are_refused_before_anything_moves() {
    use downpour_wire::Message;
    use downpour_wire::proto::{BundleEntryProto, BundleHeaderProto};
    let folder = tempfile::tempdir().unwrap();
    let parts: Vec<String> = (0..2).map(|i| prefix(&folder, &format!("part{i}"))).collect();
    for (num_shards, shard_id) in [(i32::MAX, 0), (1, i32::MAX), (1, -1), (2, 0)] {
        for part in &parts {
            let header = BundleHeaderProto { num_shards, ..Default::default() };
            let entry = BundleEntryProto { shard_id, ..Default::default() };
            let mut table = crate::TableBuilder::new();
            table.add(b"", &header.encode_to_vec());
            table.add(part.as_bytes(), &entry.encode_to_vec());
            std::fs::write(index_file(part), table.finish()).unwrap();
            std::fs::write(data_file(part, 0, num_shards as u32), b"").unwrap();
        }
        assert!(merge_bundles(&parts, &prefix(&folder, "merged"), false).is_err());
        assert!(parts.iter().all(|part| data_file(part, 0, num_shards as u32).exists()));
    }
}
