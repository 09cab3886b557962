//! Layers: shapes, numbers by hand, what they refuse, and what training changes.

use downpour::layers::{
    BatchNorm, Conv2d, Dense, Embedding, GruCell, LayerNorm, LstmCell, MultiHeadAttention,
    Recurrent, SeparableConv2d, flatten, global_average_pool, scaled_dot_product_attention,
};
use downpour::{
    DataType, Gradient, Graph, Output, Result, Session, gradients, initializers as init,
};

fn run(graph: &Graph, output: &Output) -> Result<Vec<f32>> {
    let session = Session::local(graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    Ok(session.fetch(&[], output)?.as_slice::<f32>()?.to_vec())
}

fn near(a: &[f32], b: &[f32]) {
    let close = a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-5 * b.abs().max(1.0));
    assert!(a.len() == b.len() && close, "{a:?} is not {b:?}");
}

#[test]
fn dense_keeps_all_axes_but_the_last() -> Result<()> {
    let graph = Graph::new();
    let dense =
        Dense::new(2).kernel_initializer(init::ones()).bias_initializer(init::constant(0.5));
    let x = graph.constant([[[1.0f32, 2.0], [3.0, 4.0]]])?;
    near(&run(&graph, &dense.build(&x)?)?, &[3.5, 3.5, 7.5, 7.5]);
    let open = graph.placeholder("open", DataType::Float, [None, None, Some(2)])?;
    assert_eq!(dense.build(&open)?.shape().to_string(), "[?,?,2]");
    let known = graph.placeholder("known", DataType::Float, [None, Some(7), Some(2)])?;
    assert_eq!(dense.build(&known)?.shape().to_string(), "[?,7,2]");
    Ok(())
}

#[test]
fn what_does_not_fit_is_said_with_names_and_shapes() -> Result<()> {
    let graph = Graph::new();
    let open = graph.placeholder("open", DataType::Float, [None, None])?;
    let ids = graph.placeholder("ids", DataType::UInt8, [None, Some(3)])?;
    let said = |result: Result<Output>| result.unwrap_err().message().to_string();
    let text = said(Dense::new(3).build(&open));
    assert!(text.contains("axis -1 of open:0") && text.contains("[?,?]"), "{text}");
    let text = said(Dense::new(3).build(&ids));
    assert!(text.contains("ids:0 is uint8; cast it first"), "{text}");
    let text = said(Conv2d::new(3, 3).build(&open));
    assert!(text.contains("takes images") && text.contains("[?,?]"), "{text}");
    let text = said(flatten(&graph.placeholder("deep", DataType::Float, [None, None, Some(2)])?));
    assert!(text.contains("[?,?,2]"), "{text}");
    let text = said(Embedding::new(4, 2).build(&ids));
    assert!(text.contains("int32 or int64"), "{text}");
    let text = said(Recurrent::new(LstmCell::new(2)).build(&open).map(|s| s.last().clone()));
    assert!(text.contains("[batch, time, features]"), "{text}");
    assert!(graph.variables().is_empty(), "a refused layer leaves no variables");
    Ok(())
}

#[test]
fn batch_norm_learns_averages_and_uses_them() -> Result<()> {
    for shape in [&[4i64, 1, 1, 1][..], &[4, 1]] {
        let graph = Graph::new();
        let x = graph.constant([1.0f32, 2.0, 3.0, 6.0])?.reshape(shape)?;
        let norm = BatchNorm::new().momentum(0.5).epsilon(0.0);
        let train = norm.build(&x, true)?;
        let evaluate = {
            let _reuse = graph.reuse_variables();
            norm.build(&x, false)?
        };
        let updates = graph.group("updates", &graph.updates())?;
        assert_eq!(graph.updates().len(), 2, "evaluation changes nothing");
        let session = Session::local(&graph)?;
        session.run(&[], &[&graph.initialize_variables()?])?;
        let fetch = |output| {
            Ok::<_, downpour::Status>(session.fetch(&[], output)?.as_slice::<f32>()?.to_vec())
        };
        near(&fetch(&evaluate)?, &[1.0, 2.0, 3.0, 6.0]);
        let deviation = 3.5f32.sqrt();
        near(&fetch(&train)?, &[-2.0, -1.0, 0.0, 3.0].map(|v: f32| v / deviation));
        session.run(&[], &[&updates])?;
        // For images the variance that is remembered is that of a sample, as TensorFlow's operation has it.
        let variance = if shape.len() == 4 { 14.0 / 3.0 } else { 3.5 };
        let deviation = (0.5f32 + 0.5 * variance).sqrt();
        near(&fetch(&evaluate)?, &[-0.5, 0.5, 1.5, 4.5].map(|v: f32| v / deviation));
    }
    Ok(())
}

