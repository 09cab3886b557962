//! Elements kept or left out by several threads.

use downpour_tensor::{Result, Tensor};

use super::map::MapFunction;
use super::parallel::Parallel;
use crate::block::Contents;
use crate::stage::Schema;
use crate::{Block, Dataset, Element, Names};

impl Dataset {
    /// The elements for which `keep` is true, which several threads ask for. In order, the results do not depend on the
    /// number of threads.
    ///
    /// ```
    /// use downpour_data::{Dataset, Element, Parallel};
    /// let even = |e: &Element| Ok(e[0].to_scalar::<i64>()? % 2 == 0);
    /// let data = Dataset::range(7).filter_parallel(Parallel::new(2), even);
    /// let all: Vec<i64> = data.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    /// assert_eq!(all, [0, 2, 4, 6]);
    /// ```
    pub fn filter_parallel(
        &self,
        parallel: Parallel,
        keep: impl Fn(&Element) -> Result<bool> + Send + Sync + 'static,
    ) -> Dataset {
        let kept = |element: &Element| match element.tensors().last() {
            Some(answer) => answer.to_scalar::<bool>(),
            None => Ok(false),
        };
        self.map_parallel(parallel, Ask { keep, name: Names::new(["keep"]) })
            .filter(kept)
            .map(WithoutAnswer)
    }
}

/// Adds the answer to an element, as its last tensor.
struct Ask<F> {
    keep: F,
    name: Names,
}

impl<F: Fn(&Element) -> Result<bool> + Send + Sync> MapFunction for Ask<F> {
    fn call(&self, element: Element) -> Result<Element> {
        let answer = (self.keep)(&element)?;
        let (names, mut tensors) = element.into_parts();
        tensors.push(Tensor::scalar(answer));
        Element::from_parts(names.joined(&self.name), tensors)
    }

    fn name(&self) -> String {
        "ask".to_owned()
    }
}

/// Takes the answer away again.
struct WithoutAnswer;

impl MapFunction for WithoutAnswer {
    fn call(&self, element: Element) -> Result<Element> {
        let (names, mut tensors) = element.into_parts();
        tensors.pop();
        Element::from_parts(names.without_last(), tensors)
    }

    fn call_block(&self, block: &Block) -> Option<Result<Block>> {
        let (names, rows, mut contents) = block.clone().into_contents();
        match &mut contents {
            Contents::Columns(columns) => drop(columns.pop()),
            Contents::List(list) => list.iter_mut().for_each(|tensors| drop(tensors.pop())),
        }
        let names = names.without_last();
        Some(match contents {
            Contents::Columns(columns) => Block::from_columns(names, rows, columns),
            Contents::List(list) => Ok(Block::of_list(names, list)),
        })
    }

    fn name(&self) -> String {
        "keep".to_owned()
    }

    fn schema(&self, input: Option<Schema>) -> Option<Schema> {
        let mut schema = input?;
        schema.fields.pop();
        Some(schema)
    }
}
