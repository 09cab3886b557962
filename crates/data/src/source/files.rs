//! The elements of many files, one file after the other.

use std::sync::Arc;

use downpour_tensor::Result;

use crate::Block;
use crate::context::Context;
use crate::position::{State, malformed};
use crate::stage::{Cursor, Schema, Stage};
use crate::storage::FileRef;

/// How the files of one kind are read. A cursor's errors need not name the file.
pub trait Format: Send + Sync {
    /// The format and its options, as in [`Stage::describe`].
    fn describe(&self) -> String;

    /// What is known of the elements.
    fn schema(&self) -> Option<Schema> {
        None
    }

    /// Reads one file, the `index`-th of all, from the beginning or where `state` says.
    fn open(&self, file: &FileRef, index: usize, state: Option<&State>) -> Result<Box<dyn Cursor>>;
}

/// Files of one format.
pub struct Files {
    format: Arc<dyn Format>,
    files: Arc<[FileRef]>,
}

impl Files {
    /// These files in this order.
    pub fn new(format: impl Format + 'static, files: Vec<FileRef>) -> Files {
        Files { format: Arc::new(format), files: files.into() }
    }
}

impl Stage for Files {
    // Names of folders are left out: data that was moved can still be resumed.
    fn describe(&self) -> String {
        match self.files.len() {
            1 => self.format.describe(),
            n => format!("{}[{n} files]", self.format.describe()),
        }
    }

    fn schema(&self) -> Option<Schema> {
        self.format.schema()
    }

    /// The names belong to it: other files have other contents.
    fn identify(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.describe().as_bytes());
        for file in self.files.iter() {
            out.push(b'\n');
            out.extend_from_slice(file.name().as_bytes());
        }
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let (mut index, mut current) = (0, None);
        if let Some(state) = state {
            let [saved] = state.expect()?;
            index = usize::try_from(saved).map_err(|_| malformed())?;
            if let Some(inner) = state.inputs.first() {
                let file = self.files.get(index).ok_or_else(malformed)?;
                let opened = self.format.open(file, index, Some(inner));
                current = Some(opened.map_err(|e| e.context(file.name()))?);
            }
        }
        Ok(Box::new(FilesCursor {
            format: self.format.clone(),
            files: self.files.clone(),
            context: context.clone(),
            index,
            current,
        }))
    }
}

struct FilesCursor {
    format: Arc<dyn Format>,
    files: Arc<[FileRef]>,
    context: Context,
    index: usize,
    current: Option<Box<dyn Cursor>>,
}

impl Cursor for FilesCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        loop {
            self.context.cancel().check()?;
            let Some(file) = self.files.get(self.index) else { return Ok(None) };
            if self.current.is_none() {
                match self.format.open(file, self.index, None) {
                    Ok(cursor) => self.current = Some(cursor),
                    Err(error) => {
                        self.index += 1;
                        return Err(error.context(file.name()));
                    }
                }
            }
            if let Some(cursor) = &mut self.current
                && let Some(block) = cursor.next(limit).map_err(|e| e.context(file.name()))?
            {
                return Ok(Some(block));
            }
            self.current = None;
            self.index += 1;
        }
    }

    fn state(&self) -> State {
        let inner: Vec<State> = self.current.iter().map(|c| c.state()).collect();
        State::of([self.index as u64]).with(inner)
    }

    fn ready(&self) -> usize {
        self.current.as_ref().map_or(0, |c| c.ready())
    }
}
