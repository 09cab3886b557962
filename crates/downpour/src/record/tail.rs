//! Following the files of a run while tasks write them, and reading them whole when they are done.
//!
//! A [`Tail`] remembers how far it has read each file. What a writer has not finished (a last line without
//! its end) waits for the next look; what a crash has cut short is skipped; a file that has become shorter was
//! begun again, and its reader is told so. Files and folders that do not exist yet are simply empty.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::Event;

/// A line longer than this is nothing a task has written; skipped, so that it does not fill the memory.
const LONGEST_LINE: u64 = 64 << 20;

/// How every line begins: where to look for a line glued to one that a crash has cut short.
const BEGINNING: &str = "{\"kind\":";

/// What a look at a task's file brings.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all news are events, and they are taken one by one"
)]
pub enum News {
    /// A line that was added.
    Event(Event),
    /// The file is shorter than it was: forget what it said, it is told again from its beginning.
    BeganAgain,
}

/// The place reached in each of a run's task files.
pub struct Tail {
    folder: PathBuf,
    places: BTreeMap<String, u64>,
}

impl Tail {
    /// Follows `run/tasks/*.jsonl` from their beginnings.
    pub fn new(run: &Path) -> Tail {
        Tail { folder: run.join("tasks"), places: BTreeMap::new() }
    }

    /// Tells `each` every complete line written since the last call, with the file's name without `.jsonl`.
    ///
    /// One file after the other, so times of different tasks are not in order.
    pub fn poll(&mut self, mut each: impl FnMut(&str, News)) -> io::Result<()> {
        self.look(false, &mut each)
    }

    /// The same when nobody writes any more: a last line without its end counts, too, if it is whole.
    pub fn finish(mut self, mut each: impl FnMut(&str, News)) -> io::Result<()> {
        self.look(true, &mut each)
    }

    fn look(&mut self, last: bool, each: &mut impl FnMut(&str, News)) -> io::Result<()> {
        for name in self.files()? {
            let path = self.folder.join(format!("{name}.jsonl"));
            let place = self.places.entry(name.clone()).or_insert(0);
            let result = follow(&path, place, last, &mut |news| each(&name, news));
            match result {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(with_path(&path, error)),
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// The names of the files there, sorted.
    fn files(&self) -> io::Result<Vec<String>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.map_err(|error| with_path(&self.folder, error))?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(|error| with_path(&self.folder, error))?.file_name();
            names.extend(name.to_string_lossy().strip_suffix(".jsonl").map(str::to_string));
        }
        names.sort();
        Ok(names)
    }
}

fn with_path(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()))
}

fn follow(path: &Path, place: &mut u64, last: bool, each: &mut dyn FnMut(News)) -> io::Result<()> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() < *place {
        *place = 0;
        each(News::BeganAgain);
    }
    file.seek(SeekFrom::Start(*place))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut line = Vec::new();
    let mut oversized = false;
    let mut read = *place;
    loop {
        line.clear();
        let length = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        read += length as u64;
        let ended = line.last() == Some(&b'\n');
        if !ended && (length as u64) < LONGEST_LINE {
            if last && !oversized {
                events(&line).for_each(|event| each(News::Event(event)));
            }
            return Ok(());
        }
        if ended && !oversized {
            events(&line).for_each(|event| each(News::Event(event)));
        }
        oversized = !ended;
        if ended {
            *place = read;
        }
    }
}

/// The events of a line: one, unless a power failure has left zeros in the place of the end of a line and more.
fn events(line: &[u8]) -> impl Iterator<Item = Event> {
    line.split(|byte| *byte == 0).filter_map(event)
}

/// The event of a line; if that is damaged, the one that a restarted task glued to a line cut short.
fn event(line: &[u8]) -> Option<Event> {
    let line = str::from_utf8(line).ok()?.trim();
    serde_json::from_str(line).ok().or_else(|| {
        let begins = line.rfind(BEGINNING).filter(|at| *at > 0)?;
        serde_json::from_str(&line[begins..]).ok()
    })
}

#[cfg(test)]
mod tests;
