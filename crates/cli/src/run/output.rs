//! The output of many processes as one stream of lines, each with its task's name in front.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt};

/// How many lines of stderr a failure is reported with.
const TAIL_LINES: usize = 20;
/// A longer line is printed in pieces.
const MAX_LINE: usize = 64 << 10;
/// Readable on dark and on light terminals; red is left to errors.
const COLOURS: [u8; 6] = [36, 32, 33, 35, 34, 96];

/// Where a line goes: what a process writes to stdout stays on stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

/// What stands in front of a process's lines, or the file they go to instead.
#[derive(Clone)]
pub struct Label {
    plain: Arc<str>,
    coloured: Arc<str>,
    file: Option<Arc<File>>,
}

impl Label {
    /// Names are padded to `width`; the number chooses a colour.
    pub fn new(name: &str, width: usize, number: usize) -> Label {
        let colour = COLOURS[number % COLOURS.len()];
        Label {
            plain: format!("{name:width$} | ").into(),
            coloured: format!("\x1b[{colour}m{name:width$} |\x1b[0m ").into(),
            file: None,
        }
    }

    /// Lines go to the end of `folder/NAME.log`, not to the terminal.
    pub fn into_log(mut self, folder: &Path, name: &str) -> std::io::Result<Label> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("{}.log", name.replace('/', "-")));
        self.file = Some(Arc::new(File::options().create(true).append(true).open(path)?));
        Ok(self)
    }

    /// Prints one line. An output that is gone does not end the run.
    pub fn print(&self, stream: Stream, line: &[u8]) {
        if let Some(file) = &self.file {
            let whole = [line, b"\n"].concat();
            return drop((&**file).write_all(&whole));
        }
        let label = if colours(stream) { &self.coloured } else { &self.plain };
        // One write a line: the streams of other programs on the same terminal do not cut it.
        let whole = [label.as_bytes(), line, b"\n"].concat();
        drop(match stream {
            Stream::Out => std::io::stdout().lock().write_all(&whole),
            Stream::Err => std::io::stderr().lock().write_all(&whole),
        });
    }
}

fn colours(stream: Stream) -> bool {
    let terminal = match stream {
        Stream::Out => std::io::stdout().is_terminal(),
        Stream::Err => std::io::stderr().is_terminal(),
    };
    terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The last lines a process wrote to stderr.
#[derive(Clone, Default)]
pub struct Tail(Arc<Mutex<VecDeque<Vec<u8>>>>);

impl Tail {
    fn push(&self, line: &[u8]) {
        let mut lines = self.0.lock();
        if lines.len() == TAIL_LINES {
            lines.pop_front();
        }
        lines.push_back(line.to_vec());
    }

    pub fn lines(&self) -> Vec<String> {
        self.0.lock().iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect()
    }
}

/// Hands everything a process writes to `print`, line by line, until it closes the stream.
pub async fn lines(mut source: impl AsyncRead + Unpin, mut print: impl FnMut(&[u8])) {
    let mut pending = Vec::new();
    let mut buffer = vec![0; 16 << 10];
    // A stream that cannot be read any more has ended.
    while let Ok(read @ 1..) = source.read(&mut buffer).await {
        pending.extend_from_slice(&buffer[..read]);
        let mut rest = pending.as_slice();
        // Progress bars end their lines with a carriage return.
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            // A line feed may follow what is not read yet.
            if rest[end] == b'\r' && end + 1 == rest.len() && end < MAX_LINE {
                break;
            }
            print(&rest[..end]);
            let both = rest[end..].starts_with(b"\r\n");
            rest = &rest[end + 1 + usize::from(both)..];
        }
        while rest.len() > MAX_LINE {
            print(&rest[..MAX_LINE]);
            rest = &rest[MAX_LINE..];
        }
        pending = rest.to_vec();
    }
    if !pending.is_empty() {
        print(pending.strip_suffix(b"\r").unwrap_or(&pending));
    }
}

/// Prints what a process writes, and keeps the end of it if `tail` is given.
pub async fn forward(source: impl AsyncRead + Unpin, label: Label, to: Stream, tail: Option<Tail>) {
    lines(source, |line| {
        label.print(to, line);
        if let Some(tail) = &tail {
            tail.push(line);
        }
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &[u8]) -> Vec<String> {
        let mut all = Vec::new();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let keep = |line: &[u8]| all.push(String::from_utf8_lossy(line).into_owned());
        runtime.block_on(lines(text, keep));
        all
    }

    #[test]
    fn lines_end_with_feeds_returns_or_the_stream() {
        assert_eq!(split(b"a\nb\r\nc"), ["a", "b", "c"]);
        assert_eq!(split(b"10%\r20%\r\n\ndone\r"), ["10%", "20%", "", "done"]);
        assert_eq!(split(b""), [] as [&str; 0]);
        let long = vec![b'x'; MAX_LINE * 2 + 5];
        let lengths: Vec<usize> = split(&long).iter().map(String::len).collect();
        assert_eq!(lengths.iter().sum::<usize>(), long.len());
        assert!(lengths.iter().all(|n| *n <= MAX_LINE));
    }

    #[test]
    fn the_tail_keeps_the_last_lines() {
        let tail = Tail::default();
        (0..30).for_each(|i| tail.push(format!("line {i}").as_bytes()));
        let lines = tail.lines();
        assert_eq!((lines.len(), lines[0].as_str()), (TAIL_LINES, "line 10"));
    }
}
