//! Loops and conditionals from closures: values, captures, gradients beside differences.

use downpour::{
    DataType, Gradient, GradientOptions, Graph, Output, Result, Session, Tensor, cond, gradients,
    gradients_with, initializers, tensor, while_loop,
};

/// `times` times `body`, from `initial`.
fn repeat(
    times: i32,
    initial: &Output,
    body: impl Fn(&Graph, &Output) -> Result<Output>,
) -> Result<Output> {
    let zero = initial.graph().constant(0i32)?;
    let mut last = while_loop(
        |inside, vars| vars[0].less(&inside.constant(times)?),
        |inside, vars| Ok(vec![(&vars[0] + 1)?, body(inside, &vars[1])?]),
        &[&zero, initial],
    )?;
    Ok(last.remove(1))
}

fn slope(y: &Output, x: &Output) -> Result<Output> {
    match &gradients(&[y], &[x])?[0] {
        Some(gradient) => gradient.to_dense(),
        None => panic!("no gradient"),
    }
}

/// First and second derivatives of the sum of `y` by the number `x`, beside differences.
fn check(x: &Output, y: &Output, places: &[f64]) -> Result<()> {
    let first = slope(y, x)?;
    let second = slope(&first, x)?;
    let session = Session::local(x.graph())?;
    for &place in places {
        for (f, df) in [(y, &first), (&first, &second)] {
            let at = |x0: f64| session.fetch(&[(x, tensor(x0)?)], f)?.to_scalar::<f64>();
            let step = 1e-5;
            let expected = (at(place + step)? - at(place - step)?) / (2.0 * step);
            let found = session.fetch(&[(x, tensor(place)?)], df)?.to_scalar::<f64>()?;
            let error = (found - expected).abs() / expected.abs().max(1.0);
            assert!(error < 1e-5, "at {place}: {found}, expected {expected}");
        }
    }
    Ok(())
}

#[test]
fn a_loop_inside_a_loop_with_a_branch() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Double, ())?;
    let y = repeat(3, &x, |_, y| {
        let inner = repeat(2, y, |_, z| (z * &x)?.sin())?;
        let chosen = cond(
            &inner.less(&inner.graph().constant(0.5f64)?)?,
            |inside| Ok(vec![(inside.capture(&inner)?.exp()? * &x)?]),
            |inside| Ok(vec![inside.capture(&inner)?.square()?]),
        )?;
        Ok(chosen[0].clone())
    })?;
    check(&x, &y, &[0.3, 0.9, 1.4])
}

#[test]
fn a_recurrent_network_learns_its_variable() -> Result<()> {
    let graph = Graph::new();
    let weights =
        graph.variable("weights", [2, 2], DataType::Float, initializers::constant(0.5))?;
    let x = graph.placeholder("x", DataType::Float, [4, 1, 2])?;
    let read = weights.read()?;
    let zero = graph.constant(0i32)?;
    let state = graph.constant([[0f32, 0.0]])?;
    let last = while_loop(
        |inside, vars| vars[0].less(&inside.constant(4i32)?),
        |_, vars| {
            let given = x.gather(&vars[0], 0)?;
            let sum = (vars[1].matmul(&read)? + &given)?;
            Ok(vec![(&vars[0] + 1)?, sum.tanh()?])
        },
        &[&zero, &state],
    )?;
    assert_eq!(last[1].shape().to_string(), "[1,2]");
    let loss = last[1].square()?.sum_all()?;
    let slope = slope(&loss, &weights.handle())?;
    let session = Session::local(&graph)?;
    session.run(&[], &[&weights.initializer()])?;
    let fed = tensor([[[0.1f32, 0.2]], [[0.3, -0.1]], [[0.2, 0.4]], [[-0.3, 0.1]]])?;
    let found = session.fetch(&[(&x, fed.clone())], &slope)?;
    // Differences of the loss in each weight.
    let mut expected = Vec::new();
    for i in 0..4 {
        let mut losses = [0f32; 2];
        for (side, loss_there) in [-1e-2f32, 1e-2].iter().zip(&mut losses) {
            let mut values = [0.5f32; 4];
            values[i] += side;
            let value = Tensor::vector(&values)?.into_shape([2, 2])?;
            *loss_there =
                session.fetch(&[(&x, fed.clone()), (&read, value)], &loss)?.to_scalar()?;
        }
        expected.push((losses[1] - losses[0]) / 2e-2);
    }
    for (a, b) in found.as_slice::<f32>()?.iter().zip(expected) {
        assert!((a - b).abs() < 1e-3, "{a}, expected {b}");
    }
    Ok(())
}

#[test]
fn shapes_that_change_are_open() -> Result<()> {
    let graph = Graph::new();
    let x = graph.constant([[1f32, 2.0]])?;
    let y = repeat(3, &x, |_, y| Output::concat(&[y.clone(), y.clone()], 0))?;
    assert_eq!(y.shape().to_string(), "[?,2]");
    let slope = slope(&y, &x)?;
    let values = Session::local(&graph)?.run(&[], &[&y, &slope])?;
    assert_eq!(values[0].dims(), &[8, 2]);
    assert_eq!(values[1].as_slice::<f32>()?, &[8.0, 8.0]);
    Ok(())
}

#[test]
fn a_loop_is_differentiated_before_it_is_run() -> Result<()> {
    let graph = Graph::new();
    let x = graph.constant(2f32)?;
    let y = repeat(3, &x, |_, y| y * y)?;
    let session = Session::local(&graph)?;
    session.fetch(&[], &y)?;
    let slope = slope(&y, &x)?;
    let refused = session.fetch(&[], &slope).unwrap_err();
    assert!(refused.message().contains("new session"), "{refused}");
    assert_eq!(Session::local(&graph)?.fetch(&[], &slope)?.to_scalar::<f32>()?, 8.0 * 128.0);
    Ok(())
}

#[test]
fn gradients_stand_where_their_nodes_stand() -> Result<()> {
    let graph = Graph::new();
    let x = graph.constant(2f32)?;
    let there = graph.device("/job:ps/task:1")?;
    let y = x.square()?;
    drop(there);
    let options = GradientOptions { colocate: true, ..GradientOptions::default() };
    let Some(Gradient::Dense(slope)) = &gradients_with(&[&y], &[&x], &options)?[0] else {
        panic!("it is dense")
    };
    assert_eq!(slope.op().device(), y.op().device());
    Ok(())
}

#[test]
fn bodies_must_fit() -> Result<()> {
    let graph = Graph::new();
    let x = graph.constant(2f32)?;
    let never = |inside: &Graph, _: &[Output]| inside.constant(false);
    let refused = while_loop(never, |_, _| Ok(vec![]), &[&x]).unwrap_err();
    assert!(refused.message().contains("takes 1 values but gives 0"), "{refused}");
    let refused = while_loop(never, |inside, _| Ok(vec![inside.constant(1i32)?]), &[&x]);
    assert!(refused.unwrap_err().message().contains("the body's results"));
    let other = Graph::new().constant(1f32)?;
    let refused = while_loop(never, |_, vars| Ok(vec![(&vars[0] * &other)?]), &[&x]).unwrap_err();
    assert!(refused.message().contains("another graph"), "{refused}");
    Ok(())
}
