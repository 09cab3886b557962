//! IndexFlatMapDataset: the parts of elements, of which a function of the graph says where each lies.
//!
//! For the n-th element one function gives a pair: the number of an input element, and a place within it. The other
//! function takes that input element apart. So an element can be found by its number, and a global shuffle may read the
//! dataset in its own order. Read in order, the input moves on whenever the first number becomes larger.

use std::sync::Arc;

use downpour_data::random_access::{check_number, countable};
use downpour_data::{
    Block, Context, Cursor, Dataset, Element, Length, Names, RandomAccess, Stage, State,
};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use crate::component::Signature;
use crate::dataset::{self, scalar_i64};
use crate::function::{Captured, OpenFunction, end_of_sequence};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "IndexFlatMapDataset(input_dataset: variant, map_func_other_args: Tmap_func_args, index_map_func_other_args: Tindex_map_func_args, output_cardinality: int64) -> (handle: variant)
                map_func: func
                index_map_func: func
                Tmap_func_args: list(type) >= 0
                Tindex_map_func_args: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |build| {
            let (map, place) = (build.callable("map_func")?, build.callable("index_map_func")?);
            Ok(KernelBox::new(IndexFlatMap { map, place }))
        },
    )
}

struct IndexFlatMap {
    map: Arc<FunctionHandle>,
    place: Arc<FunctionHandle>,
}

const INFINITE: i64 = -1;

impl Kernel for IndexFlatMap {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let length = match scalar_i64(cx, cx.inputs_len() - 1, "output_cardinality")? {
            INFINITE => Some(Length::Infinite),
            count => u64::try_from(count).ok().map(Length::Finite),
        };
        let parts = Parts {
            input: dataset::input(cx, 0)?.pipeline.stage().clone(),
            map: Captured::new(cx, &self.map, "map_func_other_args")?,
            place: Captured::new(cx, &self.place, "index_map_func_other_args")?,
            names: Signature::of(cx.node())?.names(),
            length,
        };
        dataset::finish(cx, Dataset::new(parts))
    }
}

struct Parts {
    input: Arc<dyn Stage>,
    map: Arc<Captured>,
    place: Arc<Captured>,
    names: Names,
    length: Option<Length>,
}

impl Parts {
    fn functions(&self, context: &Context) -> Functions {
        let (map, place) = (self.map.open(context), self.place.open(context));
        Functions { map, place, names: self.names.clone() }
    }
}

impl Stage for Parts {
    fn describe(&self) -> String {
        "index_flat_map".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        self.length
    }

    /// The state says the number of the next element, that of the input element which is taken apart, whether there is
    /// one, and whether the input has ended; and the state of the input before that element.
    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [next, held, is_held, is_at_end] = state.map_or(Ok([0; 4]), State::expect)?;
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let before = input.state();
        let mut cursor = PartsCursor {
            input,
            functions: self.functions(context),
            before,
            held: None,
            held_number: held,
            next,
            is_at_end: is_at_end != 0,
        };
        if is_held != 0 {
            cursor.advance(held)?;
        }
        Ok(Box::new(cursor))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        let count = countable(self)?;
        let input = self.input.random_access(context, state)?;
        Ok(Box::new(PartsAccess { input, functions: self.functions(context), count }))
    }

    fn check_global_shuffle(&self) -> Result<()> {
        self.input.check_global_shuffle()
    }
}

struct Functions {
    map: OpenFunction,
    place: OpenFunction,
    names: Names,
}

impl Functions {
    /// Returns the number of the input element that holds an element, and the element's place there.
    fn place(&self, number: u64) -> Result<(u64, u64)> {
        let number = Tensor::scalar(i64::try_from(number).unwrap_or(i64::MAX));
        let results = self.place.call(vec![number]).map_err(end_of_sequence)?;
        let [element, offset] = &results[..] else {
            return Err(Status::invalid_argument(format!(
                "The `index_map_fn` for `index_flat_map` is expected to return two int values representing the element \
                 index and an offset within the element. Got {} tensors",
                results.len()
            )));
        };
        Ok((whole(element)?, whole(offset)?))
    }

