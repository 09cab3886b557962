//! A power failure.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::DiskFault;
use super::state::{Change, Contents, Entry, Folder, NameChange, State, apply};

/// Disks write these as a whole.
const SECTOR: usize = 512;

impl State {
    /// Turns the machine off and on.
    pub fn lose_power(&mut self) {
        // Some systems write soon and some late; a seed has them all.
        let kept_of_thousand = [0, 300, 500, 700, 1000][self.random.below(5) as usize];
        let names = self.names_left(kept_of_thousand);
        let files = std::mem::take(&mut self.files);
        let contents: Vec<Vec<u8>> =
            files.into_iter().map(|file| self.bytes_left(file, kept_of_thousand)).collect();
        self.begin_again(&names, &contents);
        self.begin_process();
    }

    /// What each folder holds afterwards.
    fn names_left(
        &mut self,
        kept_of_thousand: u64,
    ) -> BTreeMap<PathBuf, BTreeMap<OsString, Entry>> {
        // A rename between folders is decided in the folder it goes to; those decided already are durable there.
        let mut lost_moves = BTreeSet::new();
        let folders = std::mem::take(&mut self.folders);
        let arriving = |change: &&NameChange| matches!(change, NameChange::MoveHere(..));
        for change in folders.values().flat_map(|folder| folder.pending.iter().filter(arriving)) {
            if let NameChange::MoveHere(_, _, number) = change
                && !self.random.chance(kept_of_thousand)
            {
                lost_moves.insert(*number);
            }
        }
        let mut left = BTreeMap::new();
        for (path, Folder { durable, pending, .. }) in folders {
            let mut entries = durable;
            let mut lost_before = false;
            for change in pending {
                let kept = match &change {
                    NameChange::MoveHere(_, _, number) => !lost_moves.contains(number),
                    NameChange::MoveAway(_, number) => {
                        !lost_moves.contains(number) && self.random.chance(kept_of_thousand)
                    }
                    _ => self.random.chance(kept_of_thousand),
                };
                if kept {
                    if lost_before {
                        self.count(DiskFault::NamesReordered);
                    }
                    Folder::apply(&mut entries, &change);
                } else {
                    lost_before = true;
                    let removal =
                        matches!(change, NameChange::Remove(_) | NameChange::MoveAway(..));
                    self.count(match removal {
                        true => DiskFault::RemovalLost,
                        false => DiskFault::NameLost,
                    });
                }
            }
            left.insert(path, entries);
        }
        left
    }

    fn bytes_left(&mut self, file: Contents, kept_of_thousand: u64) -> Vec<u8> {
        let Contents { durable: mut bytes, pending } = file;
        for change in pending {
            let Change::Write(offset, written) = &change else {
                if self.random.chance(kept_of_thousand) {
                    apply(&mut bytes, &change);
                }
                continue;
            };
            if self.random.chance(300) {
                self.tear(&mut bytes, *offset as usize, written);
            } else if self.random.chance(kept_of_thousand) {
                self.count(DiskFault::WriteKept);
                apply(&mut bytes, &change);
            } else {
                self.count(DiskFault::WriteLost);
            }
        }
        bytes
    }

    /// Keeps the beginning of a write, or some sectors of it.
    fn tear(&mut self, bytes: &mut Vec<u8>, offset: usize, written: &[u8]) {
        let end = offset + written.len();
        if self.random.chance(400) {
            let kept = self.random.below(written.len() as u64 + 1) as usize;
            apply(bytes, &Change::Write(offset as u64, written[..kept].to_vec()));
            self.count(DiskFault::WriteCut);
            return;
        }
        // The file has grown whether its sectors have arrived or not.
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        let mut start = offset;
        while start < end {
            let next = ((start / SECTOR + 1) * SECTOR).min(end);
            if self.random.chance(500) {
                bytes[start..next].copy_from_slice(&written[start - offset..next - offset]);
            }
            start = next;
        }
        self.count(DiskFault::WriteTorn);
    }

    /// Puts what was left into the folder; it is the durable state of a machine that was just turned on.
    fn begin_again(
        &mut self,
        names: &BTreeMap<PathBuf, BTreeMap<OsString, Entry>>,
        contents: &[Vec<u8>],
    ) {
        let root = self.root.clone();
        clear(&root);
        self.files.clear();
        self.folders.clear();
        self.put(&root, names, contents);
    }

    fn put(
        &mut self,
        path: &Path,
        names: &BTreeMap<PathBuf, BTreeMap<OsString, Entry>>,
        contents: &[Vec<u8>],
    ) {
        let mut folder = Folder::default();
        for (name, entry) in names.get(path).into_iter().flatten() {
            let inner = path.join(name);
            let entry = match entry {
                Entry::Folder => {
                    std::fs::create_dir(&inner).expect("the test's own folder can be written");
                    self.put(&inner, names, contents);
                    Entry::Folder
                }
                Entry::File(number) => {
                    let durable = contents[*number].clone();
                    std::fs::write(&inner, &durable).expect("the test's own folder can be written");
                    self.files.push(Contents { durable, pending: Vec::new() });
                    Entry::File(self.files.len() - 1)
                }
            };
            folder.now.insert(name.clone(), entry);
        }
        folder.durable = folder.now.clone();
        self.folders.insert(path.into(), folder);
    }
}

/// Removes everything in a folder.
fn clear(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("the test's own folder can be read").flatten() {
        let path = entry.path();
        let removed = match entry.file_type() {
            Ok(kind) if kind.is_dir() => std::fs::remove_dir_all(path),
            _ => std::fs::remove_file(path),
        };
        removed.expect("the test's own folder can be written");
    }
}
