//! What rank 0 knows of operations that are not ordered yet: a state machine without sockets or clocks.

use std::collections::BTreeMap;
use std::time::Duration;

use downpour_tensor::Status;
use tokio::time::Instant;

use super::Key;
use super::frame::Down;

/// Keys that are known at once; ranks bound what they announce, this bounds what they announce together.
const MANY: usize = 1 << 18;

struct Waiting {
    signature: String,
    /// Who has announced it.
    ranks: Vec<bool>,
    since: Instant,
    /// Set once it failed: who comes later fails too.
    refused: Option<Status>,
}

pub(super) struct Agreement {
    size: usize,
    limit: Duration,
    /// In an order that is no accident.
    waiting: BTreeMap<Key, Waiting>,
}

/// Something to tell these ranks.
#[derive(Debug, PartialEq)]
pub(super) struct Decision {
    pub ranks: Vec<usize>,
    pub message: Down,
}

impl Agreement {
    pub fn new(size: usize, limit: Duration) -> Agreement {
        Agreement { size, limit, waiting: BTreeMap::new() }
    }

    /// A rank has started an operation.
    pub fn announce(
        &mut self,
        rank: usize,
        key: Key,
        signature: String,
        now: Instant,
    ) -> Option<Decision> {
        let size = self.size;
        if self.waiting.len() >= MANY && !self.waiting.contains_key(&key) {
            let status = Status::resource_exhausted(format!("{MANY} operations wait already"));
            return Some(Decision { ranks: vec![rank], message: Down::Refuse(key, status) });
        }
        let entry = self.waiting.entry(key.clone()).or_insert_with(|| Waiting {
            signature: signature.clone(),
            ranks: vec![false; size],
            since: now,
            refused: None,
        });
        let first = entry.ranks.iter().position(|&there| there);
        if let Some(place) = entry.ranks.get_mut(rank) {
            *place = true;
        }
        let complete = entry.ranks.iter().all(|&there| there);
        let decision = if let Some(status) = &entry.refused {
            let message = Down::Refuse(key.clone(), status.clone());
            Some(Decision { ranks: vec![rank], message })
        } else if entry.signature != signature {
            let status = Status::invalid_argument(format!(
                "operation {:?} is {} on rank {} and {signature} on rank {rank}: it must be the same on all",
                key.0,
                entry.signature,
                first.unwrap_or(0)
            ));
            Some(refuse(&key, entry, status))
        } else if complete {
            Some(Decision { ranks: (0..size).collect(), message: Down::Run(key.clone()) })
        } else {
            None
        };
        if complete {
            self.waiting.remove(&key);
        }
        decision
    }

    /// Fails what has waited for too long.
    pub fn expire(&mut self, now: Instant) -> Vec<Decision> {
        let limit = self.limit;
        let late = self
            .waiting
            .iter_mut()
            .filter(|(_, w)| w.refused.is_none() && now.duration_since(w.since) >= limit);
        late.map(|(key, entry)| {
            let missing: Vec<String> = (0..entry.ranks.len())
                .filter(|&rank| !entry.ranks[rank])
                .map(|rank| rank.to_string())
                .collect();
            let status = Status::deadline_exceeded(format!(
                "operation {:?} ({}) was not started by rank {} in {limit:?}",
                key.0,
                entry.signature,
                missing.join(", ")
            ));
            refuse(key, entry, status)
        })
        .collect()
    }
}

/// Fails an operation on the ranks that have announced it, and remembers it for the others.
fn refuse(key: &Key, entry: &mut Waiting, status: Status) -> Decision {
    entry.refused = Some(status.clone());
    let ranks = (0..entry.ranks.len()).filter(|&rank| entry.ranks[rank]).collect();
    Decision { ranks, message: Down::Refuse(key.clone(), status) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_tensor::Code;

    fn code(decision: &Decision) -> Code {
        match &decision.message {
            Down::Refuse(_, status) => status.code(),
            _ => Code::Ok,
        }
    }

    #[test]
    fn an_operation_runs_when_all_have_it() {
        let now = Instant::now();
        let mut agreement = Agreement::new(3, Duration::from_secs(1));
        let mut say = |rank, key: &str| agreement.announce(rank, key.into(), "x".into(), now);
        assert_eq!(say(0, "a"), None);
        assert_eq!(say(1, "b"), None);
        assert_eq!(say(1, "a"), None);
        let run = |key: &str| Decision { ranks: vec![0, 1, 2], message: Down::Run(key.into()) };
        assert_eq!(say(2, "a"), Some(run("a")));
        // The key is free again.
        assert_eq!(say(2, "a"), None);
        assert_eq!(say(0, "b"), None);
        assert_eq!(say(2, "b"), Some(run("b")));
    }

    #[test]
    fn different_signatures_fail_everywhere() {
        let now = Instant::now();
        let mut agreement = Agreement::new(3, Duration::from_secs(1));
        let mut say = |rank, what: &str| agreement.announce(rank, "k".into(), what.into(), now);
        assert_eq!(say(0, "sum of float [2]"), None);
        let decision = say(1, "sum of float [3]").unwrap();
        assert_eq!((decision.ranks.clone(), code(&decision)), (vec![0, 1], Code::InvalidArgument));
        let decision = say(2, "sum of float [2]").unwrap();
        assert_eq!((decision.ranks.clone(), code(&decision)), (vec![2], Code::InvalidArgument));
        assert_eq!(say(0, "sum of float [2]"), None);
    }

    #[test]
    fn who_does_not_come_in_time_is_named() {
        let now = Instant::now();
        let mut agreement = Agreement::new(3, Duration::from_secs(1));
        assert_eq!(agreement.announce(1, "k".into(), "x".into(), now), None);
        assert!(agreement.expire(now).is_empty());
        let decisions = agreement.expire(now + Duration::from_secs(2));
        assert_eq!((decisions.len(), code(&decisions[0])), (1, Code::DeadlineExceeded));
        assert!(format!("{decisions:?}").contains("rank 0, 2"));
        assert!(agreement.expire(now + Duration::from_secs(3)).is_empty());
    }
}
