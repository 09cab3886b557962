//! One element for each key, made of all elements that have it.

use std::collections::BTreeMap;
use std::sync::Arc;

use downpour_tensor::{Result, Tensor};

use super::super::map::guarded;
use crate::backlog::{RestartableInput, redo};
use crate::context::{Cancel, Context};
use crate::position::{State, malformed};
use crate::stage::{Cursor, Length, Stage};
use crate::{Block, Dataset, Element};

/// How the elements of a group become one.
pub trait Reducer: Send + Sync {
    /// Returns the group of an element.
    fn key(&self, element: &Element) -> Result<i64>;

    /// Returns what a group begins with.
    fn begin(&self, key: i64) -> Result<Vec<Tensor>>;

    /// Returns what a group has with one more element.
    fn add(&self, state: &[Tensor], element: Element) -> Result<Vec<Tensor>>;

    /// Returns the element that a group becomes.
    fn finish(&self, state: &[Tensor]) -> Result<Element>;
}

impl Dataset {
    /// One element for each group of elements, in the order of their keys. All elements are read before the first.
    ///
    /// A resumed iteration reduces all elements again.
    ///
    /// ```
    /// use downpour_data::{Dataset, Element, Reducer};
    /// use downpour_tensor::{Result, Tensor};
    ///
    /// struct Sum;
    ///
    /// impl Reducer for Sum {
    ///     fn key(&self, element: &Element) -> Result<i64> {
    ///         Ok(element[0].to_scalar::<i64>()? % 3)
    ///     }
    ///     fn begin(&self, _: i64) -> Result<Vec<Tensor>> {
    ///         Ok(vec![Tensor::scalar(0i64)])
    ///     }
    ///     fn add(&self, sum: &[Tensor], element: Element) -> Result<Vec<Tensor>> {
    ///         Ok(vec![Tensor::scalar(sum[0].to_scalar::<i64>()? + element[0].to_scalar::<i64>()?)])
    ///     }
    ///     fn finish(&self, sum: &[Tensor]) -> Result<Element> {
    ///         Ok(Element::new(sum.to_vec()))
    ///     }
    /// }
    ///
    /// let sums = Dataset::range(10).group_by_reducer(Sum);
    /// let all: Vec<i64> = sums.iterate()?.map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    /// assert_eq!(all, [18, 12, 15]);
    /// # Ok::<(), downpour_tensor::Status>(())
    /// ```
    pub fn group_by_reducer(&self, reducer: impl Reducer + 'static) -> Dataset {
        Dataset::new(GroupByReducer { input: self.stage().clone(), reducer: Arc::new(reducer) })
    }
}

struct GroupByReducer {
    input: Arc<dyn Stage>,
    reducer: Arc<dyn Reducer>,
}

impl Stage for GroupByReducer {
    fn describe(&self) -> String {
        "group_by_reducer".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        self.input.length().filter(|length| *length == Length::Finite(0))
    }

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let (input, items) = RestartableInput::open(state, |s| self.input.open(context, s))?;
        let mut cursor = ReducerCursor {
            input,
            reducer: self.reducer.clone(),
            cancel: context.cancel().clone(),
            groups: BTreeMap::new(),
            is_at_end: false,
            given: None,
        };
        redo(items, || cursor.read())?;
        cursor.given = match state.map(|state| &state.numbers[..]) {
            None | Some([_]) => None,
            Some([_, given]) => Some(*given as i64),
            _ => return Err(malformed()),
        };
        Ok(Box::new(cursor))
    }
}

struct ReducerCursor {
    input: RestartableInput,
    reducer: Arc<dyn Reducer>,
    cancel: Cancel,
    groups: BTreeMap<i64, Vec<Tensor>>,
    is_at_end: bool,
    /// The key of the group that was delivered last.
    given: Option<i64>,
}

impl ReducerCursor {
    /// Adds an element to its group; false at the end.
    fn read(&mut self) -> Result<bool> {
        self.cancel.check()?;
        let Some(element) = self.input.next()? else { return Ok(false) };
        guarded("group_by_reducer", || {
            let key = self.reducer.key(&element)?;
            let state = match self.groups.get(&key) {
                Some(state) => state,
                None => self.groups.entry(key).or_insert(self.reducer.begin(key)?),
            };
            let state = self.reducer.add(state, element)?;
            self.groups.insert(key, state);
            Ok(true)
        })
    }
}

impl Cursor for ReducerCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        while !self.is_at_end {
            self.is_at_end = !self.read()?;
        }
        self.cancel.check()?;
        let next = match self.given {
            None => self.groups.iter().next(),
            Some(given) => self
                .groups
                .range((std::ops::Bound::Excluded(given), std::ops::Bound::Unbounded))
                .next(),
        };
        let Some((&key, state)) = next else { return Ok(None) };
        self.given = Some(key);
        let made = guarded("group_by_reducer", || self.reducer.finish(state))?;
        Ok(Some(Block::from_element(made)))
    }

    fn state(&self) -> State {
        let given: Vec<u64> = self.given.iter().map(|&key| key as u64).collect();
        self.input.state(&given)
    }
}
