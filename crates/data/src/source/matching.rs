//! The names of files that match patterns.
//!
//! Folders are searched when their turn comes, so that the names come in order without the whole tree in memory: names
//! that were found and folders that were not yet searched wait in one heap, and what is in a folder sorts behind it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use downpour_formats::path_pattern::matches;
use downpour_tensor::{ByteString, Charge, DataType, Result, Status, Tensor};

use crate::context::Context;
use crate::position::{State, malformed};
use crate::stage::{Cursor, Field, Schema, Stage, replay};
use crate::storage::read_error;
use crate::{Block, Dataset, Names};

/// Names that are delivered at once.
const NAMES: usize = 256;

struct Matching {
    patterns: Vec<Vec<u8>>,
}

impl Dataset {
    /// The names of files that match these patterns: those of the first in order, then those of the second, and so on.
    /// No match at all is an error.
    pub fn matching_files(patterns: Vec<Vec<u8>>) -> Dataset {
        Dataset::new(Matching { patterns })
    }
}

impl Stage for Matching {
    fn describe(&self) -> String {
        format!("matching_files({})", self.patterns.len())
    }

    fn schema(&self) -> Option<Schema> {
        Some(Schema { fields: vec![Field::new("name", DataType::String, &[])] })
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [index, given, has_match] = state.map_or(Ok([0; 3]), State::expect)?;
        let mut cursor = MatchingCursor {
            patterns: self.patterns.clone(),
            context: context.clone(),
            names: Names::new(["name"]),
            index: usize::try_from(index).map_err(|_| malformed())?,
            search: None,
            failed: None,
            given: 0,
            has_match: has_match != 0,
        };
        replay(&mut cursor, given)?;
        Ok(Box::new(cursor))
    }
}

struct MatchingCursor {
    patterns: Vec<Vec<u8>>,
    context: Context,
    names: Names,
    /// The pattern whose turn it is.
    index: usize,
    search: Option<Search>,
    /// Comes behind the names that were delivered.
    failed: Option<Status>,
    /// Names and errors that were delivered of this pattern.
    given: u64,
    has_match: bool,
}

impl MatchingCursor {
    /// Returns the next name of the pattern whose turn it is.
    fn name(&mut self, pattern: usize) -> Result<Option<Vec<u8>>> {
        let search = match &mut self.search {
            Some(search) => search,
            none => none.insert(Search::new(&self.patterns[pattern])?),
        };
        search.next(&self.context)
    }
}

impl Cursor for MatchingCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let mut names = Vec::new();
        while self.failed.is_none() && names.len() < limit.min(NAMES) {
            if self.index >= self.patterns.len() {
                if self.has_match || self.given > 0 {
                    break;
                }
                self.failed = Some(Status::not_found("Don't find any matched files"));
                continue;
            }
            match self.name(self.index) {
                Ok(Some(name)) => names.push(ByteString::from_vec(name)?),
                // The position counts delivered paths by pattern.
                Ok(None) if !names.is_empty() => break,
                Ok(None) => {
                    (self.search, self.given) = (None, 0);
                    self.index += 1;
                }
                Err(error) => self.failed = Some(error),
            }
        }
        if names.is_empty() {
            let Some(error) = self.failed.take() else { return Ok(None) };
            self.given += 1;
            return Err(error);
        }
        self.has_match = true;
        self.given += names.len() as u64;
        let rows = names.len();
        let column = Tensor::from_strings([rows], names)?;
        Block::from_columns(self.names.clone(), rows, vec![column]).map(Some)
    }

    fn state(&self) -> State {
        State::of([self.index as u64, self.given, self.has_match.into()])
    }
}

/// The search for one pattern.
struct Search {
    /// The parts of the pattern between slashes.
    parts: Vec<Vec<u8>>,
    /// A pattern with backslashes has names with backslashes.
    is_windows: bool,
    /// Names, and folders (with `true`) to search, the least on top.
    waiting: BinaryHeap<Reverse<(Vec<u8>, bool)>>,
    charge: Charge,
    /// Whether the folder at which the search begins has been looked at.
    is_begun: bool,
}

impl Search {
    fn new(pattern: &[u8]) -> Result<Search> {
        let is_windows = pattern.contains(&b'\\');
        let mut pattern: Vec<u8> =
            pattern.iter().map(|&b| if b == b'\\' { b'/' } else { b }).collect();
        if let Some(path) = pattern.strip_prefix(b"file://") {
            pattern = path.to_vec();
        } else if pattern.windows(3).any(|part| part == b"://") {
            return Err(Status::unimplemented(format!(
                "files are matched on local disks only, not {}",
                downpour_tensor::excerpt(&pattern)
            )));
        }
        let fixed = pattern.iter().position(|b| b"*?[".contains(b)).unwrap_or(pattern.len());
        let folder = match pattern[..fixed].iter().rposition(|&b| b == b'/') {
            Some(0) => b"/".to_vec(),
            Some(slash) => pattern[..slash].to_vec(),
            None => {
                pattern.splice(0..0, *b"./");
                b".".to_vec()
            }
        };
        let parts = pattern.split(|&b| b == b'/').map(<[u8]>::to_vec).collect();
        let mut search = Search {
            parts,
            is_windows,
            waiting: BinaryHeap::new(),
            charge: Charge::default(),
            is_begun: false,
        };
        search.push(folder, true)?;
        Ok(search)
    }

