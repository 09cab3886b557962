//! A RemoteCall whose target is a constant runs where it calls: its arguments are then sent like any other values.

use crate::device_name::DeviceName;
use crate::graph::Graph;
use crate::node::{Endpoint, NodeId};

/// Asks for the task of its target on behalf of each RemoteCall whose target is known.
pub fn aim_remote_calls(graph: &mut Graph) {
    let calls: Vec<NodeId> = graph
        .nodes()
        .filter(|(_, node)| node.op_name() == "RemoteCall")
        .map(|(id, _)| id)
        .collect();
    for id in calls {
        let node = graph.node(id);
        let target = node.inputs.first().and_then(|end| constant(graph, *end));
        let (Some(target), Ok(own)) = (target, DeviceName::parse(&node.device)) else { continue };
        // A name that is no device is refused when the call is made.
        let Ok(target) = DeviceName::parse(&target) else { continue };
        // Parts that the target leaves open are those of the calling device. The processor does not matter.
        let device = DeviceName {
            job: target.job.or(own.job),
            replica: target.replica.or(own.replica),
            task: target.task.or(own.task),
            kind: None,
            index: None,
        };
        graph.node_mut(id).device = device.to_string();
    }
}

fn constant(graph: &Graph, mut end: Endpoint) -> Option<String> {
    loop {
        let node = graph.node(end.node);
        match node.op_name() {
            "Identity" => end = *node.inputs.first()?,
            "Const" => {
                let value = node.tensor("value").ok()?;
                let text = value.strings().ok()?.first()?;
                return String::from_utf8(text.to_vec()).ok();
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use downpour_tensor::{DataType, Tensor};

    use super::*;
    use crate::attr::{Attrs, Function};
    use crate::builder::GraphBuilder;
    use crate::registry::{OpRegistry, OpSpec};

    fn device_of_call(target: &'static str, device: &str) -> String {
        let mut registry = OpRegistry::new();
        for signature in [
            "Const() -> (output: dtype)\n value: tensor\n dtype: type",
            "RemoteCall(target: string, args: Tin) -> (output: Tout) @stateful
                Tin: list(type) >= 1
                Tout: list(type) >= 1
                f: func",
        ] {
            registry.add(OpSpec::new(signature).unwrap()).unwrap();
        }
        let mut graph = Graph::new();
        let mut builder = GraphBuilder::new(&mut graph, &registry);
        let target = builder.constant(Tensor::string(target)).unwrap();
        let function = Function { name: "f".into(), attrs: Attrs::new() };
        let attrs = Attrs::new().with("f", function).with("Tout", vec![DataType::String]);
        let id = builder.add("RemoteCall", &[target, target], attrs).unwrap();
        graph.node_mut(id).device = device.to_string();
        aim_remote_calls(&mut graph);
        graph.node(id).device.clone()
    }

    #[test]
    fn calls_ask_for_the_task_they_call() {
        let worker = "/job:worker/task:0/device:CPU:0";
        assert_eq!(device_of_call("/job:ps/task:1/cpu:1", worker), "/job:ps/task:1");
        assert_eq!(device_of_call("/cpu:0", worker), "/job:worker/task:0");
        assert_eq!(device_of_call("not a device", worker), worker);
    }
}
