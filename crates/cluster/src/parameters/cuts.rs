//! A server's cuts as files: `NAME.cut-NUMBER` in one folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use downpour_params::{CutFiles, Snapshot, read_snapshot, write_snapshot};
use downpour_tensor::{Result, Status};

/// The place of a server's cuts, and the leader that asks for them.
#[derive(Clone, Debug)]
pub struct Snapshots {
    /// The path that the names of the cut files begin with.
    pub file: PathBuf,
    /// The leader of all servers.
    pub leader: Leader,
}

/// The process that makes all parameter servers take snapshots, and go back to one after a server has died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leader {
    /// The first of the servers.
    FirstServer {
        /// How long between two snapshots, at least.
        every: Duration,
    },
    /// The coordinator of Sandblaster.
    Coordinator,
}

/// Files that begin with a name, in its folder.
pub struct FolderCuts {
    folder: PathBuf,
    prefix: String,
}

impl FolderCuts {
    /// The cuts of the server whose snapshots are called `file`.
    pub fn new(file: &Path) -> FolderCuts {
        let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        FolderCuts { folder, prefix: format!("{name}.cut-") }
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{}{number}", self.prefix))
    }

    fn number(&self, name: &str) -> Option<u64> {
        name.strip_prefix(&self.prefix)?.parse().ok()
    }
}

impl CutFiles for FolderCuts {
    fn write(&self, number: u64, snapshot: &Snapshot) -> Result<()> {
        write_snapshot(snapshot, &self.path(number))
    }

    fn list(&self) -> Result<Vec<u64>> {
        let failed = |e: std::io::Error| {
            Status::unavailable(format!("cannot list the folder {}: {e}", self.folder.display()))
        };
        let mut numbers = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            numbers.extend(name.to_str().and_then(|name| self.number(name)));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    fn read(&self, number: u64) -> Result<Snapshot> {
        let path = self.path(number);
        read_snapshot(&path)?.ok_or_else(|| {
            Status::data_loss(format!("the snapshot {} is not there any more", path.display()))
        })
    }

    fn remove(&self, number: u64) -> Result<()> {
        let path = self.path(number);
        match std::fs::remove_file(&path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                Err(Status::unavailable(format!("cannot remove {}: {e}", path.display())))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_of_one_server_are_listed_by_number() {
        let name = format!("downpour-cuts-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let files = ["ps-1.cut-9", "ps-1.cut-12", "ps-11.cut-3", "ps-1.cut-x", "ps-1.new"];
        for file in files {
            std::fs::write(folder.join(file), "").unwrap();
        }
        let cuts = FolderCuts::new(&folder.join("ps-1.snapshot"));
        assert_eq!(cuts.list().unwrap(), [9, 12]);
        // An empty file is a damaged one.
        assert_eq!(cuts.read(9).unwrap_err().code(), downpour_tensor::Code::DataLoss);
        cuts.remove(9).unwrap();
        cuts.remove(9).unwrap();
        assert_eq!(cuts.list().unwrap(), [12]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
