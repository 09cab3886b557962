//! A function applied to every element, and elements kept or left out.

use std::sync::Arc;

use downpour_tensor::{Result, Status};

use crate::chunk::Reading;
use crate::context::Context;
use crate::position::State;
use crate::random_access::RandomAccess;
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::{Block, Dataset, Element, Names};

/// What [`Dataset::map`] applies: a closure, or anything that makes an element of an element (a
/// graph function, a parser).
///
/// It must give the same for the same element: resumed iterations call it again.
pub trait MapFunction: Send + Sync {
    /// One element.
    fn call(&self, element: Element) -> Result<Element>;

    /// Several elements at once, for functions that are quicker that way; `None` if this one is not.
    /// After an error the elements are tried one by one.
    fn call_block(&self, _: &Block) -> Option<Result<Block>> {
        None
    }

    /// A word for [`Stage::describe`].
    fn name(&self) -> String {
        "map".to_owned()
    }

    /// What the results are, where that is known.
    fn schema(&self, _: Option<Schema>) -> Option<Schema> {
        None
    }
}

impl<F: Fn(Element) -> Result<Element> + Send + Sync> MapFunction for F {
    fn call(&self, element: Element) -> Result<Element> {
        self(element)
    }
}

impl Dataset {
    /// `function` applied to every element, on the thread that asks for it.
    ///
    /// ```
    /// use downpour_data::{Dataset, Element};
    /// use downpour_tensor::Tensor;
    /// let doubled = Dataset::range(3).map(|e: Element| {
    ///     Ok(e.with(vec![Tensor::scalar(e[0].to_scalar::<i64>()? * 2)]))
    /// });
    /// let all: Vec<i64> = doubled.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    /// assert_eq!(all, [0, 2, 4]);
    /// ```
    pub fn map(&self, function: impl MapFunction + 'static) -> Dataset {
        Dataset::new(Map { input: self.stage().clone(), function: Arc::new(function) })
    }

    /// The elements for which `keep` is true.
    pub fn filter(
        &self,
        keep: impl Fn(&Element) -> Result<bool> + Send + Sync + 'static,
    ) -> Dataset {
        Dataset::new(Filter { input: self.stage().clone(), keep: Arc::new(keep) })
    }

    /// Other names for the elements' tensors.
    pub fn rename<I: IntoIterator<Item: AsRef<str>>>(&self, names: I) -> Dataset {
        self.map(Rename(Names::new(names)))
    }
}

/// Calls user code; a panic in it is an error of the element, not the end of the process.
pub(crate) fn guarded<T>(what: &str, call: impl FnOnce() -> Result<T>) -> Result<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Status::internal(format!("the function of {what} panicked: {text}")))
    })
}

/// The function's way with whole blocks, if it has one.
pub(super) fn whole(function: &dyn MapFunction, block: &Block) -> Result<Option<Block>> {
    let made = guarded("map", || function.call_block(block).transpose())?;
    Ok(made.filter(|made| made.rows() == block.rows()))
}

/// True for elements that can be in one block.
pub(super) fn alike(a: &Element, b: &Element) -> bool {
    a.names() == b.names()
}

pub(super) struct Map {
    pub input: Arc<dyn Stage>,
    pub function: Arc<dyn MapFunction>,
}

impl Stage for Map {
    fn describe(&self) -> String {
        self.function.name()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        self.function.schema(self.input.schema())
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let reading = Reading::open(state, |s| self.input.open(context, s))?;
        let (function, cancel) = (self.function.clone(), context.cancel().clone());
        Ok(Box::new(MapCursor { reading, function, cancel, failed: None }))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        MapAccess::open(&*self.input, &self.function, context, state)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        self.input.check_global_shuffle()
    }
}

/// The function applied to the elements that are asked for.
pub(super) struct MapAccess {
    input: Box<dyn RandomAccess>,
    function: Arc<dyn MapFunction>,
    cancel: crate::Cancel,
}

impl MapAccess {
    pub fn open(
        input: &dyn Stage,
        function: &Arc<dyn MapFunction>,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        let input = input.random_access(context, state)?;
        let (function, cancel) = (function.clone(), context.cancel().clone());
        Ok(Box::new(MapAccess { input, function, cancel }))
    }
}

