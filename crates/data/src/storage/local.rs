//! The local file system.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

use downpour_tensor::Result;

use super::read_error;

pub fn size(path: &Path) -> Result<u64> {
    Ok(std::fs::metadata(path).map_err(|e| read_error(&e))?.len())
}

pub fn open_at(path: &Path, offset: u64) -> Result<File> {
    let mut file = File::open(path).map_err(|e| read_error(&e))?;
    if offset > 0 {
        file.seek(SeekFrom::Start(offset)).map_err(|e| read_error(&e))?;
    }
    Ok(file)
}

/// The files a path stands for: itself, or what its `*` and `?` match, sorted.
pub fn list(pattern: &str) -> Result<Vec<PathBuf>> {
    let exact = PathBuf::from(pattern);
    // A file may have such characters in its own name.
    if exact.exists() || !pattern.contains(['*', '?']) {
        return Ok(vec![exact]);
    }
    let mut found = vec![PathBuf::from(if pattern.starts_with('/') { "/" } else { "" })];
    for part in pattern.split('/').filter(|p| !p.is_empty()) {
        if !part.contains(['*', '?']) {
            found.iter_mut().for_each(|p| p.push(part));
            found.retain(|p| p.exists());
            continue;
        }
        let mut next = Vec::new();
        for folder in &found {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let Ok(entries) = std::fs::read_dir(folder) else { continue };
            for entry in entries {
                let entry = entry.map_err(|e| read_error(&e).context(folder.display()))?;
                if matches(part.as_bytes(), entry.file_name().as_encoded_bytes()) {
                    next.push(entry.path());
                }
            }
        }
        found = next;
    }
    found.retain(|p| p.is_file());
    found.sort();
    Ok(found)
}

/// True when `name` fits a pattern in which `*` stands for any run of bytes and `?` for one.
pub(super) fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        if p < pattern.len() && pattern[p] == b'*' {
            star = Some((p, n));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == b'?' || pattern[p] == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((at, from)) = star {
            // The last star takes one byte more.
            star = Some((at, from + 1));
            (p, n) = (at + 1, from + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&b| b == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, name, expected) in [
            ("*.csv", "a.csv", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
            ("part-?????", "part-00012", true),
            ("part-?????", "part-0012", false),
            ("*", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn globs_are_sorted_and_reach_through_folders() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b/2.txt", "a/1.txt", "a/0.csv"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        }
        let pattern = folder.path().join("*/*.txt");
        let found = list(pattern.to_str().unwrap()).unwrap();
        assert_eq!(found, [folder.path().join("a/1.txt"), folder.path().join("b/2.txt")]);
    }
}
