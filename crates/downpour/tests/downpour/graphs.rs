//! Building graphs: names, devices, control dependencies, shapes and refusals.

use downpour::{DataType, Graph, NodeBuilder, PartialShape, Result, Session, ops, tensor};

#[test]
fn names_are_scoped_and_numbered_as_tensorflow_does() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [2, 2])?;
    {
        let _scope = graph.name_scope("dense")?;
        assert_eq!(x.matmul(&x)?.name(), "dense/MatMul:0");
        assert_eq!(x.matmul(&x)?.name(), "dense/MatMul_1:0");
        let _inner = graph.name_scope("act")?;
        assert_eq!(x.relu()?.name(), "dense/act/Relu:0");
    }
    {
        let _scope = graph.name_scope("dense")?;
        assert_eq!((&x + &x)?.name(), "dense_1/add:0");
    }
    assert_eq!(graph.placeholder("x", DataType::Float, ())?.name(), "x_1:0");
    assert!(graph.name_scope("no spaces").is_err());
    assert_eq!(graph.current_scope(), "");
    Ok(())
}

#[test]
fn devices_merge_and_control_dependencies_add_up() -> Result<()> {
    let graph = Graph::new();
    let a = graph.constant(1.0f32)?;
    let device = graph.device("/job:worker/task:1")?;
    let b = {
        let _cpu = graph.device("/cpu:0")?;
        let _after = graph.control_dependencies(&[&a.op()])?;
        graph.constant(2.0f32)?
    };
    assert_eq!(b.op().device(), "/job:worker/task:1/device:CPU:0");
    let c = {
        let _beside = graph.colocate_with(&b.op())?;
        let _after = graph.control_dependencies(&[&b.op(), &a.op()])?;
        // An input needs no control edge.
        (&a + &a)?
    };
    drop(device);
    let proto = graph.to_graph_def()?;
    let node = |name: &str| proto.node.iter().find(|n| n.name == name).unwrap();
    assert_eq!(node(&b.op().name()).input, ["^Const"]);
    assert_eq!(node(&c.op().name()).input, ["Const", "Const", "^Const_1"]);
    assert_eq!(node(&c.op().name()).device, "/job:worker/task:1/device:CPU:0");
    assert!(node(&c.op().name()).attr.contains_key("_class"));
    assert!(graph.device("cpu:0").is_err());
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused_with_the_shapes_and_leaves_no_trace() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [None, Some(3)])?;
    let w = graph.placeholder("w", DataType::Float, [4, 5])?;
    let before = graph.len();
    let refused = x.matmul(&w).unwrap_err();
    for part in ["MatMul", "[?,3], [4,5]", "3 and 4"] {
        assert!(refused.message().contains(part), "{refused}");
    }
    let refused = (&x + &w).unwrap_err();
    assert!(refused.message().contains("[?,3], [4,5]"), "{refused}");
    let integers = graph.placeholder("i", DataType::Int32, [4, 5])?;
    assert!((&w + &integers).unwrap_err().message().contains("AddV2 'add'"));
    assert!((&integers * 0.5).unwrap_err().message().contains("0.5"));
    let other = Graph::new().constant(1.0f32)?;
    assert!((&x + &other).unwrap_err().message().contains("another graph"));
    assert!(NodeBuilder::new("NoSuchOp").input(&x).output().is_err());
    assert_eq!(graph.len(), before + 1);
    assert_eq!(x.matmul(&graph.constant([[1.0f32], [2.0], [3.0]])?)?.name(), "MatMul:0");
    Ok(())
}

#[test]
fn shapes_follow_values_that_are_known() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [2, 3, 4])?;
    let flat = x.reshape(&[2, -1])?;
    assert_eq!(flat.shape(), [2, 12].into());
    assert_eq!(flat.reshape_to(&x.shape_of()?)?.shape(), [2, 3, 4].into());
    assert_eq!(x.reduce_sum(&[-1], true)?.shape(), [2, 3, 1].into());
    assert_eq!(x.mean_all()?.shape(), PartialShape::scalar());
    assert_eq!(x.transpose(&[2, 0, 1])?.shape(), [4, 2, 3].into());
    let parts = x.split(2, 2)?;
    assert_eq!(parts[1].shape(), [2, 3, 2].into());
    assert_eq!(graph.output("split:1")?, parts[1]);
    let unknown = graph.placeholder("u", DataType::Float, PartialShape::unknown())?;
    unknown.set_shape([None, Some(7)])?;
    assert!(unknown.set_shape([1, 8]).is_err());
    assert_eq!(unknown.shape().to_string(), "[?,7]");
    Ok(())
}

#[test]
fn operators_and_typed_operations_run() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [None])?;
    let y = ((2.0 * &x)? - 1.0)?;
    let z = (-(&y / (&x + 1.0))?)?;
    let steps = (graph.constant([1i64, 2])? + 1)?;
    let (top, _) = ops::top_kv2(&z, &graph.constant(1i32)?).sorted(true).name("top").build()?;
    let pieces =
        ops::split_v(&x, &graph.constant([1i32, 2])?, &graph.constant(0i32)?, 2).build()?;
    assert_eq!(pieces.len(), 2);
    let session = Session::local(&graph)?;
    let fed = tensor([1.0f32, 2.0, 4.0])?;
    let values = session.run(&[(&x, fed.clone())], &[&z, &top, &pieces[1], &steps])?;
    assert_eq!(values[0].as_slice::<f32>()?, &[-0.5, -1.0, -1.4]);
    assert_eq!(values[1].as_slice::<f32>()?, &[-0.5]);
    assert_eq!(values[2].as_slice::<f32>()?, &[2.0, 4.0]);
    assert_eq!(values[3].as_slice::<i64>()?, &[2, 3]);
    // The graph grows; the session follows. A prepared step goes on as it was.
    let step = session.prepare(&[&x], &[&y])?;
    let w = y.square()?;
    assert_eq!(session.fetch(&[(&x, fed.clone())], &w)?.as_slice::<f32>()?, &[1.0, 9.0, 49.0]);
    assert_eq!(step.run(vec![fed])?[0].as_slice::<f32>()?, &[1.0, 3.0, 7.0]);
    assert!(step.run(vec![tensor(1.0f32)?]).unwrap_err().message().contains("x:0"));
    assert!(step.run(vec![]).is_err());
    let refused = session.run(&[(&x, tensor([[1.0f32]])?)], &[&y]).unwrap_err();
    assert!(refused.message().contains("[?]") && refused.message().contains("[1,1]"), "{refused}");
    Ok(())
}

#[test]
fn a_graph_comes_back_from_its_message_and_grows_on() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [None, Some(2)])?;
    x.matmul(&graph.constant([[1.0f32], [2.0]])?)?;
    let proto = graph.to_graph_def()?;
    let copy = Graph::from_graph_def(&proto)?;
    assert_eq!(copy.to_graph_def()?, proto);
    let product = copy.output("MatMul")?;
    assert_eq!(product.shape().to_string(), "[?,1]");
    let y = (&product + &product)?;
    assert_eq!(copy.placeholder("x", DataType::Float, ())?.name(), "x_1:0");
    let fed = tensor([[3.0f32, 4.0]])?;
    let value = Session::local(&copy)?.fetch(&[(&copy.output("x")?, fed)], &y)?;
    assert_eq!(value.as_slice::<f32>()?, &[22.0]);
    Ok(())
}
