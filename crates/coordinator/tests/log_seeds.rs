//! The fuzzer's seeds are logs this version reads: they would be of no use otherwise.

use std::time::Duration;

use downpour_coordinator::{Config, Coordinator, MemoryStorage, Storage, Stored};

fn reads(stored: &Stored) {
    let mut storage = MemoryStorage::new();
    let (term, _) = storage.claim().unwrap();
    if let Some(snapshot) = &stored.snapshot {
        storage.replace(term, snapshot).unwrap();
    }
    for record in &stored.records {
        storage.append(term, record).unwrap();
    }
    let coordinator =
        Coordinator::open(Box::new(storage), Config::default(), Duration::ZERO).unwrap();
    assert_eq!(coordinator.generation(), 3);
}

#[test]
fn files() {
    for seed in [
        &include_bytes!("../../../fuzz/seeds/coordinator_log/file_records")[..],
        include_bytes!("../../../fuzz/seeds/coordinator_log/file_snapshot"),
    ] {
        let (stored, whole) = Stored::from_file_bytes(&seed[1..]).unwrap();
        assert_eq!(whole as usize, seed.len() - 1);
        reads(&stored);
    }
}

#[test]
fn records() {
    let records = include_bytes!("../../../fuzz/seeds/coordinator_log/records");
    let snapshot = include_bytes!("../../../fuzz/seeds/coordinator_log/snapshot");
    let lines = |seed: &[u8]| {
        seed[1..].split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    reads(&Stored { snapshot: None, records: lines(records) });
    let mut records = lines(snapshot);
    reads(&Stored { snapshot: Some(records.remove(0)), records });
}
