//! Elements written once to the files of a folder.
//!
//! The folder's file `snapshot` names the pipeline and the size of every other file. It is written last, so that what
//! a crash has cut short is no snapshot and is written anew.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use downpour_formats::AtomicFile;
use downpour_formats::tfrecord::{ReadOptions, RecordReader};
use downpour_tensor::{Result, Status};

use super::disk::{DiskDecoder, FillingCursor, Sink, StoredCursor, record};
use crate::Dataset;
use crate::context::Context;
use crate::decoder::DecoderCursor;
use crate::position::State;
use crate::source::files::{Files, Format};
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::storage::FileRef;

/// A file is full with so many bytes.
const FULL: u64 = 64 << 20;
const VERSION: &str = "downpour-snapshot 1";

impl Dataset {
    /// Elements are written to the files of a folder in the first pass and read from there afterwards, also by later
    /// processes: for what takes long to make, like images that were loaded and resized. Behind it come the stages that
    /// differ from pass to pass.
    ///
    /// A first pass that ends early leaves no snapshot. A damaged one is an error (DATA_LOSS) that says so, as is one
    /// that another pipeline has written (FAILED_PRECONDITION); the words of [`describe`](Dataset::describe) tell
    /// pipelines apart, which know nothing of what functions do: use another folder for other functions.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let folder = folder.path().join("squares");
    /// use downpour_data::{Dataset, Element};
    /// use downpour_tensor::Tensor;
    /// let square = |e: Element| Ok(e.with(vec![Tensor::scalar(e[0].to_scalar::<i64>()?.pow(2))]));
    /// let data = Dataset::range(1000).map(square).snapshot(&folder).shuffle(100, 7)?;
    /// assert_eq!(data.iterate()?.count(), 1000);
    /// // From now on nothing is squared again.
    /// assert!(folder.join("snapshot").exists());
    /// # Ok::<(), downpour_tensor::Status>(())
    /// ```
    pub fn snapshot(&self, folder: impl Into<PathBuf>) -> Dataset {
        Dataset::new(Snapshot { input: self.stage().clone(), folder: folder.into(), full: FULL })
    }
}

struct Snapshot {
    input: Arc<dyn Stage>,
    folder: PathBuf,
    full: u64,
}

impl Snapshot {
    fn origin(&self) -> String {
        Dataset::from_stage(self.input.clone()).describe()
    }

    /// Its list of files, if there is one.
    fn list(&self) -> Result<Option<List>> {
        let path = self.folder.join("snapshot");
        if !path.exists() {
            return Ok(None);
        }
        let list = List::read(&path).map_err(|error| damaged(&self.folder, error))?;
        let origin = self.origin();
        if list.origin != origin {
            return Err(Status::failed_precondition(format!(
                "the snapshot in {} was made from the dataset {}, not from {origin}; delete the folder or use another",
                self.folder.display(),
                list.origin
            )));
        }
        Ok(Some(list))
    }
}

/// Says what to do about a snapshot that cannot be read.
fn damaged(folder: &Path, error: Status) -> Status {
    let folder = folder.display();
    Status::new(
        error.code(),
        format!(
            "the snapshot in {folder} cannot be read ({}); delete the folder, and it is written anew",
            error.message()
        ),
    )
}

fn part(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("elements-{number:05}"))
}

impl Stage for Snapshot {
    fn describe(&self) -> String {
        "snapshot".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        if let Some(list) = self.list()? {
            return StoredCursor::open(state, |inner| {
                list.files(&self.folder)?.open(context, inner)
            });
        }
        let parts = Parts {
            folder: self.folder.clone(),
            list: List { origin: self.origin(), parts: Vec::new() },
            full: self.full,
            file: None,
            rows: 0,
        };
        FillingCursor::open(&*self.input, context, state, parts)
    }
}

/// The parts of a snapshot.
struct List {
    origin: String,
    /// Elements and bytes of each file.
    parts: Vec<(u64, u64)>,
}

impl List {
    fn read(path: &Path) -> Result<List> {
        let mut reader = RecordReader::open(path, ReadOptions::default())?;
        let text = reader.next_record()?.map(|r| String::from_utf8_lossy(r).into_owned());
        let list = text.as_deref().and_then(List::parse);
        list.ok_or_else(|| Status::data_loss("its list of files is damaged, or of another version"))
    }

