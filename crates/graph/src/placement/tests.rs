use super::*;
use crate::attr::{AttrValue, Attrs};
use crate::builder::GraphBuilder;
use crate::fixture;
use crate::registry::{OpRegistry, OpSpec};
use crate::shape_inference::ShapeContext;
use crate::shapes;

fn registry() -> OpRegistry {
    let mut registry = OpRegistry::new();
    for signature in [
        "Source() -> (out: float)",
        "Variable() -> (ref: Ref(float)) @stateful",
        "Assign(ref: Ref(float), value: float) -> (out: Ref(float))",
        "Add(a: float, b: float) -> (out: float)",
        "Handle() -> (out: resource) @stateful",
        "Read(handle: resource) -> (out: float) @stateful",
    ] {
        registry.add(OpSpec::new(signature).unwrap()).unwrap();
    }
    let mut add = |signature: &str, shape| {
        registry.add(OpSpec::new(signature).unwrap().shape(shape)).unwrap();
    };
    add("Values() -> (out: T)\n T: type = float\n shape: shape", shapes::from_shape_attr);
    add("Cast(x: SrcT) -> (y: DstT)\n SrcT: type\n DstT: type", shapes::unchanged);
    add("Slice(input: T, begin: int32, size: int32) -> (out: T)\n T: type", sliced);
    add("Shape(x: T) -> (out: int32)\n T: type", |cx| {
        cx.set_output(0, crate::PartialShape::vector(cx.input(0).rank()));
        Ok(())
    });
    add("Const() -> (out: dtype)\n value: tensor\n dtype: type", shapes::unknown);
    add("Use(x: T) -> ()\n T: type", shapes::unknown);
    add(
        "Enter(data: T) -> (out: T)\n T: type\n frame_name: string\n is_constant: bool = false\n \
         parallel_iterations: int = 10",
        shapes::unchanged,
    );
    registry
}

fn sliced(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, cx.shape_from_input(2)?);
    Ok(())
}

#[test]
fn fixtures() {
    let registry = registry();
    fixture::check_all("placement/fixtures", &registry, |subgraph| {
        let devices = devices();
        let options =
            PlacementOptions { devices: &devices, default: 1, soft: false, earlier: None };
        let places = place(&subgraph.graph, &options)?;
        let mut graph = subgraph.graph.clone();
        for id in graph.ids() {
            let device = &devices[places[id.index()]];
            let (job, task) = (device.job.as_deref().unwrap_or(""), device.task.unwrap_or(0));
            graph.node_mut(id).device = format!("{job} {task}");
        }
        Ok(fixture::text(&graph, &[]))
    });
}

fn devices() -> Vec<DeviceName> {
    vec![DeviceName::cpu("ps", 0), DeviceName::cpu("worker", 0), DeviceName::cpu("worker", 1)]
}

fn placed(build: impl FnOnce(&mut GraphBuilder<'_>) -> Result<()>) -> Result<String> {
    let registry = registry();
    let mut graph = Graph::new();
    build(&mut GraphBuilder::new(&mut graph, &registry))?;
    let devices = devices();
    let options = PlacementOptions { devices: &devices, default: 1, soft: false, earlier: None };
    let places = place(&graph, &options)?;
    let line = |(id, node): (NodeId, &crate::node::Node)| {
        let device = &devices[places[id.index()]];
        let (job, task) = (device.job.as_deref().unwrap_or(""), device.task.unwrap_or(0));
        format!("{} on {job} {task}", node.name)
    };
    Ok(graph.nodes().map(line).collect::<Vec<_>>().join("; "))
}

fn on(b: &mut GraphBuilder<'_>, id: NodeId, device: &str) {
    b.graph.node_mut(id).device = device.to_string();
}

fn class(b: &mut GraphBuilder<'_>, id: NodeId, of: &str) {
    let class = AttrValue::Str(format!("loc:@{of}").into());
    b.graph.node_mut(id).attrs.0.insert("_class".into(), AttrValue::List(vec![class]));
}

#[test]
fn requests_references_classes_and_defaults() {
    let text = placed(|b| {
        let v = b.add_named("v", "Variable", &[], Attrs::new())?;
        on(b, v, "/job:ps");
        let one = b.add_named("one", "Source", &[], Attrs::new())?;
        b.add_named("assign", "Assign", &[v.into(), one.into()], Attrs::new())?;
        let sum = b.add_named("sum", "Add", &[v.into(), one.into()], Attrs::new())?;
        let slot = b.add_named("slot", "Variable", &[], Attrs::new())?;
        class(b, slot, "v");
        let far = b.add_named("far", "Source", &[], Attrs::new())?;
        let last = b.add_named("last", "Add", &[far.into(), sum.into()], Attrs::new())?;
        on(b, last, "/job:worker/task:1/cpu:0");
        Ok(())
    })
    .unwrap();
    // `one` serves two devices and stays at the default; `far` is made where it is used.
    assert_eq!(
        text,
        "v on ps 0; one on worker 0; assign on ps 0; sum on worker 0; slot on ps 0; \
         far on worker 1; last on worker 1"
    );
}

#[test]
fn resources_bind_their_users() {
    let text = placed(|b| {
        let h = b.add_named("h", "Handle", &[], Attrs::new())?;
        let r = b.add_named("r", "Read", &[h.into()], Attrs::new())?;
        on(b, r, "/job:worker/task:1");
        Ok(())
    });
    assert_eq!(text.unwrap(), "h on worker 1; r on worker 1");
    // The maker of a resource decides, whatever scope its users were built in.
    let text = placed(|b| {
        let h = b.add_named("h", "Handle", &[], Attrs::new())?;
        on(b, h, "/job:ps");
        let r = b.add_named("r", "Read", &[h.into()], Attrs::new())?;
        on(b, r, "/job:worker/task:1");
        Ok(())
    });
    assert_eq!(text.unwrap(), "h on ps 0; r on ps 0");
}

#[test]
fn collisions_say_what_collides_and_why() {
    let e = placed(|b| {
        let v = b.add_named("v", "Variable", &[], Attrs::new())?;
        on(b, v, "/job:ps/task:0");
        let one = b.add_named("one", "Source", &[], Attrs::new())?;
        let a = b.add_named("assign", "Assign", &[v.into(), one.into()], Attrs::new())?;
        on(b, a, "/job:worker/task:1");
        Ok(())
    })
    .unwrap_err();
    for part in
        ["colocation_node v", "colocation_node assign", "/job:ps/task:0", "reference", "jobs"]
    {
        assert!(e.message().contains(part), "{part}: {e}");
    }
    let e = placed(|b| {
        let one = b.add_named("one", "Source", &[], Attrs::new())?;
        on(b, one, "/job:worker/task:7");
        Ok(())
    })
    .unwrap_err();
    assert!(e.message().contains("one") && e.message().contains("/job:worker/task:7"), "{e}");
    assert!(e.message().contains("/job:worker/replica:0/task:1/device:CPU:0"), "{e}");
}
