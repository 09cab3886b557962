//! Several consecutive elements that travel together.
//!
//! Elements form a sequence; how it is cut into blocks is nobody's business but the speed's. Most
//! blocks are columns: one tensor per name, whose first axis counts the elements. Elements whose
//! tensors differ in shape travel as a list.

use downpour_tensor::{Result, Status, Tensor};

use crate::element::{Element, Names};
use crate::rows;

/// One or more consecutive elements.
#[derive(Clone, Debug)]
pub struct Block {
    names: Names,
    rows: usize,
    contents: Contents,
}

#[derive(Clone, Debug)]
pub(crate) enum Contents {
    /// One tensor per name, with a row per element.
    Columns(Vec<Tensor>),
    /// Per element its tensors.
    List(Vec<Vec<Tensor>>),
}

impl Block {
    /// Columns: every tensor has `rows` rows.
    pub fn from_columns(names: Names, rows: usize, columns: Vec<Tensor>) -> Result<Block> {
        if columns.len() != names.len() {
            return Err(Status::invalid_argument(format!(
                "{} columns cannot have {} names",
                columns.len(),
                names.len()
            )));
        }
        for (name, column) in names.iter().zip(&columns) {
            if column.dims().first() != Some(&rows) {
                return Err(Status::invalid_argument(format!(
                    "the column {name:?} has shape {}; its first axis must be {rows}, the number of elements",
                    column.shape()
                )));
            }
        }
        Ok(Block { names, rows, contents: Contents::Columns(columns) })
    }

    /// A list of elements, stacked into columns where their shapes agree. All must have as many
    /// tensors as the first.
    pub fn from_elements(elements: Vec<Element>) -> Result<Block> {
        let Some(first) = elements.first() else {
            return Ok(Block {
                names: Names::numbered(0),
                rows: 0,
                contents: Contents::List(Vec::new()),
            });
        };
        let names = first.names().clone();
        for element in &elements {
            if element.tensors().len() != names.len() {
                return Err(Status::invalid_argument(format!(
                    "elements of one dataset must have equally many tensors; one has {}, another {}",
                    names.len(),
                    element.tensors().len()
                )));
            }
        }
        let list = elements.into_iter().map(Element::into_tensors).collect();
        Ok(Block::of_list(names, list))
    }

    /// One element.
    pub fn from_element(element: Element) -> Block {
        let (names, tensors) = element.into_parts();
        Block::of_list(names, vec![tensors])
    }

    pub(crate) fn of_list(names: Names, list: Vec<Vec<Tensor>>) -> Block {
        Block { names, rows: list.len(), contents: Contents::List(list) }
    }

    /// How many elements.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the bytes of all elements together.
    pub(crate) fn byte_len(&self) -> usize {
        let sum = |tensors: &[Tensor]| tensors.iter().map(Tensor::byte_len).sum::<usize>();
        match &self.contents {
            Contents::Columns(columns) => sum(columns),
            Contents::List(list) => list.iter().map(|tensors| sum(tensors)).sum(),
        }
    }

    /// The names of the elements' tensors.
    pub fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn with_names(mut self, names: Names) -> Result<Block> {
        if names.len() != self.names.len() {
            return Err(Status::invalid_argument(format!(
                "elements have {} tensors, but {} names were given",
                self.names.len(),
                names.len()
            )));
        }
        self.names = names;
        Ok(self)
    }

    /// The columns, when the elements agree in shape and lie that way.
    pub fn columns(&self) -> Option<&[Tensor]> {
        match &self.contents {
            Contents::Columns(columns) => Some(columns),
            Contents::List(_) => None,
        }
    }

    pub(crate) fn into_contents(self) -> (Names, usize, Contents) {
        (self.names, self.rows, self.contents)
    }

    /// The element in place `row`; plain columns are not copied.
    pub fn element(&self, row: usize) -> Result<Element> {
        let tensors = match &self.contents {
            Contents::Columns(columns) => {
                columns.iter().map(|c| rows::row(c, row)).collect::<Result<_>>()?
            }
            Contents::List(list) => list
                .get(row)
                .cloned()
                .ok_or_else(|| Status::internal(format!("a block has no row {row}")))?,
        };
        Element::from_parts(self.names.clone(), tensors)
    }

