//! What this machine needs for its part of a step: `downpour-bench-constants [SECONDS]`, as JSON.
//!
//! | constant | how |
//! | --- | --- |
//! | `compute`, `spread` | a forward and backward pass of an MLP 784-256-10, batch 64, on one thread: mean, and standard deviation as a share of it, without the slowest hundredth |
//! | `slow` | the share of steps that took more than twice the median |
//! | `message` | 64 bytes written and read over loopback TCP, many one after the other |
//! | `latency` | half of a round trip of 64 bytes, without the two messages |
//! | `bandwidth` | bytes a second over loopback TCP |
//! | `apply` | a byte of a gradient added to a step's sum and applied by the parameter service in plain memory |
//!
//! `cargo xtask bench --scaling --measure` gives them to the model.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use downpour_params::{Gradient, PlainValues, Values};
use downpour_runtime::{ComputePool, Device, RunRequest, Session, SessionOptions};
use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::{AttrValue, GraphDef, NodeDef, VersionDef, attr_value::Value};
use downpour_wire::tensor_to_proto;

fn main() -> ExitCode {
    let seconds = std::env::args().nth(1).map_or(Ok(2.0), |text| text.parse::<f64>());
    let Ok(seconds) = seconds.map(|s| s.clamp(0.1, 60.0)) else {
        eprintln!("usage: downpour-bench-constants [SECONDS]");
        return ExitCode::FAILURE;
    };
    match measure(Duration::from_secs_f64(seconds)) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(status) => {
            eprintln!("error: {}", status.message());
            ExitCode::FAILURE
        }
    }
}

fn measure(time: Duration) -> Result<String> {
    let steps = steps(time)?;
    let median = steps[steps.len() / 2];
    let slow =
        steps.iter().filter(|step| **step > 2.0 * median).count() as f64 / steps.len() as f64;
    let common = &steps[..steps.len() - steps.len() / 100];
    let mean = common.iter().sum::<f64>() / common.len() as f64;
    let square = common.iter().map(|step| (step - mean).powi(2)).sum::<f64>();
    let spread = (square / common.len() as f64).sqrt() / mean;
    let broken = |e: std::io::Error| Status::unavailable(format!("loopback TCP: {e}"));
    let (message, round, byte) = loopback(time).map_err(broken)?;
    let (latency, apply) = ((round / 2.0 - 2.0 * message).max(0.0), apply(time)?);
    Ok(serde_json::json!({
        "compute": mean, "spread": spread, "slow": slow, "message": message, "latency": latency,
        "bandwidth": 1.0 / byte, "apply": apply,
    })
    .to_string())
}

/// Seconds of each step, sorted.
fn steps(time: Duration) -> Result<Vec<f64>> {
    let pool = ComputePool::new(1).map_err(|e| Status::internal(e.to_string()))?;
    let device = Device::new("/job:localhost/replica:0/task:0/device:CPU:0", pool);
    let options = SessionOptions { inter_op: 1, intra_op: 1, ..SessionOptions::default() };
    let session = Session::new(std::sync::Arc::new(downpour_ops::registry()?), device, options);
    session.extend(&graph()?)?;
    let request = || RunRequest { targets: vec!["step".to_string()], ..RunRequest::default() };
    for _ in 0..3 {
        session.run(request(), &Default::default())?;
    }
    let (begun, mut steps) = (Instant::now(), Vec::new());
    while begun.elapsed() < time || steps.len() < 20 {
        let begun = Instant::now();
        session.run(request(), &Default::default())?;
        steps.push(begun.elapsed().as_secs_f64());
    }
    steps.sort_by(f64::total_cmp);
    Ok(steps)
}