    fn take_apart(&self, element: Element) -> Result<Vec<Tensor>> {
        self.map.call(element.into_tensors()).map_err(end_of_sequence)
    }

    /// Returns a part of an input element: one of its components if there are several, else a row.
    fn part(&self, components: &[Tensor], offset: u64) -> Result<Element> {
        let beyond = |count: usize| {
            Status::invalid_argument(format!(
                "`index_flat_map` got invalid `index_map_func` which returns offset {offset}, but the input element has \
                 {count} elements"
            ))
        };
        let place = usize::try_from(offset).unwrap_or(usize::MAX);
        let part = match components {
            [whole] if whole.rank() == 0 => whole.clone(),
            [rows] => {
                let count = rows.dims()[0];
                if place >= count {
                    return Err(beyond(count));
                }
                rows.rows(place, place + 1)?.into_shape(Shape::new(&rows.dims()[1..]))?
            }
            several => several.get(place).cloned().ok_or_else(|| beyond(several.len()))?,
        };
        Element::from_parts(self.names.clone(), vec![part])
    }
}

fn whole(tensor: &Tensor) -> Result<u64> {
    use DataType::{Int32, Int64, UInt32, UInt64};
    let number = match tensor.dtype() {
        UInt64 if tensor.rank() == 0 => Some(tensor.to_scalar::<u64>()?),
        Int32 | Int64 | UInt32 if tensor.rank() == 0 => u64::try_from(tensor.to_i64_scalar()?).ok(),
        _ => None,
    };
    number.ok_or_else(|| {
        Status::invalid_argument(format!(
            "The `index_map_func` for `index_flat_map` is expected to return two int32/int64 values representing the \
             element index and an offset within the element. Got: {} of shape {}",
            tensor.dtype(),
            tensor.shape()
        ))
    })
}

struct PartsCursor {
    input: Box<dyn Cursor>,
    functions: Functions,
    /// The state of the input before the element that is held.
    before: State,
    /// The components of the input element that is taken apart, and its number.
    held: Option<Vec<Tensor>>,
    held_number: u64,
    /// The number of the next element.
    next: u64,
    is_at_end: bool,
}

impl PartsCursor {
    /// Takes the input's next element apart; `number` is what the program calls it.
    fn advance(&mut self, number: u64) -> Result<()> {
        self.held = None;
        self.before = self.input.state();
        let Some(block) = self.input.next(1)? else {
            self.is_at_end = true;
            return Ok(());
        };
        self.held = Some(self.functions.take_apart(block.element(0)?)?);
        self.held_number = number;
        Ok(())
    }
}

impl Cursor for PartsCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        if self.is_at_end {
            return Ok(None);
        }
        let place = self.functions.place(self.next);
        if let Ok((number, _)) = place
            && (self.held.is_none() || number > self.held_number)
        {
            self.advance(number)?;
        }
        if self.is_at_end {
            return Ok(None);
        }
        // An error is an element, too.
        self.next += 1;
        let components = self.held.as_deref().unwrap_or_default();
        let part = place.and_then(|(_, offset)| self.functions.part(components, offset))?;
        Ok(Some(Block::from_element(part)))
    }

    fn state(&self) -> State {
        let is_held = self.held.is_some();
        let input = if is_held { self.before.clone() } else { self.input.state() };
        let flags = [u64::from(is_held), u64::from(self.is_at_end)];
        State::of([self.next, self.held_number, flags[0], flags[1]]).with([input])
    }
}

struct PartsAccess {
    input: Box<dyn RandomAccess>,
    functions: Functions,
    count: u64,
}

impl RandomAccess for PartsAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        check_number(number, self.count)?;
        let (element, offset) = self.functions.place(number)?;
        let element = self.input.element(element).map_err(end_of_sequence)?;
        let components = self.functions.take_apart(element)?;
        self.functions.part(&components, offset)
    }

    fn state(&self) -> State {
        self.input.state()
    }
}
