//! Workers that come and go while a run goes on: the coordinator's decisions, read from its journal.
//!
//! The run's coordinator writes down what it proposes and why (`record::Event::Decided`); this follows the file, and the
//! supervisor starts or ends workers within the limits of the run. Nothing else is shared with the coordinator.

use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::time::Duration;

use downpour::record::{Decided, Event};

/// How often the file is looked at.
const GLANCE: Duration = Duration::from_millis(200);

/// Follows a coordinator's journal.
pub struct Decisions {
    journal: PathBuf,
    /// Everything before it was read.
    at: u64,
}

impl Decisions {
    /// From now on: what an earlier run has decided is not for this one.
    pub fn of(journal: PathBuf) -> Decisions {
        let at = std::fs::metadata(&journal).map_or(0, |file| file.len());
        Decisions { journal, at }
    }

    /// The next decisions; comes back only when there are some.
    pub async fn next(&mut self) -> Vec<Decided> {
        loop {
            tokio::time::sleep(GLANCE).await;
            let found = self.read().unwrap_or_default();
            if !found.is_empty() {
                return found;
            }
        }
    }

    /// Decisions in the whole lines that were added.
    fn read(&mut self) -> std::io::Result<Vec<Decided>> {
        let mut file = std::fs::File::open(&self.journal)?;
        file.seek(SeekFrom::Start(self.at))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        self.at += whole as u64;
        let decided = |line: &[u8]| match serde_json::from_slice(line) {
            Ok(Event::Decided(decided)) => Some(decided),
            _ => None,
        };
        Ok(text[..whole].split(|byte| *byte == b'\n').filter_map(decided).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_read_once_and_only_whole_lines_of_this_run() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("coordinator-0.jsonl");
        let line = |add: bool| {
            let decided = Decided { add, worker: "worker/1".into(), why: "so".into(), time: 1.0 };
            serde_json::to_string(&Event::Decided(decided)).unwrap() + "\n"
        };
        std::fs::write(&journal, line(true)).unwrap();
        let mut decisions = Decisions::of(journal.clone());
        assert_eq!(decisions.read().unwrap(), []);
        let mut text = line(true) + &line(false) + "{\"kind\": \"other\"}\n";
        text.push_str(&line(true)[..10]);
        std::fs::write(&journal, text).unwrap();
        let found = decisions.read().unwrap();
        assert_eq!(found.iter().map(|decided| decided.add).collect::<Vec<_>>(), [false]);
        assert_eq!(decisions.read().unwrap(), []);
    }
}
