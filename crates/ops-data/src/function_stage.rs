//! A stage that calls a function of the graph.
//!
//! `downpour_data` has the stages; a function can be called only when the pipeline is open and can be cancelled. So the
//! stage is made anew each time the pipeline is opened, around the function that was opened with it.

use std::sync::Arc;

use downpour_data::{Context, Cursor, Dataset, Length, Stage, State};
use downpour_tensor::Result;

use crate::dataset::GraphDataset;
use crate::function::{Captured, OpenFunction};

/// Makes the pipeline around an opened function.
type Build = dyn Fn(&Dataset, OpenFunction) -> Result<Dataset> + Send + Sync;

struct FunctionStage {
    input: Dataset,
    function: Arc<Captured>,
    name: &'static str,
    length: fn(Option<Length>) -> Option<Length>,
    build: Box<Build>,
}

/// Returns the pipeline that `build` makes of the dataset `input` each time it is opened.
pub(crate) fn dataset(
    name: &'static str,
    input: &GraphDataset,
    function: Arc<Captured>,
    length: fn(Option<Length>) -> Option<Length>,
    build: impl Fn(&Dataset, OpenFunction) -> Result<Dataset> + Send + Sync + 'static,
) -> Dataset {
    let (input, build) = (input.pipeline.clone(), Box::new(build));
    Dataset::new(FunctionStage { input, function, name, length, build })
}

/// The length of a stage that makes one element of each.
pub(crate) fn same_length(length: Option<Length>) -> Option<Length> {
    length
}

/// The length of a stage that only its function knows; nothing remains nothing.
pub(crate) fn unknown_length(length: Option<Length>) -> Option<Length> {
    length.filter(|length| *length == Length::Finite(0))
}

impl Stage for FunctionStage {
    fn describe(&self) -> String {
        self.name.to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.stage().clone()]
    }

    fn length(&self) -> Option<Length> {
        (self.length)(self.input.length())
    }

    fn external_state(&self) -> Option<String> {
        self.function.external_state().or_else(|| self.input.stage().external_state())
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let made = (self.build)(&self.input, self.function.open(context))?;
        made.stage().open(context, state)
    }
}
