//! DatasetFromGraph: the dataset that a graph makes, which comes as a string.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{AsyncContext, AsyncKernel, GraphLoader, KernelBox, LoadedGraph, Registry};
use downpour_tensor::{Result, Status};

use super::{export, loaded};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("DatasetFromGraph(graph_def: string) -> (handle: variant)")?
            .shape(shapes::scalar),
        |build| Ok(KernelBox::asynchronous(FromGraph(build.loader()?))),
    )
}

struct FromGraph(GraphLoader);

impl AsyncKernel for FromGraph {
    fn start(&self, cx: AsyncContext) {
        match self.load(&cx) {
            Ok(graph) => loaded::finish_with(cx, graph, Vec::new()),
            Err(error) => cx.finish(Err(error)),
        }
    }
}

impl FromGraph {
    fn load(&self, cx: &AsyncContext) -> Result<LoadedGraph> {
        let text = cx.input(0);
        if text.rank() != 0 {
            return Err(Status::invalid_argument("graph_def must be a scalar"));
        }
        let (graph, _charge) = downpour_wire::decode_graph(text.strings()?[0].to_bytes())?;
        let mut results = graph.node.iter().filter(|node| node.op == export::RESULT);
        let fetch = results.next_back().and_then(|node| node.input.first()).ok_or_else(|| {
            Status::not_found(format!(
                "the graph does not say which node is the dataset: it has no node of the operation {}",
                export::RESULT
            ))
        })?;
        self.0.load(&graph, &[fetch])
    }
}