/// The products of a step and what is between them; inputs are random, so that nothing is computed beforehand.
fn graph() -> Result<GraphDef> {
    let float = || Value::Type(DataType::Float as i32);
    let mut nodes = Vec::new();
    for (name, rows, columns) in [("x", 64, 784), ("w1", 784, 256), ("w2", 256, 10), ("d", 64, 10)]
    {
        let shape = tensor_to_proto(&Tensor::vector(&[rows, columns])?)?;
        let size = format!("{name}/shape");
        let attributes = [
            ("dtype", Value::Type(DataType::Int32 as i32)),
            ("value", Value::Tensor(Box::new(shape))),
        ];
        nodes.push(node(&size, "Const", &[], &attributes));
        let attributes = [("dtype", float()), ("T", Value::Type(DataType::Int32 as i32))];
        nodes.push(node(name, "RandomUniform", &[&size], &attributes));
    }
    let product = |name: &str, a: &str, b: &str, ta: bool, tb: bool| {
        let attributes =
            [("T", float()), ("transpose_a", Value::B(ta)), ("transpose_b", Value::B(tb))];
        node(name, "MatMul", &[a, b], &attributes)
    };
    nodes.push(product("h", "x", "w1", false, false));
    nodes.push(node("r", "Relu", &["h"], &[("T", float())]));
    nodes.push(product("y", "r", "w2", false, false));
    nodes.push(node("e", "Sub", &["y", "d"], &[("T", float())]));
    nodes.push(product("g2", "r", "e", true, false));
    nodes.push(product("back", "e", "w2", false, true));
    nodes.push(node("gated", "ReluGrad", &["back", "r"], &[("T", float())]));
    nodes.push(product("g1", "x", "gated", true, false));
    nodes.push(node("step", "NoOp", &["^g1", "^g2"], &[]));
    let versions = Some(VersionDef { producer: 1395, ..Default::default() });
    Ok(GraphDef { node: nodes, versions, ..Default::default() })
}

fn node(name: &str, op: &str, inputs: &[&str], attributes: &[(&str, Value)]) -> NodeDef {
    let attribute = |(name, value): &(&str, Value)| {
        (name.to_string(), AttrValue { value: Some(value.clone()) })
    };
    NodeDef {
        name: name.to_string(),
        op: op.to_string(),
        input: inputs.iter().map(|input| input.to_string()).collect(),
        attr: attributes.iter().map(attribute).collect(),
        ..Default::default()
    }
}

const SMALL: usize = 64;
const LARGE: usize = 1 << 20;

/// Seconds of a small message in a stream of them, of a round trip, and of a byte of large ones.
fn loopback(time: Duration) -> std::io::Result<(f64, f64, f64)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let mut near = TcpStream::connect(listener.local_addr()?)?;
    let (mut far, _) = listener.accept()?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    let rounds = (time.as_secs_f64() * 5000.0) as usize;
    let large = (time.as_secs_f64() * 500.0) as usize;
    let other = std::thread::spawn(move || -> std::io::Result<()> {
        let mut buffer = vec![0; LARGE];
        for _ in 0..rounds {
            far.read_exact(&mut buffer[..SMALL])?;
            far.write_all(&buffer[..SMALL])?;
        }
        for (count, size) in [(rounds, SMALL), (large, LARGE)] {
            for _ in 0..count {
                far.read_exact(&mut buffer[..size])?;
            }
            far.write_all(&buffer[..1])?;
        }
        Ok(())
    });
    let mut buffer = vec![0; LARGE];
    let begun = Instant::now();
    for _ in 0..rounds {
        near.write_all(&buffer[..SMALL])?;
        near.read_exact(&mut buffer[..SMALL])?;
    }
    let round = begun.elapsed().as_secs_f64() / rounds as f64;
    let mut stream = |count: usize, size: usize| -> std::io::Result<f64> {
        let begun = Instant::now();
        for _ in 0..count {
            near.write_all(&buffer[..size])?;
        }
        near.read_exact(&mut buffer[..1])?;
        Ok(begun.elapsed().as_secs_f64() / count as f64)
    };
    let message = stream(rounds, SMALL)?;
    let byte = stream(large, LARGE)? / LARGE as f64;
    other.join().map_err(|_| std::io::Error::other("the other end has panicked"))??;
    Ok((message, round, byte))
}

/// Seconds of a byte: half the time of adding one to a sum and applying it, since a push is either.
fn apply(time: Duration) -> Result<f64> {
    let numbers = 4 << 20;
    let values = PlainValues::new(1e-3);
    let gradient = Tensor::vector(&vec![1f32; numbers])?;
    values.set("w", gradient.clone())?;
    let (begun, mut rounds) = (Instant::now(), 0);
    while begun.elapsed() < time / 2 || rounds < 3 {
        let mut sum = Gradient::Dense(gradient.deep_copy()?);
        sum.add(Gradient::Dense(gradient.clone()))?;
        values.apply(vec![("w".to_string(), sum)], 1)?;
        rounds += 1;
    }
    Ok(begun.elapsed().as_secs_f64() / f64::from(rounds) / (numbers * 4) as f64 / 2.0)
}
