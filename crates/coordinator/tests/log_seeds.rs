//! The fuzzer's seeds are logs this version reads: they would be of no use otherwise.

use std::time::Duration;

use downpour_coordinator::{Config, Coordinator, MemoryStorage, Storage, Stored};
use downpour_tensor::{Code, Result};

fn open(stored: &Stored) -> Result<Coordinator> {
    let mut storage = MemoryStorage::new();
    let (term, _) = storage.claim().unwrap();
    if let Some(snapshot) = &stored.snapshot {
        storage.replace(term, snapshot).unwrap();
    }
    for record in &stored.records {
        storage.append(term, record).unwrap();
    }
    Coordinator::open(Box::new(storage), Config::default(), Duration::ZERO)
}

fn reads(stored: &Stored) {
    assert_eq!(open(stored).unwrap().generation(), 3);
}

fn lines(seed: &[u8]) -> Vec<Vec<u8>> {
    seed[1..].split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
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
    reads(&Stored { snapshot: None, records: lines(records) });
    let mut records = lines(snapshot);
    reads(&Stored { snapshot: Some(records.remove(0)), records });
}

/// Found by the fuzzer: the member was looked for under the number that it says it has.
#[test]
fn a_member_stored_under_another_number_is_refused() {
    let seed = include_bytes!("../../../fuzz/seeds/coordinator_log/member_with_another_number");
    let mut records = lines(seed);
    let refused = open(&Stored { snapshot: Some(records.remove(0)), records }).err().unwrap();
    assert_eq!(refused.code(), Code::DataLoss, "{refused}");
    assert!(refused.message().contains("member 1 says that it is member 11"), "{refused}");
}
