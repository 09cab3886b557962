use super::*;
use crate::registry::OpSpec;

fn registry() -> OpRegistry {
    let mut registry = OpRegistry::new();
    for signature in [
        "_Arg() -> (out: T)\n T: type\n index: int",
        "Const() -> (out: dtype)\n value: tensor\n dtype: type",
        "Add(a: float, b: float) -> (out: float)",
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

fn text(partition: &Partition, devices: &[PeerDevice]) -> String {
    let mut lines = vec![format!("{}:", devices[partition.device].name)];
    for (_, node) in partition.graph.nodes() {
        let mut inputs: Vec<String> =
            node.inputs.iter().map(|e| partition.graph.node(e.node).name.clone()).collect();
        inputs.extend(node.controls.iter().map(|c| format!("^{}", partition.graph.node(*c).name)));
        lines.push(format!("  {} = {}({})", node.name, node.op_name(), inputs.join(", ")));
    }
    lines.join("\n")
}

#[test]
fn values_cross_once_and_constants_are_copied() {
    let registry = registry();
    let mut graph = Graph::new();
    let mut b = GraphBuilder::new(&mut graph, &registry);
    let arg = Attrs::new().with("T", DataType::Float).with("index", 0i64);
    let x = b.add_named("x", "_Arg", &[], arg).unwrap();
    let one = b.constant(Tensor::scalar(1f32)).unwrap();
    let w = b.add_named("w", "Add", &[x.into(), one], Attrs::new()).unwrap();
    let y = b.add_named("y", "Add", &[w.into(), one], Attrs::new()).unwrap();
    let z = b.add_named("z", "Add", &[w.into(), y.into()], Attrs::new()).unwrap();
    let done = b.add_named("done", "NoOp", &[], Attrs::new()).unwrap();
    b.graph.node_mut(done).controls = vec![z];
    let subgraph = Subgraph { graph, args: vec![x], fetches: vec![z.into()], targets: vec![done] };
    let peer = |name: &str| PeerDevice { name: name.into(), incarnation: 5, linked: true };
    let devices = [peer("ps"), peer("worker")];
    // x and w on the parameter server, the rest but `done` on the worker.
    let places = [0, 0, 0, 1, 1, 0];
    let all = Participants { devices: &devices, master: 1, serial: 7 };
    let split = partition(&subgraph, &places, &all, &|_| None, &registry).unwrap();
    let texts: Vec<String> = split.partitions.iter().map(|p| text(p, &devices)).collect();
    assert_eq!(
        texts.join("\n"),
        "ps:
  x_S7 = _Recv()
  Const = Const()
  w = Add(x_S7, Const)
  done = NoOp(^z/_done/_recv_S7)
  w/_send_S7 = _Send(w)
  z/_done/_recv_S7 = _Recv()
worker:
  y = Add(w/_recv_S7, Const/_copy)
  z = Add(w/_recv_S7, y)
  w/_recv_S7 = _Recv()
  Const/_copy = Const()
  z/_done = Const(^z)
  z/_done/_send_S7 = _Send(z/_done)
  _fetch_0_S7 = _Send(z)"
    );
    let port = |part, key: &str, slot| Port { part, key: key.into(), slot };
    assert_eq!(split.feeds, [port(0, "ps;0000000000000005;ps;feed_0;0:0", 0)]);
    assert_eq!(split.fetches, [port(1, "worker;0000000000000005;worker;fetch_0;0:0", 3)]);
    let spans = partition(&subgraph, &places, &all, &|_| Some("while".into()), &registry);
    assert!(spans.err().unwrap().message().contains("'while'"));
}
