//! Elements of several blocks, put together to one.

use std::ops::Range;
use std::sync::Arc;

use downpour_tensor::{Result, Tensor};

use crate::Block;
use crate::rows;

/// Elements that were picked from blocks, in the order in which they were picked. They are copied once, when the
/// selection becomes a block.
#[derive(Default)]
pub struct Selection {
    parts: Vec<(Arc<Block>, Range<usize>)>,
    rows: usize,
}

impl Selection {
    /// Adds these elements of a block.
    pub fn pick(&mut self, block: &Arc<Block>, elements: Range<usize>) {
        self.rows += elements.len();
        self.parts.push((block.clone(), elements));
    }

    /// How many elements were picked.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// True if nothing was picked.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Returns the elements; as columns if all of them agree in type and shape.
    pub fn into_block(self) -> Result<Block> {
        match &self.parts[..] {
            [] => Block::from_elements(Vec::new()),
            [(block, elements)] => block.slice(elements.start, elements.end),
            [(first, _), ..] => match self.columns(first.names().len())? {
                Some(columns) => Block::from_columns(first.names().clone(), self.rows, columns),
                None => self.list(first),
            },
        }
    }

    /// Returns the columns together; `None` if the blocks have none, or others.
    fn columns(&self, width: usize) -> Result<Option<Vec<Tensor>>> {
        let all: Option<Vec<(&[Tensor], Range<usize>)>> = self
            .parts
            .iter()
            .map(|(block, elements)| block.columns().map(|columns| (columns, elements.clone())))
            .collect();
        let Some(all) = all.filter(|all| all.iter().all(|(columns, _)| columns.len() == width))
        else {
            return Ok(None);
        };
        let column = |i: usize| {
            let parts = all.iter().map(|(columns, elements)| (&columns[i], elements.clone()));
            rows::concatenate_ranges(parts, self.rows)
        };
        (0..width).map(column).collect()
    }

    fn list(&self, first: &Block) -> Result<Block> {
        let parts = self.parts.iter();
        let blocks = parts.map(|(block, elements)| block.slice(elements.start, elements.end));
        let whole = Block::concatenate(blocks.collect::<Result<_>>()?)?;
        whole.with_names(first.names().clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Element, Names};

    fn numbers(values: &[i64]) -> Arc<Block> {
        let column = Tensor::from_vec([values.len()], values.to_vec()).unwrap();
        let names = Names::new(["x"]);
        Arc::new(Block::from_columns(names, values.len(), vec![column]).unwrap())
    }

    fn text(block: &Block) -> Vec<String> {
        (0..block.rows()).map(|row| format!("{:?}", block.element(row).unwrap())).collect()
    }

    #[test]
    fn columns_stay_columns() {
        let (first, second) = (numbers(&[1, 2, 3]), numbers(&[4, 5]));
        let mut selection = Selection::default();
        assert!(selection.is_empty());
        selection.pick(&second, 1..2);
        selection.pick(&first, 0..2);
        selection.pick(&second, 0..0);
        selection.pick(&second, 0..1);
        assert_eq!(selection.len(), 4);
        let made = selection.into_block().unwrap();
        assert_eq!(made.columns().unwrap()[0].as_slice::<i64>().unwrap(), [5, 1, 2, 4]);
    }

    #[test]
    fn elements_of_other_shapes_are_a_list() {
        let mut selection = Selection::default();
        selection.pick(&numbers(&[1, 2]), 1..2);
        let wide = Element::named([("x", Tensor::from_vec([2], vec![7i64, 8]).unwrap())]);
        let wide = Arc::new(Block::from_element(wide));
        selection.pick(&wide, 0..1);
        let made = selection.into_block().unwrap();
        assert!(made.columns().is_none());
        assert_eq!(text(&made), [text(&numbers(&[2])), text(&wide)].concat());
    }

    #[test]
    fn strings_are_picked_too() {
        let column = Tensor::from_strings([2], vec!["a".into(), "b".into()]).unwrap();
        let block = Block::from_columns(Names::new(["x"]), 2, vec![column]).unwrap();
        let block = Arc::new(block);
        let mut selection = Selection::default();
        [1, 0, 1].into_iter().for_each(|row| selection.pick(&block, row..row + 1));
        let made = selection.into_block().unwrap();
        assert_eq!(made.columns().unwrap()[0].strings().unwrap(), ["b", "a", "b"]);
    }
}