impl RandomAccess for MapAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        self.cancel.check()?;
        let element = self.input.element(number)?;
        guarded("map", || self.function.call(element))
    }

    fn state(&self) -> State {
        self.input.state()
    }
}

struct MapCursor {
    reading: Reading,
    function: Arc<dyn MapFunction>,
    cancel: crate::Cancel,
    /// The error of the chunk's next element, when elements before it were delivered first.
    failed: Option<Status>,
}

impl Cursor for MapCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        if let Some(error) = self.failed.take() {
            self.reading.chunk.advance(1);
            return Err(error);
        }
        // Elements one by one cost time: no more at once than are asked for, and not too many.
        if !self.reading.fill(limit.min(256))? {
            return Ok(None);
        }
        if let Some(rest) = self.reading.chunk.rest()?
            && rest.rows() <= limit
            && let Ok(Some(block)) = whole(&*self.function, &rest)
        {
            self.reading.chunk.advance(rest.rows());
            return Ok(Some(block));
        }
        let mut made = Vec::with_capacity(self.reading.chunk.remaining().min(limit));
        while made.len() < limit && self.reading.chunk.remaining() > 0 {
            self.cancel.check()?;
            let element = self.reading.chunk.peek()?;
            match guarded("map", || self.function.call(element)) {
                // Elements of another make begin a block of their own.
                Ok(element) if made.last().is_some_and(|m| !alike(m, &element)) => break,
                Ok(element) => made.push(element),
                Err(error) if made.is_empty() => {
                    self.reading.chunk.advance(1);
                    return Err(error);
                }
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
            self.reading.chunk.advance(1);
        }
        Block::from_elements(made).map(Some)
    }

    fn state(&self) -> State {
        self.reading.state()
    }
}

type Keep = Arc<dyn Fn(&Element) -> Result<bool> + Send + Sync>;

struct Filter {
    input: Arc<dyn Stage>,
    keep: Keep,
}

impl Stage for Filter {
    fn describe(&self) -> String {
        "filter".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let reading = Reading::open(state, |s| self.input.open(context, s))?;
        let (keep, cancel) = (self.keep.clone(), context.cancel().clone());
        Ok(Box::new(FilterCursor { reading, keep, cancel, failed: None }))
    }
}

struct FilterCursor {
    reading: Reading,
    keep: Keep,
    cancel: crate::Cancel,
    failed: Option<Status>,
}

impl Cursor for FilterCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        if let Some(error) = self.failed.take() {
            self.reading.chunk.advance(1);
            return Err(error);
        }
        loop {
            if !self.reading.fill(limit.min(256))? {
                return Ok(None);
            }
            let Some(block) = self.reading.chunk.rest()? else { continue };
            let mut kept = Vec::new();
            for row in 0..block.rows().min(limit) {
                self.cancel.check()?;
                let element = block.element(row)?;
                match guarded("filter", || (self.keep)(&element)) {
                    Ok(true) => kept.push(row),
                    Ok(false) => {}
                    Err(error) if kept.is_empty() => {
                        self.reading.chunk.advance(1);
                        return Err(error);
                    }
                    Err(error) => {
                        self.failed = Some(error);
                        break;
                    }
                }
                self.reading.chunk.advance(1);
            }
            if !kept.is_empty() {
                return block.gather(&kept).map(Some);
            }
        }
    }

    fn state(&self) -> State {
        self.reading.state()
    }
}

struct Rename(Names);

impl MapFunction for Rename {
    fn call(&self, element: Element) -> Result<Element> {
        Element::from_parts(self.0.clone(), element.into_tensors())
    }

    fn call_block(&self, block: &Block) -> Option<Result<Block>> {
        Some(block.clone().with_names(self.0.clone()))
    }

    fn name(&self) -> String {
        format!("rename({})", self.0.iter().collect::<Vec<_>>().join(", "))
    }

    fn schema(&self, input: Option<Schema>) -> Option<Schema> {
        let mut schema = input.filter(|s| s.fields.len() == self.0.len())?;
        for (field, name) in schema.fields.iter_mut().zip(self.0.iter()) {
            field.name = name.to_owned();
        }
        Some(schema)
    }
}
