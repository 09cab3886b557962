//! A task's own account of a run: lines of `RUN/tasks/TASK.jsonl`.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use downpour_tensor::{Result, Status};

use crate::record::Event;

/// Appends events; without a folder they go nowhere.
pub(crate) struct Journal(Option<File>);

impl Journal {
    /// For the task `worker/0` of a run: its file is `tasks/worker-0.jsonl`.
    pub fn open(run: Option<&Path>, task: &str) -> Result<Journal> {
        let Some(run) = run else { return Ok(Journal(None)) };
        let folder = run.join("tasks");
        let path = folder.join(format!("{}.jsonl", task.replace('/', "-")));
        let opened = std::fs::create_dir_all(&folder)
            .and_then(|()| File::options().create(true).append(true).read(true).open(&path))
            .and_then(end_line);
        let file = opened.map_err(|e| {
            Status::permission_denied(format!(
                "cannot write {}: {e}. Choose another folder for the run, or make this one writable.",
                path.display()
            ))
        })?;
        Ok(Journal(Some(file)))
    }

    /// Appends one line, whole: readers may look at any moment.
    pub fn write(&mut self, event: &Event) -> Result<()> {
        let Some(file) = &mut self.0 else { return Ok(()) };
        let mut line = serde_json::to_vec(event)
            .map_err(|e| Status::internal(format!("cannot write an event: {e}")))?;
        line.push(b'\n');
        file.write_all(&line)
            .map_err(|e| Status::resource_exhausted(format!("cannot write the run's journal: {e}")))
    }
}

/// A line that a crash has cut short must not swallow the next.
fn end_line(mut file: File) -> std::io::Result<File> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut last = [b'\n'];
    if length > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last != [b'\n'] {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use downpour_simulation::Random;

    use super::*;
    use crate::record::{Finished, News, Tail};

    #[test]
    fn a_line_that_was_cut_short_stands_alone() {
        let run = tempfile::tempdir().unwrap();
        let path = run.path().join("tasks/worker-0.jsonl");
        std::fs::create_dir_all(run.path().join("tasks")).unwrap();
        std::fs::write(&path, "{\"kind\": \"prog").unwrap();
        let mut journal = Journal::open(Some(run.path()), "worker/0").unwrap();
        journal.write(&Event::Finished(Finished::default())).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 2);
        serde_json::from_str::<Event>(text.lines().nth(1).unwrap()).unwrap();
        let file = run.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(
            Journal::open(Some(&file), "x").is_err_and(|e| e.message().contains("cannot write"))
        );
    }

    /// What a power failure leaves of a journal, which nobody syncs: it may end anywhere, and sectors of it may be zeros.
    #[test]
    fn every_line_that_is_whole_is_read_whatever_became_of_the_others() {
        const SECTOR: usize = 512;
        for seed in 0..100 {
            let mut random = Random::new(seed);
            let run = tempfile::tempdir().unwrap();
            let path = run.path().join("tasks/worker-0.jsonl");
            let line = |number: usize| {
                let reason = format!("{number} {}", "x".repeat(number * 37 % 300));
                Event::Finished(Finished { reason, ..Finished::default() })
            };
            let mut journal = Journal::open(Some(run.path()), "worker/0").unwrap();
            (0..20).for_each(|number| journal.write(&line(number)).unwrap());
            drop(journal);
            let whole = std::fs::read(&path).unwrap();
            let mut bytes = whole.clone();
            bytes.truncate(random.below(whole.len() as u64 + 1) as usize);
            for sector in bytes.chunks_mut(SECTOR) {
                if random.chance(200) {
                    sector.fill(0);
                }
            }
            std::fs::write(&path, &bytes).unwrap();
            let mut journal = Journal::open(Some(run.path()), "worker/0").unwrap();
            (20..30).for_each(|number| journal.write(&line(number)).unwrap());
            let mut read = Vec::new();
            Tail::new(run.path())
                .finish(|_, news| match news {
                    News::Event(event) => read.push(event),
                    News::BeganAgain => panic!("nobody has begun again"),
                })
                .unwrap();
            let mut start = 0;
            let mut expected = Vec::new();
            for number in 0..20 {
                let end = start + whole[start..].iter().position(|byte| *byte == b'\n').unwrap();
                if bytes.get(start..end) == Some(&whole[start..end]) {
                    expected.push(line(number));
                }
                start = end + 1;
            }
            expected.extend((20..30).map(line));
            assert_eq!(read, expected, "seed {seed}");
        }
    }
}
