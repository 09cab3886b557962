//! The elements in files of a snapshot, one file after the other.

use std::path::PathBuf;

use downpour_data::{Block, Cancel, Context, Cursor, Element, Names, Stage, State};
use downpour_formats::snapshot::{SnapshotFormat, SnapshotReader, elements_file};
use downpour_tensor::{Result, Status, Tensor};

use crate::component::Signature;

/// Elements that are read at once, as long as they have no more bytes than this together.
const ELEMENTS: usize = 64;
const BLOCK_BYTES: usize = 512 << 10;

/// Where the files are.
#[derive(Clone)]
pub(super) enum Place {
    /// In the folder of a shard, with numbers; the first must be there.
    Shard(PathBuf),
    /// Listed.
    Files(Vec<PathBuf>),
}

impl Place {
    fn file(&self, number: u64) -> Option<PathBuf> {
        match self {
            Place::Shard(folder) => {
                let file = elements_file(folder, number);
                (number == 0 || file.exists()).then_some(file)
            }
            Place::Files(files) => files.get(usize::try_from(number).ok()?).cloned(),
        }
    }
}

/// The files of a snapshot.
pub(super) struct Elements {
    pub place: Place,
    pub format: SnapshotFormat,
    pub signature: Signature,
    /// Elements of the first file that are passed over.
    pub start: u64,
}

impl Stage for Elements {
    fn describe(&self) -> String {
        "snapshot_files".to_owned()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [file, given] = state.map_or(Ok([0, self.start]), State::expect)?;
        let mut cursor = ElementsCursor {
            place: self.place.clone(),
            format: self.format,
            names: self.signature.names(),
            signature: self.signature.clone(),
            cancel: context.cancel().clone(),
            file,
            given: 0,
            reader: None,
            failed: None,
        };
        cursor.pass_over(given)?;
        Ok(Box::new(cursor))
    }
}

struct ElementsCursor {
    place: Place,
    format: SnapshotFormat,
    signature: Signature,
    names: Names,
    cancel: Cancel,
    file: u64,
    /// Elements and errors that were delivered of the file.
    given: u64,
    reader: Option<SnapshotReader>,
    /// Comes behind the elements that were delivered.
    failed: Option<Status>,
}

impl ElementsCursor {
    fn pass_over(&mut self, count: u64) -> Result<()> {
        while self.given < count {
            self.cancel.check()?;
            match self.read() {
                Ok(Some(_)) => self.given += 1,
                // The start is said by the graph.
                Ok(None) => return Ok(()),
                Err(error) => self.fail(error),
            }
            if self.failed.take().is_some() {
                self.given += 1;
            }
        }
        Ok(())
    }

    /// Reads an element of the file; none at its end.
    fn read(&mut self) -> Result<Option<Vec<Tensor>>> {
        let Some(path) = self.place.file(self.file) else { return Ok(None) };
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => none.insert(SnapshotReader::open(&path, self.format, &self.signature.types)?),
        };
        let element = reader.next().and_then(|element| {
            element.as_ref().map_or(Ok(()), |element| self.signature.check_element(element))?;
            Ok(element)
        });
        element.map_err(|e| e.context(path.display()))
    }

    /// Nothing can be read behind an error in a file.
    fn fail(&mut self, error: Status) {
        self.failed = Some(error);
        self.reader =
            Some(SnapshotReader::new(std::io::empty(), self.format, &self.signature.types));
    }
}

impl Cursor for ElementsCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let (mut elements, mut bytes) = (Vec::new(), 0);
        while self.failed.is_none() && elements.len() < limit.min(ELEMENTS) && bytes < BLOCK_BYTES {
            self.cancel.check()?;
            match self.read() {
                Ok(Some(element)) => {
                    bytes += element.iter().map(Tensor::byte_len).sum::<usize>();
                    elements.push(Element::from_parts(self.names.clone(), element)?);
                }
                // The position counts delivered elements by file.
                Ok(None) if !elements.is_empty() => break,
                Ok(None) => {
                    if self.place.file(self.file + 1).is_none() {
                        return Ok(None);
                    }
                    (self.file, self.given, self.reader) = (self.file + 1, 0, None);
                }
                Err(error) => self.fail(error),
            }
        }
        if elements.is_empty() {
            let Some(error) = self.failed.take() else { return Ok(None) };
            self.given += 1;
            return Err(error);
        }
        self.given += elements.len() as u64;
        Block::from_elements(elements).map(Some)
    }

    fn state(&self) -> State {
        State::of([self.file, self.given])
    }
}

#[cfg(test)]
mod tests {
    use downpour_data::Dataset;
    use downpour_formats::snapshot::SnapshotWriter;
    use downpour_tensor::DataType;

    use super::*;

    fn write(folder: &std::path::Path, number: u64, elements: std::ops::Range<i64>) {
        let format = SnapshotFormat::new(2, b"").unwrap();
        let mut writer = SnapshotWriter::create(&elements_file(folder, number), format).unwrap();
        elements.for_each(|element| writer.write(&[Tensor::scalar(element)]).unwrap());
        writer.commit().unwrap();
    }

    fn dataset(folder: &std::path::Path, start: u64) -> Dataset {
        let signature = Signature::scalar(DataType::Int64);
        let format = SnapshotFormat::new(2, b"").unwrap();
        let place = Place::Shard(folder.to_path_buf());
        Dataset::new(Elements { place, format, signature, start })
    }

    fn numbers(items: downpour_data::DatasetIterator) -> Vec<i64> {
        items.map(|item| item.map_or(-1, |element| element[0].to_scalar().unwrap())).collect()
    }

    #[test]
    fn files_follow_each_other_and_are_resumed() {
        let folder = tempfile::tempdir().unwrap();
        for (number, elements) in [(0, 0..100), (1, 100..100), (2, 100..103), (4, 0..1)] {
            write(folder.path(), number, elements);
        }
        let data = dataset(folder.path(), 0);
        let all: Vec<i64> = (0..103).collect();
        assert_eq!(numbers(data.iterate().unwrap()), all);
        assert_eq!(numbers(dataset(folder.path(), 98).iterate().unwrap()), all[98..]);
        for stop in [0, 1, 63, 64, 65, 99, 100, 101, 103] {
            let mut iterator = data.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let rest = data.iterate_from(&iterator.position()).unwrap();
            assert_eq!(numbers(rest), all[stop..], "{stop}");
        }
    }

    #[test]
    fn what_is_damaged_is_one_error() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), 0, 0..3);
        let file = elements_file(folder.path(), 0);
        let whole = std::fs::read(&file).unwrap();
        std::fs::write(&file, &whole[..whole.len() - 1]).unwrap();
        write(folder.path(), 1, 7..9);
        let data = dataset(folder.path(), 0);
        let all = [0, 1, -1, 7, 8];
        assert_eq!(numbers(data.iterate().unwrap()), all);
        for stop in 0..=5 {
            let mut iterator = data.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let rest = data.iterate_from(&iterator.position()).unwrap();
            assert_eq!(numbers(rest), all[stop..], "{stop}");
        }
        std::fs::remove_file(file).unwrap();
        assert_eq!(numbers(data.iterate().unwrap())[0], -1);
    }
}
