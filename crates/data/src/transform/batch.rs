//! Several elements as one, with a new first axis.

mod access;

use std::sync::Arc;

use downpour_tensor::{Code, DataType, Result, Shape, Status, Tensor};

use super::padding::Padding;
use crate::context::{Cancel, Context};
use crate::position::{State, malformed};
use crate::random_access::RandomAccess;
use crate::stage::{Cursor, Field, Length, Schema, Stage};
use crate::{Block, Dataset, Names};

/// What becomes of the last elements when they do not fill a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remainder {
    /// They are a smaller batch.
    Keep,
    /// They are left out.
    Drop,
    /// They are filled up with zeros and empty strings; every batch gets a further tensor `valid`,
    /// true where an element is a real one.
    Pad,
}

impl Dataset {
    /// Batches of `size` elements, whose shapes must agree.
    pub fn batch(&self, size: usize, remainder: Remainder) -> Result<Dataset> {
        self.batched(size, remainder, None)
    }

    /// Batches of `size` elements whose tensors are padded to the longest among them, or to what
    /// `padding` says.
    pub fn padded_batch(
        &self,
        size: usize,
        remainder: Remainder,
        padding: Padding,
    ) -> Result<Dataset> {
        self.batched(size, remainder, Some(Arc::new(padding)))
    }

    fn batched(
        &self,
        size: usize,
        remainder: Remainder,
        padding: Option<Arc<Padding>>,
    ) -> Result<Dataset> {
        if size == 0 {
            return Err(Status::invalid_argument("a batch must have at least one element"));
        }
        Ok(Dataset::new(Batch { input: self.stage().clone(), size, remainder, padding }))
    }
}

struct Batch {
    input: Arc<dyn Stage>,
    size: usize,
    remainder: Remainder,
    padding: Option<Arc<Padding>>,
}

impl Stage for Batch {
    fn describe(&self) -> String {
        let kind = if self.padding.is_some() { "padded_batch" } else { "batch" };
        format!("{kind}({}, {:?})", self.size, self.remainder)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        let mut schema = self.input.schema()?;
        let exact = self.remainder != Remainder::Keep;
        for field in &mut schema.fields {
            if let Some(padding) = &self.padding {
                padding.describe(field);
            }
            field.shape.insert(0, exact.then_some(self.size));
        }
        if self.remainder == Remainder::Pad {
            schema.fields.push(Field::new("valid", DataType::Bool, &[self.size]));
        }
        Some(schema)
    }

    fn length(&self) -> Option<Length> {
        let size = self.size as u64;
        match self.input.length()? {
            Length::Finite(n) if self.remainder == Remainder::Drop => {
                Some(Length::Finite(n / size))
            }
            Length::Finite(n) => Some(Length::Finite(n.div_ceil(size))),
            Length::Infinite => Some(Length::Infinite),
        }
    }

    fn batch_size(&self) -> Option<usize> {
        Some(self.size)
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let mut cursor = BatchCursor {
            input,
            cancel: context.cancel().clone(),
            size: self.size,
            remainder: self.remainder,
            padding: self.padding.clone(),
            held: Vec::new(),
            rows: 0,
            items: 0,
            before: State::default(),
        };
        if let Some(state) = state {
            let [items] = state.expect()?;
            cursor.restore(items, state.input(0)?)?;
        }
        Ok(Box::new(cursor))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        access::open(self, context, state)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        access::check_global_shuffle(self)
    }
}

struct BatchCursor {
    input: Box<dyn Cursor>,
    cancel: Cancel,
    size: usize,
    remainder: Remainder,
    padding: Option<Arc<Padding>>,
    /// Elements of the batch that is being filled. Empty between calls, unless an error came between.
    held: Vec<Block>,
    rows: usize,
    /// Items read since `before`, the input's state when the batch was begun.
    items: u64,
    before: State,
}

