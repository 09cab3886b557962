//! Loops and conditionals inside a graph, and gradients through them: throwing a ball at a mark.
//!
//!     cargo run --release --example control_flow
//!
//! The flight is a loop that runs until the ball is on the ground, however many rounds that takes; above five metres
//! there is wind. Its gradient is a loop that runs backwards, and tells how hard to throw.

use downpour::{DataType, Graph, Optimizer, Result, Session, cond, initializers, while_loop};

/// Seconds of a round.
const TIME: f64 = 0.05;
const MARK: f64 = 40.0;

fn main() -> Result<()> {
    let graph = Graph::new();
    let speed = graph.variable("speed", [2], DataType::Float, initializers::constant(10.0))?;
    let start = graph.constant([0.0f32, 0.0])?;
    let speed_now = speed.value();

    // ANCHOR: loop
    // The body takes place and speed, and gives those of the next round. It is built once, in a graph of its own.
    let flown = while_loop(
        |_, flight| {
            let height = flight[0].slice(&[1], &[1])?.reshape(&[])?;
            let zero = height.scalar_like(-1e-6)?;
            height.greater(&zero)
        },
        |_, flight| {
            let (place, speed) = (&flight[0], &flight[1]);
            let height = place.slice(&[1], &[1])?.reshape(&[])?;
            let high = height.greater(&height.scalar_like(5.0)?)?;
            // A branch runs only if it is taken. Constants made with `inside` belong to it.
            let force = cond(
                &high,
                |inside| Ok(vec![inside.constant([-3.0f32, -9.81])?]),
                |inside| Ok(vec![inside.constant([0.0f32, -9.81])?]),
            )?;
            let faster = (speed + (&force[0] * TIME))?;
            Ok(vec![(place + (&faster * TIME))?, faster])
        },
        &[&start, &speed_now],
    )?;
    // ANCHOR_END: loop

    // The last round ends below the ground: go back to where the ball met it.
    let part = |value: usize, axis: i32| flown[value].slice(&[axis], &[1])?.reshape(&[]);
    let landed = part(0, 0)? - (part(1, 0)? * (part(0, 1)? / part(1, 1)?));
    let landed = landed?;
    let loss = (&landed - MARK)?.square()?;

    // ANCHOR: train
    let train = Optimizer::adam(0.2).minimize(&loss, None)?;
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    for throw in 0..=60 {
        let values = session.run(&[], &[&landed, &loss, &train])?;
        if throw % 20 == 0 {
            println!("throw {throw}: {:.2} m", values[0].to_scalar::<f32>()?);
        }
    }
    // ANCHOR_END: train
    let speed = session.fetch(&[], &speed.value())?;
    println!("thrown at {:.1?} m/s, the mark is at {MARK} m", speed.as_slice::<f32>()?);
    Ok(())
}
