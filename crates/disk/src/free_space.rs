//! The room that is left on a disk.

use std::io;
use std::path::Path;

/// Returns how many bytes can still be written on the disk of `path`, which need not exist yet.
///
/// # Errors
/// When no folder above `path` can be asked.
pub fn free_space(path: &Path) -> io::Result<u64> {
    let absolute = std::path::absolute(path)?;
    let there = absolute.ancestors().find(|folder| folder.exists());
    let there = there.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    let disk = rustix::fs::statvfs(there)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}
