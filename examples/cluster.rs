//! Parameter servers and workers: the same program is every task of a cluster.
//!
//! Alone it starts all tasks itself, as threads that talk over loopback:
//!
//!     cargo run --release --example cluster -- [STEPS]
//!
//! As separate processes, here or on many machines, each finds its place in TF_CONFIG. `downpour run` starts them:
//!
//!     cargo build --release --bins --examples
//!     target/release/downpour run --ps 2 --workers 3 --all -- target/release/examples/cluster 500

use std::net::TcpListener;
use std::thread;

use downpour::data::{Dataset, Remainder};
use downpour::training::{Built, ClusterSpec, Inputs, Outcome, ParameterServer, Trainer};
use downpour::{DataType, Optimizer, Result, Status, Tensor, initializers};

/// The weights are to become those that made the data.
fn model(inputs: &Inputs) -> Result<Built> {
    let weights =
        inputs.graph().variable("weights", [20, 1], DataType::Float, initializers::zeros())?;
    let guess = inputs.get("x")?.matmul(&weights.value())?;
    Ok(Built::new((guess - inputs.get("y")?)?.square()?.mean_all()?))
}

fn data() -> Result<Dataset> {
    let xs: Vec<f32> = (0..20_000).map(|i| (i as f32 * 0.37).sin()).collect();
    let ys: Vec<f32> =
        xs.chunks(20).map(|x| x.iter().enumerate().map(|(i, x)| x * i as f32).sum()).collect();
    Dataset::from_tensors([
        ("x", Tensor::from_vec([1000, 20], xs)?),
        ("y", Tensor::from_vec([1000, 1], ys)?),
    ])
}

// ANCHOR: task
/// What every task runs. Of a dataset of batches each worker takes its share by itself; a parameter server holds
/// variables and does not return before it is told to.
fn trainer(strategy: ParameterServer, steps: i64) -> Result<Trainer> {
    let batches = data()?.shuffle(1000, 1)?.repeat().batch(25, Remainder::Drop)?;
    Ok(Trainer::new(model, batches)
        .strategy(strategy)
        .optimizer(Optimizer::gradient_descent(0.02))
        .threads(1)
        .steps(steps))
}
// ANCHOR_END: task

fn main() -> Result<()> {
    let steps = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(300);
    // ANCHOR: environment
    if std::env::var_os("TF_CONFIG").is_some() {
        // Who we are stands in TF_CONFIG. `synchronous()` would average the workers' gradients instead.
        let strategy = ParameterServer::asynchronous();
        let outcome = trainer(strategy, steps)?.stop_on_signals()?.train()?;
        println!("{} steps of my own; {}", outcome.steps, outcome.reason);
        return Ok(());
    }
    // ANCHOR_END: environment

    // ANCHOR: threads
    let [server, first, second] = [free_address()?, free_address()?, free_address()?];
    let cluster = format!(r#"{{"ps": ["{server}"], "worker": ["{first}", "{second}"]}}"#);
    let cluster = ClusterSpec::from_json(&cluster)?;
    let place = |job, task| ParameterServer::asynchronous().task(cluster.clone(), job, task);
    let server = trainer(place("ps", 0), steps)?;
    let stop = server.stop_flag();
    let server = thread::spawn(move || server.train());
    let mut workers = Vec::new();
    for task in 0..2 {
        let worker = trainer(place("worker", task), steps)?;
        workers.push(thread::spawn(move || worker.train()));
    }
    for (task, worker) in workers.into_iter().enumerate() {
        let outcome = ended(worker)?;
        println!(
            "worker {task}: {} of {} steps, loss {:.4}",
            outcome.steps, outcome.step, outcome.loss
        );
    }
    stop.stop();
    println!("parameter server: {}", ended(server)?.reason);
    // ANCHOR_END: threads
    Ok(())
}

fn ended(task: thread::JoinHandle<Result<Outcome>>) -> Result<Outcome> {
    task.join().unwrap_or_else(|_| Err(Status::internal("a task panicked")))
}

/// A port of this machine that nobody uses.
fn free_address() -> Result<String> {
    let address = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    address.map(|a| a.to_string()).map_err(|e| Status::unavailable(e.to_string()))
}
