//! Datasets that a loaded graph makes.

use std::sync::Arc;

use downpour_data::{Context, Cursor, Dataset, Length, Schema, Stage, State};
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

    fn is_ordered(&self) -> bool {
        self.stage.is_ordered()
    }

    fn is_resumable(&self) -> bool {
        self.stage.is_resumable()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        self.stage.open(context, state)
    }
}
