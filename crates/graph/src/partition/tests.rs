use super::*;
use crate::fixture;
use crate::registry::OpSpec;

fn registry() -> OpRegistry {
    let mut registry = OpRegistry::new();
    for signature in [
        "_Arg() -> (out: T)\n T: type\n index: int = 0",
        "Const() -> (out: dtype)\n value: tensor\n dtype: type",
        "Add(a: float, b: float) -> (out: float)",
        "Less(a: float, b: float) -> (out: bool)",
        "Identity(x: T) -> (out: T)\n T: type",
        "Enter(data: T) -> (out: T)\n T: type\n frame_name: string\n is_constant: bool = false\n \
         parallel_iterations: int = 10",
        "Exit(data: T) -> (out: T)\n T: type",
        "NextIteration(data: T) -> (out: T)\n T: type",
        "Switch(data: T, pred: bool) -> (no: T, yes: T)\n T: type",
        "Merge(inputs: N * T) -> (out: T, index: int32)\n T: type\n N: int >= 1",
        "LoopCond(x: bool) -> (out: bool)",
        "NoOp() -> ()",
        "_Send(tensor: T) -> () @stateful\n T: type\n tensor_name: string\n send_device: string\n \
         send_device_incarnation: int\n recv_device: string\n client_terminated: bool = false",
        "_Recv() -> (tensor: tensor_type) @stateful\n tensor_type: type\n tensor_name: string\n \
         send_device: string\n send_device_incarnation: int\n recv_device: string\n \
         client_terminated: bool = false",
    ] {
        registry.add(OpSpec::new(signature).unwrap()).unwrap();
    }
    registry
}

/// Every partition, and the keys of feeds and fetches.
fn split(subgraph: &Subgraph, registry: &OpRegistry) -> Result<String> {
    let mut devices: Vec<PeerDevice> = Vec::new();
    let mut places = Vec::new();
    for (_, node) in subgraph.graph.nodes() {
        let known = devices.iter().position(|d| d.name == node.device);
        places.push(known.unwrap_or(devices.len()));
        if known.is_none() {
            devices.push(PeerDevice { name: node.device.clone(), incarnation: 5, linked: true });
        }
    }
    let participants = Participants { devices: &devices, master: 0, serial: 0 };
    let split = partition(subgraph, &places, &participants, registry)?;
    let mut text = String::new();
    for part in &split.partitions {
        text += &fixture::text(&part.graph, &["frame_name", "is_constant", "tensor_name"]);
        text += "\n";
    }
    for (name, ends) in [("feed", &split.feeds), ("fetch", &split.fetches)] {
        for Port { part, key, slot } in ends {
            let device = &devices[split.partitions[*part].device].name;
            text += &format!("{name} {slot} {key} @{device}\n");
        }
    }
    Ok(text)
}

#[test]
fn fixtures() {
    let registry = registry();
    fixture::check_all("partition/fixtures", &registry, |graph| split(graph, &registry));
}
