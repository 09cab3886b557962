//! A shuffle buffer's elements: columns of rows while shapes agree, a list of elements otherwise.
//!
//! Rows are copied in and out. Keeping references to the input's blocks instead would keep every
//! block alive until its last row has left, many times the memory the buffer asks for.

use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};

use crate::rows::{owned, with_rows, writable};
use crate::{Block, Names};

#[derive(Default)]
pub(super) struct Buffer {
    names: Option<Names>,
    store: Store,
    /// How many slots there are; those announced by `reserve_slots` have no contents yet.
    slots: usize,
}

#[derive(Default)]
enum Store {
    #[default]
    Empty,
    Columns(Vec<Column>),
    List(Vec<Vec<Tensor>>),
}

struct Column {
    dtype: DataType,
    row: Vec<usize>,
    /// Values in a row, and their bytes (0 for strings).
    values: usize,
    bytes: usize,
    plain: Vec<u8>,
    strings: Vec<ByteString>,
}

impl Column {
    fn like(tensor: &Tensor) -> Option<Column> {
        let (dtype, row) = (tensor.dtype(), tensor.dims()[1..].to_vec());
        let values: usize = row.iter().product();
        if !dtype.is_plain() && dtype != DataType::String {
            return None;
        }
        let bytes = values * dtype.size();
        Some(Column { dtype, row, values, bytes, plain: Vec::new(), strings: Vec::new() })
    }

    fn fits(&self, tensor: &Tensor) -> bool {
        self.dtype == tensor.dtype() && self.row == tensor.dims()[1..]
    }

    fn is_string(&self) -> bool {
        self.dtype == DataType::String
    }

    fn resize(&mut self, slots: usize) {
        match self.is_string() {
            true => self.strings.resize(slots * self.values, ByteString::new()),
            false => self.plain.resize(slots * self.bytes, 0),
        }
    }

    fn append(&mut self, tensor: &Tensor) -> Result<()> {
        match self.is_string() {
            true => {
                for value in tensor.strings()? {
                    self.strings.push(owned(value)?);
                }
            }
            false => self.plain.extend_from_slice(tensor.bytes().unwrap_or_default()),
        }
        Ok(())
    }

    fn put(&mut self, slot: usize, tensor: &Tensor, row: usize) -> Result<()> {
        let n = if self.is_string() { self.values } else { self.bytes };
        let (to, from) = (slot * n..(slot + 1) * n, row * n..(row + 1) * n);
        match self.is_string() {
            true => {
                let from = &tensor.strings()?[from];
                for (to, from) in self.strings[to].iter_mut().zip(from) {
                    *to = owned(from)?;
                }
            }
            false => {
                let from = &tensor.bytes().unwrap_or_default()[from];
                self.plain[to].copy_from_slice(from);
            }
        }
        Ok(())
    }

    /// Hands out slot after slot; after each, `then` puts something else there.
    fn hand_out(
        &mut self,
        slots: &[usize],
        mut then: impl FnMut(&mut Column, usize, usize) -> Result<()>,
    ) -> Result<Tensor> {
        let shape = with_rows(slots.len(), &self.row);
        if self.is_string() {
            let mut out = Vec::with_capacity(slots.len() * self.values);
            for (k, &slot) in slots.iter().enumerate() {
                let range = slot * self.values..(slot + 1) * self.values;
                out.extend(self.strings[range].iter_mut().map(std::mem::take));
                then(self, k, slot)?;
            }
            return Tensor::from_strings(shape, out);
        }
        let mut out = Tensor::new(self.dtype, shape)?;
        let to = writable(&mut out)?;
        for (k, &slot) in slots.iter().enumerate() {
            to[k * self.bytes..(k + 1) * self.bytes]
                .copy_from_slice(&self.plain[slot * self.bytes..(slot + 1) * self.bytes]);
            then(self, k, slot)?;
        }
        Ok(out)
    }

    /// The last row moves into `slot`.
    fn swap_remove(&mut self, slot: usize) {
        if self.is_string() {
            let last = self.strings.len() - self.values;
            for i in 0..self.values {
                self.strings.swap(slot * self.values + i, last + i);
            }
            self.strings.truncate(last);
        } else {
            let last = self.plain.len() - self.bytes;
            self.plain.copy_within(last.., slot * self.bytes);
            self.plain.truncate(last);
        }
    }
}

impl Buffer {
    /// `slots` empty slots, each to be filled by `put`.
    pub fn reserve_slots(&mut self, slots: usize) {
        self.slots = slots;
    }

