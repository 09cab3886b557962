//! DatasetToGraph: the graph that makes a dataset, as a string.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{GraphLoader, Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::encode_string;
use downpour_wire::proto::GraphDef;

use super::export::export;
use super::external_state::{self, ExternalStatePolicy};
use crate::dataset::{self, GraphDataset};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, own) in [
        (
            "DatasetToGraph",
            "stateful_whitelist: list(string) >= 0 = []\nallow_stateful: bool = false",
        ),
        ("DatasetToGraphV2", "external_state_policy: int = 0"),
    ] {
        let signature = format!(
            "{name}(input_dataset: variant) -> (graph: string)
                {own}
                strip_device_assignment: bool = false"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |build| Ok(KernelBox::new(ToGraph::new(build)?)))?;
    }
    Ok(())
}

struct ToGraph {
    policy: ExternalStatePolicy,
    strips_devices: bool,
    loader: GraphLoader,
}

impl ToGraph {
    fn new(build: &KernelBuild<'_>) -> Result<ToGraph> {
        let policy = match build.bool("allow_stateful") {
            Ok(true) => ExternalStatePolicy::Ignore,
            Ok(false) => ExternalStatePolicy::Fail,
            Err(_) => ExternalStatePolicy::from_number(build.int("external_state_policy")?)?,
        };
        let strips_devices = build.bool("strip_device_assignment")?;
        Ok(ToGraph { policy, strips_devices, loader: build.loader()? })
    }

    fn graph(&self, dataset: &GraphDataset) -> Result<GraphDef> {
        let mut graph = export(dataset)?;
        let asked = dataset.read_options()?.external_state_policy;
        let policy = match asked {
            Some(number) => ExternalStatePolicy::from_number(number.into())?,
            None => self.policy,
        };
        if policy == ExternalStatePolicy::Fail {
            external_state::check(&graph, self.loader.ops())?;
        }
        if self.strips_devices {
            strip_devices(&mut graph);
        }
        Ok(graph)
    }
}

impl Kernel for ToGraph {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let graph = self.graph(dataset::input(cx, 0)?).map_err(not_serialized)?;
        cx.set_output(0, Tensor::string(encode_string(&graph)?));
        Ok(())
    }
}

/// Returns the error of an operation that needs the graph of a dataset and could not get it.
pub(super) fn not_serialized(error: Status) -> Status {
    Status::failed_precondition(format!(
        "Failed to serialize the input pipeline graph: {}",
        error.message()
    ))
}

/// Takes jobs and tasks out of the devices of functions. Calls of Python stay where Python is.
fn strip_devices(graph: &mut GraphDef) {
    let functions = graph.library.iter_mut().flat_map(|library| &mut library.function);
    for node in functions.flat_map(|function| &mut function.node_def) {
        if node.op != "PyFunc"
            && let Some(at) = node.device.rfind("/device:")
        {
            node.device.drain(..at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_wire::proto::{FunctionDef, FunctionDefLibrary, NodeDef};

    #[test]
    fn devices_lose_their_tasks() {
        let node = |op: &str, device: &str| NodeDef {
            op: op.into(),
            device: device.into(),
            ..NodeDef::default()
        };
        let full = "/job:worker/replica:0/task:1/device:CPU:0";
        let nodes = vec![node("Add", full), node("PyFunc", full), node("Add", "")];
        let function = vec![FunctionDef { node_def: nodes, ..FunctionDef::default() }];
        let library = Some(FunctionDefLibrary { function, ..FunctionDefLibrary::default() });
        let mut graph = GraphDef { library, ..GraphDef::default() };
        strip_devices(&mut graph);
        let library = graph.library.unwrap();
        let devices: Vec<_> =
            library.function[0].node_def.iter().map(|node| node.device.as_str()).collect();
        assert_eq!(devices, ["/device:CPU:0", full, ""]);
    }
}
