//! A function applied to every element that also carries a state from one to the next.

use std::sync::Arc;

use downpour_tensor::{Result, Tensor};

use super::map::guarded;
use crate::backlog::{RestartableInput, redo};
use crate::context::{Cancel, Context};
use crate::position::State;
use crate::stage::{Cursor, Length, Stage};
use crate::{Block, Dataset, Element};

type Step = Arc<dyn Fn(&[Tensor], Element) -> Result<Option<(Vec<Tensor>, Element)>> + Send + Sync>;

impl Dataset {
    /// The elements that `step` makes of a state and each element, beginning with the state `initial`; it also returns the
    /// state for the next element, or none to end the dataset. After an error the state is what it was.
    ///
    /// A resumed iteration applies `step` to all elements from the beginning again.
    ///
    /// ```
    /// use downpour_data::{Dataset, Element};
    /// use downpour_tensor::Tensor;
    /// let sums = Dataset::range(5).scan(vec![Tensor::scalar(0i64)], |sum: &[Tensor], e: Element| {
    ///     let sum = Tensor::scalar(sum[0].to_scalar::<i64>()? + e[0].to_scalar::<i64>()?);
    ///     Ok(Some((vec![sum.clone()], e.with(vec![sum]))))
    /// });
    /// let all: Vec<i64> = sums.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    /// assert_eq!(all, [0, 1, 3, 6, 10]);
    /// ```
    pub fn scan(
        &self,
        initial: Vec<Tensor>,
        step: impl Fn(&[Tensor], Element) -> Result<Option<(Vec<Tensor>, Element)>>
        + Send
        + Sync
        + 'static,
    ) -> Dataset {
        Dataset::new(Scan { input: self.stage().clone(), initial, step: Arc::new(step) })
    }
}

struct Scan {
    input: Arc<dyn Stage>,
    initial: Vec<Tensor>,
    step: Step,
}

impl Stage for Scan {
    fn describe(&self) -> String {
        "scan".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    /// The function may end the dataset.
    fn length(&self) -> Option<Length> {
        self.input.length().filter(|length| *length == Length::Finite(0))
    }

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let (input, items) = RestartableInput::open(state, |s| self.input.open(context, s))?;
        let mut cursor = ScanCursor {
            input,
            carried: self.initial.clone(),
            step: self.step.clone(),
            cancel: context.cancel().clone(),
            is_over: false,
        };
        redo(items, || Ok(cursor.make()?.is_some() || cursor.is_over))?;
        Ok(Box::new(cursor))
    }
}

struct ScanCursor {
    input: RestartableInput,
    /// The state for the next element.
    carried: Vec<Tensor>,
    step: Step,
    cancel: Cancel,
    is_over: bool,
}

impl ScanCursor {
    fn make(&mut self) -> Result<Option<Element>> {
        self.cancel.check()?;
        if self.is_over {
            return Ok(None);
        }
        let Some(element) = self.input.next()? else { return Ok(None) };
        match guarded("scan", || (self.step)(&self.carried, element))? {
            Some((carried, made)) => {
                self.carried = carried;
                Ok(Some(made))
            }
            None => {
                self.is_over = true;
                Ok(None)
            }
        }
    }
}

impl Cursor for ScanCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        Ok(self.make()?.map(Block::from_element))
    }

    fn state(&self) -> State {
        self.input.state(&[])
    }
}