    fn push(&mut self, path: Vec<u8>, is_folder: bool) -> Result<()> {
        self.charge.grow(path.len() + size_of::<(Vec<u8>, bool)>())?;
        self.waiting.push(Reverse((path, is_folder)));
        Ok(())
    }

    fn next(&mut self, context: &Context) -> Result<Option<Vec<u8>>> {
        while let Some(Reverse((path, is_folder))) = self.waiting.pop() {
            self.charge.release(path.len() + size_of::<(Vec<u8>, bool)>());
            if is_folder {
                self.look_into(&path, context)?;
                continue;
            }
            let shown = |b: u8| if self.is_windows && b == b'/' { b'\\' } else { b };
            return Ok(Some(path.into_iter().map(shown).collect()));
        }
        Ok(None)
    }

    fn look_into(&mut self, folder: &[u8], context: &Context) -> Result<()> {
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        let place = Path::new(std::ffi::OsStr::from_bytes(folder));
        let failed = |e: &std::io::Error| read_error(e).context(place.display());
        let entries = match std::fs::read_dir(place) {
            // A folder that has gone since it was found holds no match.
            Err(error) if error.kind() == ErrorKind::NotFound && !is_first => return Ok(()),
            entries => entries.map_err(|e| failed(&e))?,
        };
        let depth = match folder {
            b"/" => 1,
            _ => folder.split(|&b| b == b'/').count(),
        };
        let Some(part) = self.parts.get(depth).cloned() else { return Ok(()) };
        let is_last = self.parts.len() == depth + 1;
        for entry in entries {
            context.cancel().check()?;
            let entry = entry.map_err(|e| failed(&e))?;
            let name = entry.file_name().into_vec();
            if !matches(&part, &name) {
                continue;
            }
            let is_folder = entry.path().is_dir();
            if is_folder == is_last {
                continue;
            }
            let slash: &[u8] = if folder == b"/" { b"" } else { b"/" };
            self.push([folder, slash, &name].concat(), is_folder)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use downpour_tensor::Code;

    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b/2.txt", "a/1.txt", "a.txt/x.txt", "a/0.csv", "b.txt", "a-1.txt"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        }
        folder
    }

    fn dataset(folder: &tempfile::TempDir, patterns: &[&str]) -> Dataset {
        let whole = |p: &&str| folder.path().join(p).to_str().unwrap().as_bytes().to_vec();
        Dataset::matching_files(patterns.iter().map(whole).collect())
    }

    fn names(folder: &tempfile::TempDir, items: crate::DatasetIterator) -> Vec<String> {
        let begin = folder.path().to_str().unwrap().len() + 1;
        let name = |e: Result<crate::Element>| match e {
            Ok(e) => String::from_utf8(e[0].strings().unwrap()[0][begin..].to_vec()).unwrap(),
            Err(e) => format!("{:?}", e.code()),
        };
        items.map(name).collect()
    }

    #[test]
    fn names_come_in_order() {
        let folder = folder();
        for (patterns, expected) in [
            (&["*.txt"][..], &["a-1.txt", "b.txt"][..]),
            (&["*/*.txt"], &["a.txt/x.txt", "a/1.txt", "b/2.txt"]),
            (&["[ab]/?.*", "b.txt"], &["a/0.csv", "a/1.txt", "b/2.txt", "b.txt"]),
            (&["none*", "b*"], &["b.txt"]),
        ] {
            let data = dataset(&folder, patterns);
            assert_eq!(names(&folder, data.iterate().unwrap()), expected);
            for stop in 0..=expected.len() {
                let mut iterator = data.iterate().unwrap();
                iterator.by_ref().take(stop).for_each(drop);
                let rest = data.iterate_from(&iterator.position()).unwrap();
                assert_eq!(names(&folder, rest), expected[stop..], "{patterns:?} {stop}");
            }
        }
    }

    #[test]
    fn no_match_is_an_error() {
        let folder = folder();
        for pattern in ["none*", "none/*", "a/b/c"] {
            let mut items = dataset(&folder, &[pattern]).iterate().unwrap();
            assert_eq!(items.next().unwrap_err().code(), Code::NotFound, "{pattern}");
            assert!(items.by_ref().take(5).count() < 3);
        }
        let remote = Dataset::matching_files(vec![b"s3://bucket/*".to_vec()]);
        let error = remote.iterate().unwrap().next().unwrap_err();
        assert_eq!(error.code(), Code::Unimplemented);
    }

    #[test]
    fn relative_names_begin_with_a_dot() {
        let found = Dataset::matching_files(vec![b"Cargo.tom?".to_vec()]);
        let name = found.iterate().unwrap().next().unwrap().unwrap();
        assert_eq!(name[0].strings().unwrap(), ["./Cargo.toml"]);
    }
}
