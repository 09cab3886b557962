//! A stage that calls a function of the graph.
//!
//! `downpour_data` has the stages; a function can be called only when the pipeline is open and can be cancelled. So the
//! stage is made anew each time the pipeline is opened, around the function that was opened with it.

use std::sync::Arc;

use downpour_data::{Context, Cursor, Dataset, Length, RandomAccess, Stage, State};
use downpour_tensor::{Result, Status};

use crate::dataset::GraphDataset;
use crate::function::{Captured, OpenFunction};

/// Makes the pipeline around functions, which it opens.
type Build = dyn Fn(&Dataset, &Context) -> Result<Dataset> + Send + Sync;

/// Returns how many elements it has, by those of its input.
type LengthOf = dyn Fn(Option<Length>) -> Option<Length> + Send + Sync;

/// Says how many elements a stage has, given how many its input has.
pub(crate) type KnownLength = fn(Option<Length>) -> Option<Length>;

struct FunctionStage {
    input: Dataset,
    functions: Vec<Arc<Captured>>,
    name: &'static str,
    length: Box<LengthOf>,
    /// Each element is made of the one in the same place.
    is_elementwise: bool,
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
    Dataset::new(stage_of_one(name, input, function, Box::new(length), build))
}

/// Returns the same for a stage that makes each element of the one in the same place, so that elements can be made in any
/// order.
pub(crate) fn elementwise(
    name: &'static str,
    input: &GraphDataset,
    function: Arc<Captured>,
    length: KnownLength,
    build: impl Fn(&Dataset, OpenFunction) -> Result<Dataset> + Send + Sync + 'static,
) -> Dataset {
    let stage = stage_of_one(name, input, function, Box::new(length), build);
    Dataset::new(FunctionStage { is_elementwise: true, ..stage })
}

fn stage_of_one(
    name: &'static str,
    input: &GraphDataset,
    function: Arc<Captured>,
    length: Box<LengthOf>,
    build: impl Fn(&Dataset, OpenFunction) -> Result<Dataset> + Send + Sync + 'static,
) -> FunctionStage {
    let functions = vec![function.clone()];
    let build = move |input: &Dataset, context: &Context| build(input, function.open(context));
    let (input, build) = (input.pipeline.clone(), Box::new(build));
    FunctionStage { input, functions, name, length, is_elementwise: false, build }
}

/// Returns the pipeline that `build` makes of the dataset `input` each time it is opened, around several functions.
pub(crate) fn dataset_of_functions(
    name: &'static str,
    input: &GraphDataset,
    functions: &[&Arc<Captured>],
    length: impl Fn(Option<Length>) -> Option<Length> + Send + Sync + 'static,
    build: impl Fn(&Dataset, &Context) -> Result<Dataset> + Send + Sync + 'static,
) -> Dataset {
    let functions = functions.iter().map(|function| Arc::clone(function)).collect();
    let (input, length, build) = (input.pipeline.clone(), Box::new(length), Box::new(build));
    Dataset::new(FunctionStage { input, functions, name, length, is_elementwise: false, build })
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

    fn identify(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.name.as_bytes());
        self.functions.iter().for_each(|function| function.identify(out));
        self.input.stage().identify(out);
    }

    fn external_state(&self) -> Option<String> {
        let own = self.functions.iter().find_map(|function| function.external_state());
        own.or_else(|| self.input.stage().external_state())
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let made = (self.build)(&self.input, context)?;
        made.stage().open(context, state)
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        let made = (self.build)(&self.input, context)?;
        made.stage().random_access(context, state)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        match self.is_elementwise {
            true => self.input.stage().check_global_shuffle(),
            false => Err(Status::failed_precondition(format!(
                "{} does not support random access.",
                self.name
            ))),
        }
    }
}
