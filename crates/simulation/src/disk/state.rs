//! What a program sees of the disk, and what of it would be there after a power failure.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use downpour_disk::DiskStep;

use super::{DiskFault, DiskMutant};
use crate::Random;

/// A change of a file that was not synced.
#[derive(Clone, Debug)]
pub enum Change {
    Write(u64, Vec<u8>),
    SetLength(u64),
}

#[derive(Debug, Default)]
pub struct Contents {
    pub durable: Vec<u8>,
    pub pending: Vec<Change>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    File(usize),
    Folder,
}

/// A change of a folder that was not synced.
#[derive(Clone, Debug)]
pub enum NameChange {
    Add(OsString, Entry),
    Remove(OsString),
    /// Within the folder.
    Rename(OsString, OsString, Entry),
    /// Away to another folder, in which the file has its new name once rename `.1` is kept there.
    MoveAway(OsString, u64),
    /// Here from another folder.
    MoveHere(OsString, Entry, u64),
}

#[derive(Debug, Default)]
pub struct Folder {
    /// As the program sees it.
    pub now: BTreeMap<OsString, Entry>,
    pub durable: BTreeMap<OsString, Entry>,
    pub pending: Vec<NameChange>,
}

impl Folder {
    pub fn apply(entries: &mut BTreeMap<OsString, Entry>, change: &NameChange) {
        match change {
            NameChange::Add(name, entry) | NameChange::MoveHere(name, entry, _) => {
                entries.insert(name.clone(), *entry);
            }
            NameChange::Remove(name) | NameChange::MoveAway(name, _) => drop(entries.remove(name)),
            NameChange::Rename(from, to, entry) => {
                if entries.get(from) == Some(entry) {
                    entries.remove(from);
                }
                entries.insert(to.clone(), *entry);
            }
        }
    }

    fn change(&mut self, change: NameChange) {
        Folder::apply(&mut self.now, &change);
        self.pending.push(change);
    }
}

pub struct State {
    pub root: PathBuf,
    pub random: Random,
    pub files: Vec<Contents>,
    pub folders: BTreeMap<PathBuf, Folder>,
    pub faults: BTreeMap<DiskFault, usize>,
    pub mutant: Option<DiskMutant>,
    /// Bytes that still fit.
    pub room: Option<usize>,
    /// Syncs until one fails.
    pub fail_sync: Option<u64>,
    pub dead: bool,
    steps_left: Option<u64>,
    /// Numbers renames between folders.
    moves: u64,
}

impl State {
    pub fn new(root: &Path, random: Random) -> State {
        State {
            root: root.into(),
            random,
            files: Vec::new(),
            folders: BTreeMap::from([(root.to_path_buf(), Folder::default())]),
            faults: BTreeMap::new(),
            mutant: None,
            room: None,
            fail_sync: None,
            dead: false,
            steps_left: None,
            moves: 0,
        }
    }

    pub fn count(&mut self, fault: DiskFault) {
        *self.faults.entry(fault).or_default() += 1;
    }

    pub fn die_after(&mut self, steps: u64) {
        self.steps_left = Some(steps);
    }

    pub fn restart_process(&mut self) {
        self.count(DiskFault::Killed);
        self.begin_process();
    }

    pub fn begin_process(&mut self) {
        (self.dead, self.steps_left, self.room, self.fail_sync) = (false, None, None, None);
    }

    pub fn step(&mut self, step: DiskStep<'_>) -> io::Result<()> {
        if self.steps_left == Some(0) {
            self.dead = true;
        }
        if self.dead {
            return Err(io::Error::other("the process is dead"));
        }
        self.steps_left = self.steps_left.map(|left| left - 1);
        match step {
            DiskStep::CreateFolder(path) => {
                self.add(path, Entry::Folder)?;
                self.folders.entry(path.into()).or_default();
            }
            DiskStep::Create(path) => {
                if self.room == Some(0) {
                    return Err(self.full());
                }
                if self.find(path).is_ok() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                self.files.push(Contents::default());
                self.add(path, Entry::File(self.files.len() - 1))?;
            }
            DiskStep::Write { path, offset, bytes, accepted } => {
                if let Some(room) = self.room {
                    if room == 0 {
                        return Err(self.full());
                    }
                    if room < bytes.len() {
                        self.count(DiskFault::Short);
                    }
                    accepted.set(bytes.len().min(room));
                    self.room = Some(room - accepted.get());
                }
                let bytes = bytes[..accepted.get()].to_vec();
                self.contents(path)?.pending.push(Change::Write(offset, bytes));
            }
            DiskStep::SetLength(path, length) => {
                self.contents(path)?.pending.push(Change::SetLength(length));
            }
            DiskStep::Sync(path) => self.sync(path)?,
            DiskStep::Rename(from, to) => self.rename(from, to)?,
            DiskStep::SyncFolder(folder) => self.sync_folder(folder)?,
            DiskStep::Remove(path) => {
                self.find(path)?;
                let (folder, name) = self.place(path)?;
                folder.change(NameChange::Remove(name));
            }
            DiskStep::RemoveFolder(path) => {
                if self.folders.get(path).is_some_and(|folder| !folder.now.is_empty()) {
                    return Err(io::ErrorKind::DirectoryNotEmpty.into());
                }
                self.find(path)?;
                let (folder, name) = self.place(path)?;
                folder.change(NameChange::Remove(name));
                self.folders.remove(path);
            }
        }
        Ok(())
    }