#[test]
fn bags_of_ids_leave_out_what_is_below_zero() -> Result<()> {
    let graph = Graph::new();
    let ids = graph.constant([[0i32, 2, -1], [1, 1, 1], [-1, -1, -1]])?;
    let values = init::value([[1.0f32, 10.0], [2.0, 20.0], [4.0, 40.0]])?;
    let table = Embedding::new(3, 2).initializer(values).name("table");
    let sum = table.build_sum(&ids)?;
    let mean = {
        let _reuse = graph.reuse_variables();
        table.build_mean(&ids)?
    };
    near(&run(&graph, &sum)?, &[5.0, 50.0, 6.0, 60.0, 0.0, 0.0]);
    near(&run(&graph, &mean)?, &[2.5, 25.0, 2.0, 20.0, 0.0, 0.0]);
    let found = gradients(&[&sum], &[&graph.variables()[0].handle()])?;
    assert!(matches!(found[0], Some(Gradient::Sparse(_))), "rows get gradients, not tables");
    Ok(())
}

#[test]
fn recurrent_layers_go_both_ways() -> Result<()> {
    let graph = Graph::new();
    let x = graph.constant([[[0.5f32], [1.0], [-1.0]]])?;
    let lstm = LstmCell::new(1).kernel_initializer(init::constant(0.5));
    let forward = Recurrent::new(lstm.clone()).build(&x)?;
    let backward = Recurrent::new(lstm).backwards().name("back").build(&x)?;
    let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
    let step = |(h, c): (f32, f32), x: f32| {
        let z = 0.5 * (x + h);
        let c = sigmoid(z + 1.0) * c + sigmoid(z) * z.tanh();
        (c.tanh() * sigmoid(z), c)
    };
    let expected = [0.5, 1.0, -1.0].iter().scan((0.0, 0.0), |state, x| {
        *state = step(*state, *x);
        Some(state.0)
    });
    near(&run(&graph, &forward.outputs()?)?, &expected.collect::<Vec<f32>>());
    let last = [-1.0, 1.0, 0.5].iter().fold((0.0, 0.0), |state, x| step(state, *x));
    near(&run(&graph, backward.last())?, &[last.0]);
    near(&run(&graph, &backward.steps()[0])?, &[last.0]);
    near(&run(&graph, &backward.states()[1])?, &[last.1]);

    let gru = Recurrent::new(GruCell::new(1).kernel_initializer(init::constant(0.5))).build(&x)?;
    let step = |h: f32, x: f32| {
        let gate = sigmoid(0.5 * (x + h) + 1.0);
        gate * h + (1.0 - gate) * (0.5 * (x + gate * h)).tanh()
    };
    near(&run(&graph, gru.last())?, &[[0.5, 1.0, -1.0].into_iter().fold(0.0, step)]);
    Ok(())
}

#[test]
fn attention_looks_where_keys_fit_and_not_ahead() -> Result<()> {
    let graph = Graph::new();
    let q = graph.constant([[0.0f32, 0.0], [0.0, 0.0]])?;
    let v = graph.constant([[1.0f32, 0.0], [3.0, 4.0]])?;
    let mask = graph.constant([[1i32, 0], [1, 1]])?.cast(DataType::Bool)?;
    let even = scaled_dot_product_attention(&q, &v, &v, None)?;
    near(&run(&graph, &even)?, &[2.0, 2.0, 2.0, 2.0]);
    let masked = scaled_dot_product_attention(&q, &v, &v, Some(&mask))?;
    near(&run(&graph, &masked)?, &[1.0, 0.0, 2.0, 2.0]);
    // What comes later does not change the first place.
    let attention = MultiHeadAttention::new(2, 3).causal().name("attention");
    let mut first = Vec::new();
    for last in [1.0f32, -7.0] {
        let graph = Graph::new();
        graph.set_seed(1);
        let x = graph.constant([[[1.0f32, 2.0], [last, 0.5]]])?;
        let y = attention.build(&x, &x)?;
        first.push(run(&graph, &y.slice(&[0, 0, 0], &[1, 1, 2])?)?);
    }
    assert_eq!(first[0], first[1]);
    Ok(())
}

#[test]
fn separable_convolution_and_means_by_hand() -> Result<()> {
    let graph = Graph::new();
    let x =
        graph.constant([1.0f32, 10.0, 2.0, 20.0, 3.0, 30.0, 4.0, 40.0])?.reshape(&[1, 2, 2, 2])?;
    let layer = SeparableConv2d::new(1, 2).kernel_initializer(init::ones());
    near(&run(&graph, &layer.build(&x)?)?, &[110.0]);
    near(&run(&graph, &global_average_pool(&x)?)?, &[2.5, 25.0]);
    let dilated = Conv2d::new(1, 2).dilation(2).same().kernel_initializer(init::ones());
    assert_eq!(dilated.build(&x)?.shape().to_string(), "[1,2,2,1]");
    let norm = LayerNorm::new().build(&x)?;
    assert_eq!(norm.shape().to_string(), "[1,2,2,2]");
    Ok(())
}
