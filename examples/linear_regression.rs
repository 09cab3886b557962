//! What a graph is: a line laid through points, with nothing but a graph and a session.
//!
//!     cargo run --release --example linear_regression
//!
//! A graph describes a computation; a session runs parts of it. Here even the training step is written by hand:
//! the gradients are nodes like all others, and so is the change of the variables.

use downpour::{DataType, Graph, Result, Session, Tensor, gradients, initializers};

fn main() -> Result<()> {
    // ANCHOR: graph
    // Nothing is computed here. Every call adds a node and checks its types and shapes at once.
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [None])?; // a vector of any length, fed with each step
    let y = graph.placeholder("y", DataType::Float, [None])?;
    let slope = graph.variable("slope", [], DataType::Float, initializers::zeros())?;
    let offset = graph.variable("offset", [], DataType::Float, initializers::zeros())?;
    let guess = ((&x * slope.value())? + offset.value())?;
    let loss = (guess - &y)?.square()?.mean_all()?;
    // ANCHOR_END: graph

    // ANCHOR: gradients
    // Differentiating adds the nodes that compute how the loss changes with each variable.
    let variables = [slope.clone(), offset.clone()];
    let handles = [slope.handle(), offset.handle()];
    let found = gradients(&[&loss], &[&handles[0], &handles[1]])?;
    let mut updates = Vec::new();
    for (variable, gradient) in variables.iter().zip(found) {
        let gradient = gradient.expect("the loss depends on both");
        updates.push(variable.assign_sub(&(gradient.to_dense()? * 0.3)?)?);
    }
    // One name for "do all of this". `Optimizer::gradient_descent(0.3).minimize(&loss, None)` is the same.
    let train = graph.group("train", &updates)?;
    // ANCHOR_END: gradients

    // ANCHOR: session
    // A session keeps the variables' values. A prepared step is looked up once and run often.
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let step = session.prepare(&[&x, &y], &[&loss, &train])?;
    let xs: Vec<f32> = (0..50).map(|i| i as f32 / 50.0).collect();
    let ys: Vec<f32> = xs.iter().map(|x| 3.0 * x - 1.0).collect();
    let (xs, ys) = (Tensor::vector(&xs)?, Tensor::vector(&ys)?);
    for number in 0..=300 {
        // Tensors are counted references: cloning copies no numbers.
        let values = step.run(vec![xs.clone(), ys.clone()])?;
        if number % 100 == 0 {
            println!("step {number}: loss {:.6}", values[0].to_scalar::<f32>()?);
        }
    }
    let values = session.run(&[], &[&slope.value(), &offset.value()])?;
    println!("y = {:.2} x + {:.2}", values[0].to_scalar::<f32>()?, values[1].to_scalar::<f32>()?);
    // ANCHOR_END: session

    // The graph is TensorFlow's own language: this message can be run by TensorFlow, and saved for it.
    println!("{} nodes in all, gradients among them", graph.to_graph_def()?.node.len());
    Ok(())
}
