//! Elements that lie in memory: the rows of tensors, or a range of numbers.

use downpour_tensor::{Result, Status, Tensor};

use crate::block::Contents;
use crate::context::Context;
use crate::position::{State, malformed};
use crate::random_access::{RandomAccess, check_number};
use crate::stage::{Cursor, Field, Length, Schema, Stage, identify_tensor};
use crate::{Block, Dataset, Element, Names};

/// The rows of tensors that agree in their first axis.
struct Rows {
    block: Block,
}

impl Dataset {
    /// One element per row of the tensors.
    ///
    /// ```
    /// use downpour_data::Dataset;
    /// use downpour_tensor::Tensor;
    /// let x = Tensor::from_vec([3, 2], vec![1f32, 2., 3., 4., 5., 6.]).unwrap();
    /// let y = Tensor::vector(&[0i64, 1, 0]).unwrap();
    /// let data = Dataset::from_tensors([("x", x), ("y", y)]).unwrap();
    /// let second = data.iterate().unwrap().nth(1).unwrap().unwrap();
    /// assert_eq!(second.get("x").unwrap().as_slice::<f32>().unwrap(), &[3., 4.]);
    /// ```
    pub fn from_tensors<N: AsRef<str>>(
        tensors: impl IntoIterator<Item = (N, Tensor)>,
    ) -> Result<Dataset> {
        let (names, tensors): (Vec<N>, Vec<Tensor>) = tensors.into_iter().unzip();
        let rows = tensors.first().and_then(|t| t.dims().first().copied()).ok_or_else(|| {
            Status::invalid_argument("a dataset of rows needs tensors with at least one axis")
        })?;
        let block = Block::from_columns(Names::new(names), rows, tensors)?;
        Ok(Dataset::new(Rows { block }))
    }

    /// The elements of a block that exists.
    pub fn from_block(block: Block) -> Dataset {
        Dataset::new(Rows { block })
    }

    /// The numbers `0..count` as int64 scalars named `index`.
    pub fn range(count: u64) -> Dataset {
        Dataset::new(Range { count })
    }
}

impl Stage for Rows {
    fn identify(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.describe().as_bytes());
        match self.block.clone().into_contents() {
            (_, _, Contents::Columns(columns)) => {
                columns.iter().for_each(|c| identify_tensor(c, out))
            }
            (_, _, Contents::List(list)) => {
                list.iter().flatten().for_each(|component| identify_tensor(component, out));
            }
        }
    }

    fn describe(&self) -> String {
        format!("tensors({})", self.block.rows())
    }

    fn schema(&self) -> Option<Schema> {
        let columns = self.block.columns()?;
        let field = |(name, t): (&str, &Tensor)| Field::new(name, t.dtype(), &t.dims()[1..]);
        Some(Schema { fields: self.block.names().iter().zip(columns).map(field).collect() })
    }

    fn length(&self) -> Option<Length> {
        Some(Length::Finite(self.block.rows() as u64))
    }

    fn open(&self, _: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let at = start(state, self.block.rows() as u64)?;
        Ok(Box::new(RowsCursor { block: self.block.clone(), at: at as usize }))
    }

    fn random_access(&self, _: &Context, _: Option<&State>) -> Result<Box<dyn RandomAccess>> {
        Ok(Box::new(RowsAccess(self.block.clone())))
    }

    fn check_global_shuffle(&self) -> Result<()> {
        Ok(())
    }
}

struct RowsAccess(Block);

impl RandomAccess for RowsAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        check_number(number, self.0.rows() as u64)?;
        self.0.element(number as usize)
    }
}

fn start(state: Option<&State>, count: u64) -> Result<u64> {
    let Some(state) = state else { return Ok(0) };
    let [at] = state.expect()?;
    if at > count { Err(malformed()) } else { Ok(at) }
}

struct RowsCursor {
    block: Block,
    at: usize,
}

impl Cursor for RowsCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let count = limit.min(self.ready());
        if count == 0 {
            return Ok(None);
        }
        self.at += count;
        self.block.slice(self.at - count, self.at).map(Some)
    }

    fn state(&self) -> State {
        State::of([self.at as u64])
    }

    fn ready(&self) -> usize {
        self.block.rows() - self.at
    }
}

struct Range {
    count: u64,
}

impl Stage for Range {
    fn describe(&self) -> String {
        format!("range({})", self.count)
    }

    fn schema(&self) -> Option<Schema> {
        Some(Schema { fields: vec![Field::new("index", downpour_tensor::DataType::Int64, &[])] })
    }

    fn length(&self) -> Option<Length> {
        Some(Length::Finite(self.count))
    }

    fn open(&self, _: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let at = start(state, self.count)?;
        Ok(Box::new(RangeCursor { names: Names::new(["index"]), at, end: self.count }))
    }

    fn random_access(&self, _: &Context, _: Option<&State>) -> Result<Box<dyn RandomAccess>> {
        Ok(Box::new(RangeAccess { names: Names::new(["index"]), count: self.count }))
    }

    fn check_global_shuffle(&self) -> Result<()> {
        Ok(())
    }
}

struct RangeAccess {
    names: Names,
    count: u64,
}

impl RandomAccess for RangeAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        check_number(number, self.count)?;
        Element::from_parts(self.names.clone(), vec![Tensor::scalar(number as i64)])
    }
}

struct RangeCursor {
    names: Names,
    at: u64,
    end: u64,
}

const RANGE_BLOCK: usize = 4096;

impl Cursor for RangeCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let count = limit.min(self.ready());
        if count == 0 {
            return Ok(None);
        }
        let from = self.at;
        self.at += count as u64;
        let column = Tensor::build([count], |out: &mut [i64]| {
            out.iter_mut().zip(from..).for_each(|(o, v)| *o = v as i64);
        })?;
        Block::from_columns(self.names.clone(), count, vec![column]).map(Some)
    }

    fn state(&self) -> State {
        State::of([self.at])
    }

    fn ready(&self) -> usize {
        usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(RANGE_BLOCK)
    }
}