    fn parse(text: &str) -> Option<List> {
        let (head, origin) = text.split_once("\n\n")?;
        let mut lines = head.lines();
        if lines.next() != Some(VERSION) {
            return None;
        }
        let size = |line: &str| {
            let (rows, bytes) = line.split_once(' ')?;
            Some((rows.parse().ok()?, bytes.parse().ok()?))
        };
        Some(List { parts: lines.map(size).collect::<Option<_>>()?, origin: origin.to_owned() })
    }

    fn write(&self, path: &Path) -> Result<()> {
        let mut text = format!("{VERSION}\n");
        self.parts.iter().for_each(|(rows, bytes)| text += &format!("{rows} {bytes}\n"));
        text += &format!("\n{}", self.origin);
        let mut file = AtomicFile::create(path)?;
        file.write(&record(text.as_bytes())?)?;
        file.commit()
    }

    fn files(&self, folder: &Path) -> Result<Files> {
        let paths = (0..self.parts.len()).map(|number| part(folder, number));
        let files = paths.map(|p| FileRef::named(&p.to_string_lossy())).collect::<Result<_>>()?;
        let sizes = self.parts.iter().map(|(_, bytes)| *bytes).collect();
        Ok(Files::new(Part { folder: folder.to_owned(), sizes }, files))
    }
}

/// How a snapshot's files are read.
struct Part {
    folder: PathBuf,
    sizes: Vec<u64>,
}

impl Part {
    fn reader(&self, index: usize, mark: Option<&State>) -> Result<RecordReader> {
        let path = part(&self.folder, index);
        let size = std::fs::metadata(&path)
            .map_err(|e| downpour_formats::io_error("read", &path, &e))?
            .len();
        let wanted = self.sizes.get(index).copied().unwrap_or_default();
        if size != wanted {
            return Err(Status::data_loss(format!(
                "it has {size} bytes where {wanted} were written"
            )));
        }
        match mark.map(|m| m.expect()).transpose()? {
            Some([offset]) => RecordReader::open_at(&path, offset, ReadOptions::default()),
            None => RecordReader::open(&path, ReadOptions::default()),
        }
    }
}

impl Format for Part {
    fn describe(&self) -> String {
        "snapshot".to_owned()
    }

    fn open(&self, _: &FileRef, index: usize, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let told = |error| damaged(&self.folder, error);
        let input = DecoderCursor::open(state, |mark| {
            self.reader(index, mark).map(DiskDecoder::new).map_err(told)
        })?;
        Ok(Box::new(PartCursor { input, folder: self.folder.clone() }))
    }
}

/// Reads a file; its errors say what to do.
struct PartCursor {
    input: Box<dyn Cursor>,
    folder: PathBuf,
}

impl Cursor for PartCursor {
    fn next(&mut self, limit: usize) -> Result<Option<crate::Block>> {
        self.input.next(limit).map_err(|error| damaged(&self.folder, error))
    }

    fn state(&self) -> State {
        self.input.state()
    }

    fn ready(&self) -> usize {
        self.input.ready()
    }
}

/// Writes the files, one after the other, and at last their list.
struct Parts {
    folder: PathBuf,
    list: List,
    full: u64,
    file: Option<AtomicFile>,
    /// Elements in `file`.
    rows: u64,
}

impl Parts {
    fn end_part(&mut self) -> Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        self.list.parts.push((std::mem::take(&mut self.rows), file.position()));
        file.commit()
    }
}

impl Sink for Parts {
    fn write(&mut self, record: &[u8], rows: usize) -> Result<()> {
        if self.file.as_ref().is_some_and(|file| file.position() >= self.full) {
            self.end_part()?;
        }
        let file = match &mut self.file {
            Some(file) => file,
            empty => {
                let path = part(&self.folder, self.list.parts.len());
                empty.insert(AtomicFile::create(&path)?)
            }
        };
        self.rows += rows as u64;
        file.write(record)
    }

