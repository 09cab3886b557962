//! ReadFile: a file's contents as a string.
//!
//! Any file may be named, a pipe or a device too. So nothing here waits: the file is opened and read without blocking,
//! and where there is nothing to read yet the kernel is tried again later (`run_on_io_thread` has the protocol). The
//! contents count against the memory limit while they come, so that a file without an end is refused.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::task::Poll;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{
    AsyncContext, AsyncKernel, KernelBox, Outputs, Registry, Value, run_on_io_thread,
};
use downpour_tensor::{ByteString, Result, Status, StringWriter, Tensor};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;

use super::{failed, path};

/// Bytes read between two looks at whether to go on.
const CHUNK: usize = 1 << 20;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("ReadFile(filename: string) -> (contents: string)")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::asynchronous(ReadFile)),
    )
}

struct ReadFile;

impl AsyncKernel for ReadFile {
    fn start(&self, cx: AsyncContext) {
        let mut reading: Option<Reading> = None;
        let read = move |cx: &mut AsyncContext| -> Result<Poll<ByteString>> {
            let open = match &mut reading {
                Some(reading) => reading,
                None => reading.insert(Reading::open(cx)?),
            };
            let read = open.read(|| cx.step().cancellation().is_cancelled());
            if read.is_err() {
                // What was read is free before the step hears of it: whoever runs the next finds room.
                reading = None;
            }
            read
        };
        run_on_io_thread(cx, Box::new(finish_with(read)));
    }

    fn expensive(&self) -> bool {
        false
    }
}

fn finish_with(
    mut read: impl FnMut(&mut AsyncContext) -> Result<Poll<ByteString>> + Send,
) -> impl FnMut(&mut AsyncContext) -> Poll<Result<Outputs>> + Send {
    move |cx| match read(cx) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(contents)) => {
            Poll::Ready(Ok(Outputs::from_iter([Value::Tensor(Tensor::string(contents))])))
        }
        Err(status) => Poll::Ready(Err(status)),
    }
}

/// A file that is being read.
struct Reading {
    path: PathBuf,
    file: File,
    contents: StringWriter,
}

impl Reading {
    fn open(cx: &AsyncContext) -> Result<Reading> {
        let name = cx.input(0);
        if name.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "ReadFile: filename must be a scalar, got shape {}",
                name.shape()
            )));
        }
        let path = path(&name.strings()?[0])?;
        // Opening a pipe that nobody writes to would wait, and a terminal must not become ours.
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        let opened =
            File::options().read(true).custom_flags(flags.bits() as i32).open(&path).and_then(
                |file| {
                    let metadata = file.metadata()?;
                    Ok((file, metadata))
                },
            );
        let (file, metadata) = opened.map_err(|e| failed("read", &path, &e))?;
        let contents = StringWriter::with_capacity(expected_length(&metadata))
            .map_err(|e| e.context(path.display()))?;
        Ok(Reading { path, file, contents })
    }

    /// Reads until the end, or until there is nothing to read for now.
    fn read(&mut self, is_cancelled: impl Fn() -> bool) -> Result<Poll<ByteString>> {
        let Reading { path, file, contents } = self;
        let error = |e: std::io::Error| failed("read", path, &e);
        loop {
            if is_cancelled() {
                return Err(Status::cancelled("ReadFile was cancelled").derived());
            }
            if !is_readable(file).map_err(|e| error(e.into()))? {
                return Ok(Poll::Pending);
            }
            let mut would_block = false;
            let mut read = |place: &mut [u8]| match file.read(place) {
                Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                    would_block = true;
                    Ok(0)
                }
                result => result.map_err(error),
            };
            match contents.read_more(CHUNK, &mut read).map_err(|e| e.context(path.display()))? {
                0 if would_block => return Ok(Poll::Pending),
                0 => return Ok(Poll::Ready(std::mem::take(contents).finish())),
                _ => {}
            }
        }
    }
}

/// Whether a read would return at once. A pipe that has had no writer yet looks to `read` like one at its end; `poll`
/// tells them apart.
fn is_readable(file: &File) -> rustix::io::Result<bool> {
    let mut files = [PollFd::new(file, PollFlags::IN)];
    Ok(poll(&mut files, Some(&Timespec::default()))? > 0)
}

/// A hint: pipes, devices and files of /proc say 0, and others may grow meanwhile.
fn expected_length(metadata: &Metadata) -> usize {
    match metadata.is_file() {
        true => usize::try_from(metadata.len()).unwrap_or(usize::MAX),
        false => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn pipe() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        (folder, path)
    }

    fn open(path: &PathBuf) -> Reading {
        let flags = OFlags::NONBLOCK.bits() as i32;
        let file = File::options().read(true).custom_flags(flags).open(path).unwrap();
        Reading { path: path.clone(), file, contents: StringWriter::new() }
    }

    #[test]
    fn a_pipe_is_read_as_its_writers_write_and_end() {
        let (_folder, path) = pipe();
        let mut reading = open(&path);
        assert!(reading.read(|| false).unwrap().is_pending(), "nobody has opened it");
        let mut writer = File::options().write(true).open(&path).unwrap();
        assert!(reading.read(|| false).unwrap().is_pending(), "nothing was written");
        writer.write_all(b"rain").unwrap();
        assert!(reading.read(|| false).unwrap().is_pending(), "more may come");
        writer.write_all(b"drop").unwrap();
        drop(writer);
        let Poll::Ready(contents) = reading.read(|| false).unwrap() else {
            panic!("the writer is gone");
        };
        assert_eq!(contents, "raindrop");
    }

    #[test]
    fn a_cancelled_read_ends() {
        let cancelled = open(&PathBuf::from("/dev/zero")).read(|| true).unwrap_err();
        assert_eq!(cancelled.code(), downpour_tensor::Code::Cancelled);
    }
}
