//! ReadFile, WriteFile and MatchingFiles. All of them work on I/O threads.

mod destination;
pub(crate) mod matching;
mod read;
mod record_input;
mod write;

use std::path::{Path, PathBuf};

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::{Result, Status};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    read::register(registry)?;
    record_input::register(registry)?;
    write::register(registry)?;
    matching::register(registry)
}

fn path(bytes: &[u8]) -> Result<PathBuf> {
    std::str::from_utf8(bytes)
        .map(PathBuf::from)
        .map_err(|_| Status::invalid_argument("a file name is not valid UTF-8"))
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> Status {
    let text = format!("cannot {what} {}: {error}", path.display());
    match error.kind() {
        std::io::ErrorKind::NotFound => Status::not_found(text),
        std::io::ErrorKind::PermissionDenied => Status::permission_denied(text),
        std::io::ErrorKind::IsADirectory => Status::failed_precondition(text),
        _ => Status::unknown(text),
    }
}

/// An error once the step is cancelled: long work on files asks now and then.
pub(crate) fn stop_if_cancelled(cx: &OpContext<'_>) -> Result<()> {
    match cx.cancellation().is_cancelled() {
        true => Err(Status::cancelled(format!("{} was cancelled", cx.node().op_name())).derived()),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, Tensor};

    #[test]
    fn files_are_written_read_and_found() {
        let folder = tempfile::tempdir().unwrap();
        let name = |n: &str| Tensor::from_string(folder.path().join(n).to_str().unwrap()).unwrap();
        for n in ["a-1.txt", "a-2.txt", "b.txt"] {
            OpTest::new(register, "WriteFile")
                .input(name(n))
                .input(Tensor::from_string(n).unwrap())
                .run()
                .unwrap();
        }
        let read = OpTest::new(register, "ReadFile").input(name("b.txt")).run_one().unwrap();
        assert_eq!(&read.strings().unwrap()[0][..], b"b.txt");
        let found =
            OpTest::new(register, "MatchingFiles").input(name("a-[0-1]*.t?t")).run_one().unwrap();
        assert_eq!(found.len(), 1);
        std::os::unix::fs::symlink("b.txt", folder.path().join("link")).unwrap();
        let write = OpTest::new(register, "WriteFile").input(name("link"));
        write.input(Tensor::string("through the link")).run().unwrap();
        assert_eq!(std::fs::read(folder.path().join("b.txt")).unwrap(), b"through the link");
        assert!(folder.path().join("link").is_symlink());
        let none = Tensor::from_strings([1000], vec!["/nowhere/x".into(); 1000]).unwrap();
        let search = || OpTest::new(register, "MatchingFiles").input(none.clone());
        assert_eq!(search().run_one().unwrap().len(), 0);
        assert_eq!(search().cancelled().run_one().unwrap_err().code(), Code::Cancelled);
        let missing = OpTest::new(register, "ReadFile").input(name("none")).run_one().unwrap_err();
        assert_eq!(missing.code(), Code::NotFound);
        let folder = OpTest::new(register, "ReadFile").input(name("")).run_one().unwrap_err();
        assert_eq!(folder.code(), Code::FailedPrecondition);
    }
}