    fn full(&mut self) -> io::Error {
        self.count(DiskFault::Full);
        io::ErrorKind::StorageFull.into()
    }

    /// The folder of a path, and the name in it.
    fn place(&mut self, path: &Path) -> io::Result<(&mut Folder, OsString)> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let name = path.file_name().ok_or_else(missing)?;
        let folder = path.parent().ok_or_else(missing)?;
        Ok((self.folders.get_mut(folder).ok_or_else(missing)?, name.into()))
    }

    fn find(&mut self, path: &Path) -> io::Result<Entry> {
        let (folder, name) = self.place(path)?;
        folder.now.get(&name).copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn add(&mut self, path: &Path, entry: Entry) -> io::Result<()> {
        let (folder, name) = self.place(path)?;
        folder.change(NameChange::Add(name, entry));
        Ok(())
    }

    fn contents(&mut self, path: &Path) -> io::Result<&mut Contents> {
        match self.find(path)? {
            Entry::File(number) => Ok(&mut self.files[number]),
            Entry::Folder => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    /// Whether this is the sync that fails.
    fn sync_fails(&mut self) -> bool {
        let fails = self.fail_sync == Some(0);
        self.fail_sync = self.fail_sync.and_then(|left| left.checked_sub(1));
        if fails {
            self.count(DiskFault::SyncFailed);
        }
        fails
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        if self.sync_fails() {
            // What the system could not write it takes for written.
            self.contents(path)?.pending.clear();
            return Err(failed_sync());
        }
        let late = self.mutant == Some(DiskMutant::RenameBeforeSync);
        if late || self.mutant == Some(DiskMutant::NoSync) {
            return Ok(());
        }
        self.make_durable(path)
    }

    fn make_durable(&mut self, path: &Path) -> io::Result<()> {
        let contents = self.contents(path)?;
        for change in std::mem::take(&mut contents.pending) {
            apply(&mut contents.durable, &change);
        }
        Ok(())
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let entry = self.find(from)?;
        let (old, new) = (self.place(from)?.1, self.place(to)?.1);
        if from.parent() == to.parent() {
            self.place(to)?.0.change(NameChange::Rename(old, new, entry));
        } else {
            self.moves += 1;
            let number = self.moves;
            self.place(to)?.0.change(NameChange::MoveHere(new, entry, number));
            self.place(from)?.0.change(NameChange::MoveAway(old, number));
        }
        Ok(())
    }

    fn sync_folder(&mut self, path: &Path) -> io::Result<()> {
        if self.sync_fails() {
            return Err(failed_sync());
        }
        if self.mutant == Some(DiskMutant::NoFolderSync) {
            return Ok(());
        }
        if self.mutant == Some(DiskMutant::RenameBeforeSync) {
            // The sync that should have come before the rename comes now.
            let folder = self.folders.get(path);
            let names: Vec<OsString> = folder.iter().flat_map(|f| f.now.keys().cloned()).collect();
            for name in names {
                if let Ok(Entry::File(_)) = self.find(&path.join(&name)) {
                    self.make_durable(&path.join(name))?;
                }
            }
        }
        let Some(folder) = self.folders.get_mut(path) else { return Ok(()) };
        let pending = std::mem::take(&mut folder.pending);
        let mut left = Vec::new();
        for change in pending {
            Folder::apply(&mut folder.durable, &change);
            if let NameChange::MoveAway(_, number) = change {
                left.push(number);
            }
        }
        // A file whose old name is durably gone has its new one.
        for number in left {
            for folder in self.folders.values_mut() {
                let is_it = |change: &NameChange| matches!(change, NameChange::MoveHere(_, _, moved) if *moved == number);
                if let Some(at) = folder.pending.iter().position(is_it) {
                    let change = folder.pending.remove(at);
                    Folder::apply(&mut folder.durable, &change);
                }
            }
        }
        Ok(())
    }
}

fn failed_sync() -> io::Error {
    io::Error::other("input/output error (simulated)")
}

/// Does to bytes what a change says.
pub fn apply(bytes: &mut Vec<u8>, change: &Change) {
    match change {
        Change::SetLength(length) => bytes.resize(*length as usize, 0),
        Change::Write(offset, written) => {
            let (start, end) = (*offset as usize, *offset as usize + written.len());
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[start..end].copy_from_slice(written);
        }
    }
}
