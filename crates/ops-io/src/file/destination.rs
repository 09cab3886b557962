//! Where a file that is written by name lies: behind links, and never in place of a device or a pipe.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use downpour_tensor::{Result, Status};

use super::failed;

/// Links that are followed, as many as Linux follows: links may form a circle.
const MAX_LINKS: usize = 40;

/// The place of the regular file that `path` names, which need not exist. Files appear by being renamed to their
/// place; without this a link, a device or a pipe there would be replaced by the file.
pub(super) fn destination(path: &Path) -> Result<PathBuf> {
    let mut place = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let kind = match std::fs::symlink_metadata(&place) {
            Ok(there) => there.file_type(),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(place),
            Err(error) => return Err(failed("write", path, &error)),
        };
        if kind.is_symlink() {
            let to = std::fs::read_link(&place).map_err(|error| failed("write", path, &error))?;
            place = place.parent().unwrap_or(Path::new("")).join(to);
        } else if kind.is_file() {
            return Ok(place);
        } else {
            let what = if kind.is_dir() { "a folder" } else { "a device, a pipe or a socket" };
            return Err(Status::failed_precondition(format!(
                "cannot write {}: {} is {what}, not a regular file; choose another file name",
                path.display(),
                place.display()
            )));
        }
    }
    Err(Status::failed_precondition(format!(
        "cannot write {}: it is a link to a link and so on, more than {MAX_LINKS} of them",
        path.display()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_tensor::Code;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_and_what_is_no_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(destination(&at("new")).unwrap(), at("new"));
        symlink("new", at("link")).unwrap();
        symlink(at("link"), at("link2")).unwrap();
        assert_eq!(destination(&at("link2")).unwrap(), at("new"));
        std::fs::write(at("new"), "old").unwrap();
        assert_eq!(destination(&at("link2")).unwrap(), at("new"));
        symlink("circle", at("circle")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for refused in [at("circle"), at("socket"), at(""), PathBuf::from("/dev/null")] {
            let error = destination(&refused).unwrap_err();
            assert_eq!(error.code(), Code::FailedPrecondition, "{}", refused.display());
        }
    }
}
