//! Datasets that a loaded graph makes.

use std::sync::Arc;

use downpour_data::{Context, Cursor, Dataset, Length, RandomAccess, Schema, Stage, State};
use downpour_runtime::{AsyncContext, LoadedGraph};
use downpour_tensor::{Result, Status, Tensor};

use crate::dataset;

/// Runs a graph and finishes the kernel with the dataset it makes.
pub(super) fn finish_with(cx: AsyncContext, graph: LoadedGraph, arguments: Vec<Tensor>) {
    let (graph, step) = (Arc::new(graph), cx.step().clone());
    let function = graph.function().clone();
    function.run(&step, arguments, move |results| {
        let made = results.and_then(|results| keep(&results, graph));
        cx.finish(made.map(|made| vec![made]));
    });
}

/// Returns the dataset among the results. It keeps the graph, whose functions it may call.
fn keep(results: &[Tensor], graph: Arc<LoadedGraph>) -> Result<Tensor> {
    let [made] = results else {
        return Err(Status::internal("a graph of a dataset has one result"));
    };
    let mut dataset = dataset::from_tensor(made)?.clone();
    let stage = dataset.pipeline.stage().clone();
    dataset.pipeline = Dataset::new(LoadedStage { stage, _graph: graph });
    dataset.into_tensor()
}

/// The last stage of a pipeline, and the graph it came from. Nobody sees a difference.
struct LoadedStage {
    stage: Arc<dyn Stage>,
    _graph: Arc<LoadedGraph>,
}

impl Stage for LoadedStage {
    fn describe(&self) -> String {
        self.stage.describe()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        self.stage.inputs()
    }

    fn schema(&self) -> Option<Schema> {
        self.stage.schema()
    }

    fn length(&self) -> Option<Length> {
        self.stage.length()
    }

    fn batch_size(&self) -> Option<usize> {
        self.stage.batch_size()
    }

    fn is_ordered(&self) -> bool {
        self.stage.is_ordered()
    }

    fn is_resumable(&self) -> bool {
        self.stage.is_resumable()
    }

    fn external_state(&self) -> Option<String> {
        self.stage.external_state()
    }

    fn is_repeatable(&self) -> bool {
        self.stage.is_repeatable()
    }

    fn identify(&self, out: &mut Vec<u8>) {
        self.stage.identify(out);
    }

    fn shared(&self) -> Vec<State> {
        self.stage.shared()
    }

    fn restore_shared(&self, states: &mut std::slice::Iter<'_, State>) -> Result<()> {
        self.stage.restore_shared(states)
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        self.stage.open(context, state)
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        self.stage.random_access(context, state)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        self.stage.check_global_shuffle()
    }
}
