//! A stage that calls a function of the graph.
//!
//! `downpour_data` has the stages; a function can be called only when the pipeline is open and can be cancelled. So the
//! stage is made anew each time the pipeline is opened, around the function that was opened with it.

use std::sync::Arc;

use downpour_data::{Context, Cursor, Dataset, Length, Stage, State};
use downpour_tensor::Result;

use crate::dataset::GraphDataset;
use crate::function::{Captured, OpenFunction};

/// Makes the pipeline around functions, which it opens.
type Build = dyn Fn(&Dataset, &Context) -> Result<Dataset> + Send + Sync;

/// Returns how many elements it has, by those of its input.
type LengthOf = dyn Fn(Option<Length>) -> Option<Length> + Send + Sync;

struct FunctionStage {
    input: Dataset,
    name: &'static str,
    length: Box<LengthOf>,
    build: Box<Build>,
}

/// Returns the pipeline that `build` makes of the dataset `input` each time it is opened.
pub(crate) fn dataset(
    name: &'static str,
    input: &GraphDataset,
    function: Arc<Captured>,
    length: impl Fn(Option<Length>) -> Option<Length> + Send + Sync + 'static,
    build: impl Fn(&Dataset, OpenFunction) -> Result<Dataset> + Send + Sync + 'static,
) -> Dataset {
    dataset_of_functions(name, input, length, move |input, context| {
        build(input, function.open(context))
    })
}

/// Returns the pipeline that `build` makes of the dataset `input` each time it is opened, around any number of functions.
pub(crate) fn dataset_of_functions(
    name: &'static str,
    input: &GraphDataset,
    length: impl Fn(Option<Length>) -> Option<Length> + Send + Sync + 'static,
    build: impl Fn(&Dataset, &Context) -> Result<Dataset> + Send + Sync + 'static,
) -> Dataset {
    let (input, length) = (input.pipeline.clone(), Box::new(length));
    Dataset::new(FunctionStage { input, name, length, build: Box::new(build) })
}

/// The length of a stage that makes one element of each.
pub(crate) fn same_length(length: Option<Length>) -> Option<Length> {
    length
}

/// The length of a stage that only its function knows.
pub(crate) fn unknown_length(_: Option<Length>) -> Option<Length> {
    None
}

/// The same for a stage that does not end before its input.
pub(crate) fn endless_length(length: Option<Length>) -> Option<Length> {
    length.filter(|length| *length == Length::Infinite)
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

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let made = (self.build)(&self.input, context)?;
        made.stage().open(context, state)
    }
}
