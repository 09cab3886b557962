//! Variables, their first values, placement, gradients and clipping.

use downpour::{
    DataType, Gradient, GradientOptions, Graph, Result, Session, Variable, clip_by_global_norm,
    gradients, gradients_with, initializers as init, tensor,
};

fn values(session: &Session, variable: &Variable) -> Result<Vec<f32>> {
    Ok(session.fetch(&[], &variable.value())?.as_slice::<f32>()?.to_vec())
}

#[test]
fn a_variable_is_initialized_read_and_changed() -> Result<()> {
    let graph = Graph::new();
    let w = {
        let _scope = graph.variable_scope("layer")?;
        graph.variable("w", [2], DataType::Float, init::value([1.0f32, 2.0])?)?
    };
    assert_eq!(w.name(), "layer/w");
    assert_eq!(w.initializer().name(), "layer/w/Assign");
    assert_eq!(w.value().shape(), [2].into());
    let step = graph.global_step()?;
    assert_eq!(graph.global_step()?, step);
    let more = w.assign_add(&graph.constant([10.0f32, 20.0])?)?;
    let after = {
        let _after = graph.control_dependencies(&[&more])?;
        w.read()?
    };
    assert_eq!(graph.trainable_variables(), std::slice::from_ref(&w));
    let missing = graph.report_uninitialized(&graph.variables())?;
    let start = graph.initialize_variables()?;
    let session = Session::local(&graph)?;
    let report = session.fetch(&[], &missing)?;
    assert_eq!(report.strings()?, [b"layer/w".as_slice(), b"global_step"]);
    session.run(&[], &[&start])?;
    assert!(session.fetch(&[], &missing)?.is_empty());
    assert_eq!(session.fetch(&[], &after)?.as_slice::<f32>()?, &[11.0, 22.0]);
    assert_eq!(values(&session, &w)?, [11.0, 22.0]);
    assert!(w.assign(&graph.constant([1.0f32])?).unwrap_err().message().contains("layer/w"));
    Ok(())
}

#[test]
fn placement_reaches_everything_that_belongs_to_a_variable() -> Result<()> {
    let graph = Graph::new();
    graph.place_variables(|name, bytes| match name {
        "a" => format!("/job:ps/task:{}", bytes / 4),
        _ => String::new(),
    });
    let _worker = graph.device("/job:worker/task:0")?;
    let a = graph.variable("a", [3], DataType::Float, init::random_uniform(0.0, 1.0))?;
    let slot = graph.variable_builder("a/Momentum", [3], DataType::Float, init::zeros());
    let slot = slot.trainable(false).beside(&a).build()?;
    let b = graph.variable("b", [3], DataType::Float, init::zeros())?;
    assert_eq!(b.device(), "/job:worker/task:0");
    for output in [a.handle(), a.value(), a.initial_value(), slot.handle(), slot.initial_value()] {
        assert_eq!(output.op().device(), "/job:ps/task:3", "{output:?}");
    }
    assert_eq!(a.initializer().device(), "/job:ps/task:3");
    Ok(())
}

#[test]
fn gradients_of_rows_are_rows_and_clipping_keeps_them() -> Result<()> {
    let graph = Graph::new();
    let table = graph.variable("table", [4, 2], DataType::Float, init::ones())?;
    let scale = graph.variable("scale", [2], DataType::Float, init::constant(2.0))?;
    let rows = table.gather(&graph.constant([1i32, 3, 1])?)?;
    let loss = (&rows * scale.value())?.sum_all()?;
    let found = gradients(&[&loss], &[&table.handle(), &scale.handle()])?;
    assert!(matches!(found[0], Some(Gradient::Sparse(_))));
    let (clipped, norm) = clip_by_global_norm(&found, 1.0)?;
    let dense = clipped[0].as_ref().unwrap().to_dense()?;
    let Some(Gradient::Dense(by_scale)) = &clipped[1] else { panic!("it is dense") };
    assert_eq!(by_scale.shape(), [2].into());
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let got = session.run(&[], &[&norm, &dense, by_scale])?;
    // Six elements of 2 (rows are not added up before), two of 3.
    let expected = (6.0f32 * 4.0 + 2.0 * 9.0).sqrt();
    assert!((got[0].to_scalar::<f32>()? - expected).abs() < 1e-5);
    let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(x, y)| (x - y / expected).abs() < 1e-6);
    assert!(near(got[1].as_slice()?, &[0.0, 0.0, 4.0, 4.0, 0.0, 0.0, 2.0, 2.0]));
    assert!(near(got[2].as_slice()?, &[3.0, 3.0]));
    Ok(())
}

#[test]
fn gradients_stand_in_scopes_of_their_own_and_on_the_device() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [None, Some(2)])?;
    let y = x.square()?;
    let _scope = graph.name_scope("train")?;
    let _device = graph.device("/job:worker/task:2")?;
    for scope in ["train/gradients/", "train/gradients_1/"] {
        let Some(Gradient::Dense(dx)) = &gradients(&[&y], &[&x])?[0] else { panic!("it is dense") };
        assert!(dx.name().starts_with(scope), "{dx:?}");
        assert_eq!(dx.op().device(), "/job:worker/task:2");
        assert_eq!(dx.shape().to_string(), "[?,2]");
    }
    let beside = GradientOptions { colocate: true, ..GradientOptions::default() };
    let Some(Gradient::Dense(dx)) = &gradients_with(&[&y], &[&x], &beside)?[0] else {
        panic!("it is dense")
    };
    let proto = graph.to_graph_def()?;
    let node = proto.node.iter().find(|node| node.name == dx.op().name()).unwrap();
    assert!(format!("{:?}", node.attr["_class"]).contains("loc:@Square"), "{node:?}");
    let clipped = x.clip_by_norm(5.0)?;
    let session = Session::local(&graph)?;
    let value = session.fetch(&[(&x, tensor([[6.0f32, 8.0]])?)], &clipped)?;
    assert_eq!(value.as_slice::<f32>()?, &[3.0, 4.0]);
    Ok(())
}

#[test]
fn first_values_have_the_shapes_and_properties_asked_for() -> Result<()> {
    let graph = Graph::new();
    let of = |name: &str, shape: &[usize], initializer| {
        graph.variable(name, shape, DataType::Float, initializer)
    };
    let identity = of("identity", &[2, 3], init::identity(2.0))?;
    let orthogonal = of("orthogonal", &[2, 5], init::orthogonal(1.0).seed(3))?;
    let repeated = of("repeated", &[2, 2], init::value(7.0f32)?)?;
    let glorot = of("glorot", &[30, 20], init::glorot_uniform().seed(1))?;
    assert!(of("wrong", &[3], init::value([1.0f32, 2.0])?).is_err());
    assert!(of("vector", &[3], init::orthogonal(1.0)).is_err());
    let product = orthogonal.value().matmul_transposed(&orthogonal.value(), false, true)?;
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    assert_eq!(values(&session, &identity)?, [2.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    assert_eq!(values(&session, &repeated)?, [7.0; 4]);
    let unit = session.fetch(&[], &product)?;
    for (got, wanted) in unit.as_slice::<f32>()?.iter().zip([1.0, 0.0, 0.0, 1.0]) {
        assert!((got - wanted).abs() < 1e-5, "{unit:?}");
    }
    let limit = (6.0f32 / 50.0).sqrt();
    let drawn = values(&session, &glorot)?;
    assert!(drawn.iter().all(|v| v.abs() <= limit) && drawn.iter().any(|v| v.abs() > 0.9 * limit));
    Ok(())
}
