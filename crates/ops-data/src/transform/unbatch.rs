//! UnbatchDataset: every row of an element as an element.

use std::sync::Arc;

use downpour_data::random_access::{check_number, countable};
use downpour_data::{
    Block, Context, Cursor, Dataset, Element, Length, Names, RandomAccess, Stage, State,
};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::component::Signature;
use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["UnbatchDataset", "ExperimentalUnbatchDataset"] {
        let own = if name == "UnbatchDataset" { "metadata: string = ''" } else { "" };
        let signature = format!(
            "{name}(input_dataset: variant) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                {own}"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(unbatch)))?;
    }
    Ok(())
}

fn unbatch(cx: &mut OpContext<'_>) -> Result<()> {
    let names = Signature::of(cx.node())?.names();
    let input = dataset::input(cx, 0)?;
    let size = input.signature.shapes.iter().find_map(|shape| shape.dim(0)).map(|size| size as u64);
    let rows = input.pipeline.flat_map(move |element| rows(element, &names));
    let unbatch = Unbatch { input: input.pipeline.clone(), rows, size };
    dataset::finish(cx, Dataset::new(unbatch))
}

fn rows(element: Element, names: &Names) -> Result<Dataset> {
    block(element, names).map(Dataset::from_block)
}

fn block(element: Element, names: &Names) -> Result<Block> {
    let components = element.into_tensors();
    let count = components.first().and_then(|component| component.dims().first().copied());
    let count = count.ok_or_else(|| {
        Status::invalid_argument("Cannot unbatch an input with scalar components.")
    })?;
    if components.iter().any(|component| component.dims().first() != Some(&count)) {
        return Err(Status::invalid_argument(
            "Input element must have the same batch size in each component.",
        ));
    }
    Block::from_columns(names.clone(), count, components)
}

/// The rows of all elements; their numbers are known if the program says how many rows an element has.
struct Unbatch {
    input: Dataset,
    rows: Dataset,
    size: Option<u64>,
}

impl Stage for Unbatch {
    fn describe(&self) -> String {
        "unbatch".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.stage().clone()]
    }

    fn is_resumable(&self) -> bool {
        self.rows.stage().is_resumable()
    }

    fn length(&self) -> Option<Length> {
        match (self.input.length()?, self.size.filter(|&size| size > 0)) {
            (Length::Finite(count), Some(size)) => count.checked_mul(size).map(Length::Finite),
            (Length::Finite(_), None) => None,
            (Length::Infinite, _) => Some(Length::Infinite),
        }
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        self.rows.stage().open(context, state)
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        let (size, count) = match (self.size.filter(|&size| size > 0), self.length()) {
            (Some(size), Some(Length::Finite(count))) => (size, Some(count)),
            (Some(size), None) => (size, None),
            // Says what is missing.
            _ => return Err(countable(self).err().unwrap_or_else(unknown_size)),
        };
        let input = self.input.stage().random_access(context, state)?;
        Ok(Box::new(RowAccess { input, size, count }))
    }
}

struct RowAccess {
    input: Box<dyn RandomAccess>,
    size: u64,
    /// Not known if the input does not say how many elements it has.
    count: Option<u64>,
}

fn unknown_size() -> Status {
    Status::failed_precondition(
        "Random access for the `unbatch` dataset requires a known batch size.",
    )
}

impl RandomAccess for RowAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        self.count.map_or(Ok(()), |count| check_number(number, count))?;
        let element = self.input.element(number / self.size)?;
        let names = element.names().clone();
        let block = block(element, &names)?;
        check_number(number % self.size, block.rows() as u64)?;
        block.element((number % self.size) as usize)
    }

    fn state(&self) -> State {
        self.input.state()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_data::Remainder;
    use downpour_tensor::Code;

    fn unbatched(size: Option<u64>) -> Dataset {
        let input = Dataset::range(10).batch(4, Remainder::Drop).unwrap();
        let names = Names::numbered(1);
        let rows = input.flat_map(move |element| rows(element, &names));
        Dataset::new(Unbatch { input, rows, size })
    }

    #[test]
    fn rows_are_found_by_number_if_elements_have_a_known_size() {
        let mut lookup = unbatched(Some(4)).lookup().unwrap();
        for number in [7, 0, 3, 4] {
            assert_eq!(lookup.element(number).unwrap()[0].to_scalar::<i64>().unwrap(), number);
        }
        assert_eq!(lookup.element(8).unwrap_err().code(), Code::OutOfRange);
        assert_eq!(unbatched(Some(4)).length(), Some(Length::Finite(8)));
        let unknown = unbatched(None).lookup().err().unwrap();
        assert_eq!(unknown.code(), Code::FailedPrecondition);
    }
}
