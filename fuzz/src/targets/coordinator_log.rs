//! Any bytes as a coordinator's log file, and as the records and the snapshot of a well-made one: a coordinator that
//! answers, or an error.

use std::time::Duration;

use downpour_coordinator::message::{
    Answer, Complete, Heartbeat, LeaseRequest, Request, RequestKind, SurveyRequest,
};
use downpour_coordinator::{Config, Coordinator, MemoryStorage, Storage, Stored};

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let (form, bytes) = data.split_first().unwrap_or((&0, &[]));
    let stored = match form % 3 {
        0 => match Stored::from_file_bytes(bytes) {
            Ok((stored, whole)) => {
                let whole = &bytes[..whole as usize];
                let again = Stored::from_file_bytes(whole).expect("what was whole is whole");
                assert_eq!(again, (stored.clone(), whole.len() as u64));
                stored
            }
            Err(_) => return,
        },
        form => {
            let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec);
            let snapshot = if form == 2 { lines.next() } else { None };
            Stored { snapshot, records: lines.collect() }
        }
    };
    let mut storage = MemoryStorage::new();
    let (term, _) = storage.claim().expect("memory is there");
    if let Some(snapshot) = &stored.snapshot {
        storage.replace(term, snapshot).expect("memory takes everything");
    }
    for record in &stored.records {
        storage.append(term, record).expect("memory takes everything");
    }
    let now = Duration::from_secs(1);
    let Ok(mut coordinator) = Coordinator::open(Box::new(storage), Config::default(), now) else { return };
    let survey = coordinator.handle(now, &Request::new(1, RequestKind::Survey(SurveyRequest {})));
    let Ok(Answer::Survey(survey)) = survey.result() else { return };
    let mut id = u64::MAX / 2;
    for member in survey.members.iter().take(4) {
        for dataset in survey.datasets.iter().take(4).map(|dataset| dataset.dataset) {
            for kind in [
                RequestKind::Heartbeat(Heartbeat::default()),
                RequestKind::Lease(LeaseRequest { dataset, backup: true }),
                RequestKind::Complete(Complete { dataset, unit: 0, attempt: 0 }),
            ] {
                id += 1;
                coordinator.handle(now, &Request::of_member(id, member.member, member.epoch, kind));
            }
        }
    }
    for seconds in [5, 10, 15, 20, 60] {
        let _ = coordinator.tick(Duration::from_secs(seconds));
    }
}