    /// The elements `start..end`; plain columns are not copied.
    pub fn slice(&self, start: usize, end: usize) -> Result<Block> {
        if start == 0 && end == self.rows {
            return Ok(self.clone());
        }
        let contents = match &self.contents {
            Contents::Columns(columns) => Contents::Columns(
                columns.iter().map(|c| c.rows(start, end)).collect::<Result<_>>()?,
            ),
            Contents::List(list) => Contents::List(
                list.get(start..end)
                    .ok_or_else(|| Status::internal(format!("a block has no rows {start}..{end}")))?
                    .to_vec(),
            ),
        };
        Ok(Block { names: self.names.clone(), rows: end - start, contents })
    }

    /// The elements with these numbers, in this order.
    pub fn gather(&self, picked: &[usize]) -> Result<Block> {
        if let Some(row) = picked.iter().find(|&&r| r >= self.rows) {
            return Err(Status::internal(format!("a block has no row {row}")));
        }
        let contents = match &self.contents {
            Contents::Columns(columns) => Contents::Columns(
                columns.iter().map(|c| rows::gather(c, picked)).collect::<Result<_>>()?,
            ),
            Contents::List(list) => {
                Contents::List(picked.iter().map(|&r| list[r].clone()).collect())
            }
        };
        Ok(Block { names: self.names.clone(), rows: picked.len(), contents })
    }

    /// Elements of several blocks behind each other; columns if all agree.
    pub fn concatenate(mut blocks: Vec<Block>) -> Result<Block> {
        if blocks.len() == 1 {
            return Ok(blocks.remove(0));
        }
        let Some(first) = blocks.first() else { return Block::from_elements(Vec::new()) };
        let (names, width) = (first.names.clone(), first.names.len());
        if let Some(other) = blocks.iter().find(|b| b.names.len() != width) {
            return Err(Status::invalid_argument(format!(
                "elements of one dataset must have equally many tensors; one has {width}, another {}",
                other.names.len()
            )));
        }
        let rows = blocks.iter().map(|b| b.rows).sum();
        if blocks.iter().all(|b| b.columns().is_some()) {
            let column = |i: usize| {
                rows::concatenate(blocks.iter().filter_map(|b| b.columns()).map(|c| &c[i]))
            };
            let columns = (0..width).map(column).collect::<Result<Option<Vec<_>>>>()?;
            if let Some(columns) = columns {
                return Ok(Block { names, rows, contents: Contents::Columns(columns) });
            }
        }
        let mut list = Vec::with_capacity(rows);
        for block in &blocks {
            for row in 0..block.rows {
                list.push(block.element(row)?.into_tensors());
            }
        }
        Ok(Block::of_list(names, list))
    }

    /// The same elements as columns; `Err` names the tensor whose shapes or types differ.
    pub fn stacked(self) -> Result<Block> {
        let Contents::List(list) = &self.contents else { return Ok(self) };
        let mut columns = Vec::with_capacity(self.names.len());
        for (i, name) in self.names.iter().enumerate() {
            let column = rows::stack(list.iter().map(|tensors| &tensors[i]))?;
            columns.push(column.ok_or_else(|| unequal(name, list, i))?);
        }
        Ok(Block { names: self.names, rows: self.rows, contents: Contents::Columns(columns) })
    }
}

fn unequal(name: &str, list: &[Vec<Tensor>], i: usize) -> Status {
    let first = &list[0][i];
    let differs = |t: &Tensor| t.dtype() != first.dtype() || t.dims() != first.dims();
    let Some(row) = list.iter().position(|tensors| differs(&tensors[i])) else {
        return Status::internal("elements that agree could not be stacked");
    };
    let other = &list[row][i];
    if other.dtype() != first.dtype() {
        return Status::invalid_argument(format!(
            "Cannot batch tensors with different types in component {i} ({name:?}). First element had type {} and \
             element {row} had type {}.",
            first.dtype(),
            other.dtype()
        ));
    }
    Status::invalid_argument(format!(
        "Cannot batch tensors with different shapes in component {i}. First element had shape {} and element {row} \
         had shape {}. The component is called {name:?}; use padded_batch, or map its tensors to one shape",
        first.shape(),
        other.shape()
    ))
}