    /// Makes the store fit for the block's elements, and the block for the store.
    fn prepare(&mut self, block: &Block) -> Result<()> {
        let names = self.names.get_or_insert_with(|| block.names().clone());
        if names.len() != block.names().len() {
            return Err(Status::invalid_argument(format!(
                "elements of one dataset must have equally many tensors; one has {}, another {}",
                names.len(),
                block.names().len()
            )));
        }
        let columns = block.columns();
        match &mut self.store {
            Store::Empty => {
                let like = |c: &[Tensor]| c.iter().map(Column::like).collect::<Option<Vec<_>>>();
                self.store = match columns.and_then(like) {
                    Some(mut columns) => {
                        columns.iter_mut().for_each(|c| c.resize(self.slots));
                        Store::Columns(columns)
                    }
                    None => Store::List(vec![Vec::new(); self.slots]),
                };
            }
            Store::Columns(own) => {
                let fit = columns.is_some_and(|c| own.iter().zip(c).all(|(o, c)| o.fits(c)));
                if !fit {
                    self.store = Store::List(listed(own, self.slots)?);
                }
            }
            Store::List(_) => {}
        }
        Ok(())
    }

    /// More slots, holding the block's elements.
    pub fn append(&mut self, block: &Block) -> Result<()> {
        let block = &uniform(block);
        self.prepare(block)?;
        self.slots += block.rows();
        match &mut self.store {
            Store::Columns(own) => {
                let columns = block.columns().unwrap_or_default();
                own.iter_mut().zip(columns).try_for_each(|(o, c)| o.append(c))
            }
            Store::List(list) => {
                for row in 0..block.rows() {
                    list.push(block.element(row)?.into_tensors());
                }
                Ok(())
            }
            Store::Empty => Ok(()),
        }
    }

    /// Elements of the block, whose first has the number `first`, go into slots: (number, slot).
    pub fn put(&mut self, places: &[(u64, usize)], first: u64, block: &Block) -> Result<()> {
        if places.is_empty() {
            return Ok(());
        }
        let block = &uniform(block);
        self.prepare(block)?;
        for &(number, slot) in places {
            let row = (number - first) as usize;
            match &mut self.store {
                Store::Columns(own) => {
                    for (own, column) in own.iter_mut().zip(block.columns().unwrap_or_default()) {
                        own.put(slot, column, row)?;
                    }
                }
                Store::List(list) => list[slot] = block.element(row)?.into_tensors(),
                Store::Empty => {}
            }
        }
        Ok(())
    }

    /// Hands out the chosen slots, one after the other, and puts the block's elements there: a slot
    /// chosen twice gives the second time what was put there the first time.
    pub fn exchange(&mut self, chosen: &[usize], block: &Block) -> Result<Block> {
        let block = &uniform(block);
        self.prepare(block)?;
        let names = block.names().clone();
        match &mut self.store {
            Store::Columns(own) => {
                let mut out = Vec::with_capacity(own.len());
                for (own, column) in own.iter_mut().zip(block.columns().unwrap_or_default()) {
                    out.push(own.hand_out(chosen, |own, k, slot| own.put(slot, column, k))?);
                }
                Block::from_columns(names, chosen.len(), out)
            }
            Store::List(list) => {
                let mut out = Vec::with_capacity(chosen.len());
                for (k, &slot) in chosen.iter().enumerate() {
                    let put = block.element(k)?.into_tensors();
                    out.push(std::mem::replace(&mut list[slot], put));
                }
                Ok(Block::of_list(names, out))
            }
            Store::Empty => Err(Status::internal("an empty shuffle buffer has nothing to give")),
        }
    }

    /// Hands out the chosen slots, closing each gap with the last slot.
    pub fn drain(&mut self, chosen: &[usize]) -> Result<Block> {
        let names = self.names.clone().unwrap_or_else(|| Names::numbered(0));
        self.slots -= chosen.len();
        match &mut self.store {
            Store::Columns(own) => {
                let drain = |own: &mut Column| {
                    own.hand_out(chosen, |own, _, slot| {
                        own.swap_remove(slot);
                        Ok(())
                    })
                };
                let out = own.iter_mut().map(drain).collect::<Result<_>>()?;
                Block::from_columns(names, chosen.len(), out)
            }
            Store::List(list) => {
                Ok(Block::of_list(names, chosen.iter().map(|&s| list.swap_remove(s)).collect()))
            }
            Store::Empty => Err(Status::internal("an empty shuffle buffer has nothing to give")),
        }
    }
}

/// Lists whose shapes agree become columns.
fn uniform(block: &Block) -> Block {
    match block.columns() {
        Some(_) => block.clone(),
        None => block.clone().stacked().unwrap_or_else(|_| block.clone()),
    }
}

/// The elements of columns one by one. Slots that are reserved but empty come out as zeros.
fn listed(columns: &[Column], slots: usize) -> Result<Vec<Vec<Tensor>>> {
    let mut list = vec![Vec::with_capacity(columns.len()); slots];
    for column in columns {
        for (slot, element) in list.iter_mut().enumerate() {
            let shape = downpour_tensor::Shape::new(&column.row);
            element.push(match column.is_string() {
                true => {
                    let range = slot * column.values..(slot + 1) * column.values;
                    Tensor::from_strings(shape, column.strings[range].to_vec())?
                }
                false => {
                    let mut tensor = Tensor::new(column.dtype, shape)?;
                    let range = slot * column.bytes..(slot + 1) * column.bytes;
                    writable(&mut tensor)?.copy_from_slice(&column.plain[range]);
                    tensor
                }
            });
        }
    }
    Ok(list)
}
