//! Every element the first time it comes.

use std::collections::HashSet;
use std::sync::Arc;

use downpour_tensor::{Charge, Result, Status};

use crate::backlog::{RestartableInput, redo};
use crate::context::{Cancel, Context};
use crate::position::State;
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::{Block, Dataset, Element};

impl Dataset {
    /// The elements without those that came before. Elements are equal if their tensors have the same types, shapes and
    /// bytes. All that are different are kept in memory, and a resumed iteration reads them again from the beginning.
    ///
    /// ```
    /// use downpour_data::Dataset;
    /// use downpour_tensor::Tensor;
    /// let data = Dataset::from_tensors([("x", Tensor::vector(&[3i64, 1, 3, 2, 1]).unwrap())]).unwrap();
    /// let unique: Vec<i64> = data.unique().iterate().unwrap().map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    /// assert_eq!(unique, [3, 1, 2]);
    /// ```
    pub fn unique(&self) -> Dataset {
        Dataset::new(Unique { input: self.stage().clone() })
    }
}

struct Unique {
    input: Arc<dyn Stage>,
}

impl Stage for Unique {
    fn describe(&self) -> String {
        "unique".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn length(&self) -> Option<Length> {
        self.input.length().filter(|length| *length == Length::Finite(0))
    }

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let (input, items) = RestartableInput::open(state, |s| self.input.open(context, s))?;
        let (seen, cancel) = (HashSet::new(), context.cancel().clone());
        let mut cursor = UniqueCursor { input, seen, memory: Charge::default(), cancel };
        redo(items, || Ok(cursor.read()?.is_some()))?;
        Ok(Box::new(cursor))
    }
}

struct UniqueCursor {
    input: RestartableInput,
    seen: HashSet<Box<[u8]>>,
    /// Counts the keys.
    memory: Charge,
    cancel: Cancel,
}

/// The bytes that an entry of the set takes besides its key.
const ENTRY: usize = 4 * size_of::<usize>();

impl UniqueCursor {
    /// Reads an element and says whether it is new.
    fn read(&mut self) -> Result<Option<(Element, bool)>> {
        self.cancel.check()?;
        let Some(element) = self.input.next()? else { return Ok(None) };
        let key = key(&element)?;
        let is_new = !self.seen.contains(&key[..]);
        if is_new {
            self.memory.grow(key.len() + ENTRY)?;
            self.seen.insert(key.into_boxed_slice());
        }
        Ok(Some((element, is_new)))
    }
}

impl Cursor for UniqueCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        loop {
            match self.read()? {
                Some((element, true)) => return Ok(Some(Block::from_element(element))),
                Some((_, false)) => {}
                None => return Ok(None),
            }
        }
    }

    fn state(&self) -> State {
        self.input.state(&[])
    }
}

/// Returns bytes that only equal elements share: types, shapes and contents, each with its length.
fn key(element: &Element) -> Result<Vec<u8>> {
    let mut key = Vec::new();
    let number = |key: &mut Vec<u8>, n: usize| key.extend_from_slice(&(n as u64).to_le_bytes());
    for tensor in element.tensors() {
        number(&mut key, tensor.dtype() as usize);
        number(&mut key, tensor.rank());
        tensor.dims().iter().for_each(|&size| number(&mut key, size));
        match tensor.bytes() {
            Some(bytes) => key.extend_from_slice(bytes),
            None => {
                let strings = tensor.strings().map_err(|_| {
                    Status::invalid_argument(format!(
                        "elements with a {} cannot be compared",
                        tensor.dtype()
                    ))
                })?;
                for string in strings {
                    number(&mut key, string.len());
                    key.extend_from_slice(string);
                }
            }
        }
    }
    Ok(key)
}
