//! Damage to files that were whole: what a disk does to them over the years.

use std::path::{Path, PathBuf};

use super::state::{Entry, State};

/// What was done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// A bit of this byte is another than was written.
    Flipped(usize),
    /// The file ends after so many bytes.
    Truncated(usize),
    /// Reading it fails with an input/output error.
    Unreadable,
}

/// Linux answers a read of its first byte with EIO.
const UNREADABLE: &str = "/proc/self/mem";

impl State {
    /// Damages a file, in what programs read and in what a power failure leaves.
    pub fn damage(&mut self, may: &dyn Fn(&Path) -> bool) -> Option<(PathBuf, Damage)> {
        let mut files: Vec<(PathBuf, usize)> = Vec::new();
        for (folder, inner) in &self.folders {
            let paths = inner.now.iter().map(|(name, entry)| (folder.join(name), *entry));
            files.extend(paths.filter(|(path, _)| may(path)).filter_map(
                |(path, entry)| match entry {
                    Entry::File(number) => Some((path, number)),
                    Entry::Folder => None,
                },
            ));
        }
        if files.is_empty() {
            return None;
        }
        let (path, number) = self.random.choose(&files).clone();
        let mut bytes = std::fs::read(&path).ok()?;
        let kind = self.random.below(10);
        let damage = match bytes.len() as u64 {
            0 => Damage::Unreadable,
            _ if kind == 0 => Damage::Unreadable,
            length if kind < 3 => Damage::Truncated(self.random.below(length) as usize),
            length => Damage::Flipped(self.random.below(length) as usize),
        };
        match damage {
            Damage::Unreadable => {
                std::fs::remove_file(&path).ok()?;
                std::os::unix::fs::symlink(UNREADABLE, &path).ok()?;
                return Some((path, damage));
            }
            Damage::Truncated(length) => bytes.truncate(length),
            Damage::Flipped(at) => bytes[at] ^= 1 << self.random.below(8),
        }
        std::fs::write(&path, &bytes).ok()?;
        let contents = &mut self.files[number];
        (contents.durable, contents.pending) = (bytes, Vec::new());
        Some((path, damage))
    }
}