impl BatchCursor {
    fn restore(&mut self, items: u64, before: &State) -> Result<()> {
        self.before = before.clone();
        while self.items < items {
            match self.input.next(self.size.saturating_sub(self.rows).max(1)) {
                Ok(Some(block)) => self.hold(block),
                Ok(None) => return Err(malformed()),
                Err(error) if error.code() == Code::Cancelled => return Err(error),
                Err(_) => self.items += 1,
            }
        }
        if self.rows >= self.size { Err(malformed()) } else { Ok(()) }
    }

    fn hold(&mut self, block: Block) {
        self.items += block.rows() as u64;
        self.rows += block.rows();
        self.held.push(block);
    }

    /// The elements held, as `count` batches.
    fn finish(&mut self, count: usize) -> Result<Option<Block>> {
        let (rows, held) = (self.rows, std::mem::take(&mut self.held));
        (self.rows, self.items) = (0, 0);
        let block = Block::concatenate(held)?;
        let padding =
            self.padding.as_deref().filter(|p| block.columns().is_none() || p.is_explicit());
        let block = match padding {
            Some(padding) => padding.stack(block)?,
            None => block.stacked()?,
        };
        let names = block.names().clone();
        let mut columns = block.columns().unwrap_or_default().to_vec();
        let per_batch = if count == 1 { rows } else { self.size };
        if self.remainder != Remainder::Pad {
            for column in &mut columns {
                *column = split(column, count, per_batch)?;
            }
            return Block::from_columns(names, count, columns).map(Some);
        }
        for column in &mut columns {
            *column = split(&fill_up(column, count * self.size)?, count, self.size)?;
        }
        let valid = Tensor::build([count, self.size], |out: &mut [bool]| {
            out.iter_mut().enumerate().for_each(|(i, v)| *v = i < rows);
        })?;
        columns.push(valid);
        let names = names.joined(&Names::new(["valid"]));
        Block::from_columns(names, count, columns).map(Some)
    }
}

/// Rows as `count` batches of `size`, without a copy.
fn split(column: &Tensor, count: usize, size: usize) -> Result<Tensor> {
    let mut shape = Shape::new(&[count, size]);
    column.dims()[1..].iter().for_each(|&d| shape.push(d));
    column.reshaped(shape)
}

/// The column with rows of zeros behind it.
fn fill_up(column: &Tensor, rows: usize) -> Result<Tensor> {
    let missing = rows - column.dims()[0];
    if missing == 0 {
        return Ok(column.clone());
    }
    let mut shape = column.shape().clone();
    shape.dims_mut()[0] = missing;
    let zeros = Tensor::zeros(column.dtype(), shape)?;
    crate::rows::concatenate([column, &zeros].into_iter())?
        .ok_or_else(|| Status::internal("padding has the shape of what it pads"))
}

impl Cursor for BatchCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        // Whole batches that lie behind each other need no copy.
        let whole = (self.input.ready() / self.size).min(limit);
        if self.rows == 0 && whole > 1 {
            if let Some(block) = self.input.next(whole * self.size)? {
                self.hold(block);
            }
            return self.finish(whole);
        }
        while self.rows < self.size {
            self.cancel.check()?;
            if self.rows == 0 {
                self.before = self.input.state();
            }
            match self.input.next(self.size - self.rows) {
                Ok(Some(block)) => self.hold(block),
                Ok(None) if self.rows == 0 => return Ok(None),
                Ok(None) if self.remainder == Remainder::Drop => {
                    self.held.clear();
                    (self.rows, self.items) = (0, 0);
                    return Ok(None);
                }
                Ok(None) => break,
                Err(error) => {
                    // The elements held stay in their batch, whoever skips the error.
                    self.items += u64::from(self.rows > 0);
                    return Err(error);
                }
            }
        }
        self.finish(1)
    }

    fn state(&self) -> State {
        match self.rows {
            0 => State::of([0]).with([self.input.state()]),
            _ => State::of([self.items]).with([self.before.clone()]),
        }
    }

    fn ready(&self) -> usize {
        if self.rows == 0 && self.padding.is_none() { self.input.ready() / self.size } else { 0 }
    }
}