    fn finish(mut self) -> Result<()> {
        self.end_part()?;
        self.list.write(&self.folder.join("snapshot"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use downpour_tensor::{Code, Tensor};

    use super::*;
    use crate::Element;

    /// Numbers and words in files of a few hundred bytes, and how often one was made.
    fn build(folder: &Path, calls: &Arc<AtomicUsize>) -> Dataset {
        let calls = calls.clone();
        let made = Dataset::range(5000).map(move |e: Element| {
            calls.fetch_add(1, Ordering::Relaxed);
            let word = Tensor::from_string(e[0].to_scalar::<i64>()?.to_string())?;
            Ok(Element::named([("n", e[0].clone()), ("word", word)]))
        });
        let input = made.shuffle(50, 3).unwrap().stage().clone();
        Dataset::new(Snapshot { input, folder: folder.to_owned(), full: 20_000 })
    }

    fn numbers(iterator: crate::DatasetIterator) -> Vec<i64> {
        let number = |e: Result<Element>| {
            let e = e.unwrap();
            let n = e[0].to_scalar::<i64>().unwrap();
            assert_eq!(e[1].strings().unwrap()[0], n.to_string().as_bytes());
            n
        };
        iterator.map(number).collect()
    }

    #[test]
    fn elements_are_made_once_and_read_by_later_processes_from_any_position() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("kept");
        let calls = Arc::new(AtomicUsize::new(0));
        let mut early = build(&place, &calls).iterate().unwrap();
        early.by_ref().take(3000).for_each(drop);
        let position = early.position();
        drop(early);
        assert!(!place.join("snapshot").exists(), "the first pass has not ended");
        let all = numbers(build(&place, &calls).iterate().unwrap());
        assert!(place.join("elements-00002").exists(), "there are several files");
        let left: Vec<_> =
            std::fs::read_dir(&place).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert!(left.iter().all(|name| !name.to_string_lossy().contains(".temp")), "{left:?}");
        calls.store(0, Ordering::Relaxed);
        assert_eq!(numbers(build(&place, &calls).iterate().unwrap()), all);
        assert_eq!(numbers(build(&place, &calls).iterate_from(&position).unwrap()), all[3000..]);
        for stop in [0, 1, 1024, 2500, 4999, 5000] {
            let mut iterator = build(&place, &calls).iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let resumed = build(&place, &calls).iterate_from(&iterator.position()).unwrap();
            assert_eq!(numbers(resumed), all[stop..]);
        }
        assert_eq!(calls.load(Ordering::Relaxed), 0, "everything came from the files");
    }

    #[test]
    fn another_pipeline_and_damage_are_refused_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let calls = Arc::default();
        numbers(build(folder.path(), &calls).iterate().unwrap());
        let other = Dataset::range(7).snapshot(folder.path()).iterate().err().unwrap();
        assert_eq!(other.code(), Code::FailedPrecondition);
        assert!(other.message().contains("range(7); delete the folder or use another"), "{other}");

        let check = |what: &str| {
            let error = match build(folder.path(), &calls).iterate() {
                Ok(mut iterator) => iterator.find_map(|e| e.err()).expect(what),
                Err(error) => error,
            };
            assert!(
                error.message().contains("delete the folder, and it is written anew"),
                "{error}"
            );
        };
        for name in ["elements-00001", "snapshot"] {
            let path = folder.path().join(name);
            let good = std::fs::read(&path).unwrap();
            let mut bad = good.clone();
            bad[good.len() / 2] ^= 8;
            std::fs::write(&path, bad).unwrap();
            check("a flipped bit");
            std::fs::write(&path, &good[..good.len() - 9]).unwrap();
            check("a torn file");
            std::fs::write(&path, &good).unwrap();
        }
        std::fs::remove_file(folder.path().join("elements-00002")).unwrap();
        check("a missing file");
    }

    #[test]
    fn a_pass_with_an_error_leaves_no_snapshot_and_no_elements_are_one() {
        let folder = tempfile::tempdir().unwrap();
        let bad = Dataset::range(10).map(|e: Element| match e[0].to_scalar::<i64>()? {
            7 => Err(Status::invalid_argument("seven")),
            _ => Ok(e),
        });
        let seen = bad.snapshot(folder.path().join("bad")).iterate().unwrap();
        assert_eq!(seen.filter(|e| e.is_ok()).count(), 9);
        assert!(!folder.path().join("bad/snapshot").exists());
        let none = Dataset::range(0).snapshot(folder.path().join("none"));
        assert_eq!(none.iterate().unwrap().count(), 0);
        assert!(folder.path().join("none/snapshot").exists());
        assert_eq!(none.iterate().unwrap().count(), 0);
    }
}
