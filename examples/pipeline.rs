//! A model in three parts on three tasks, through which a batch goes in four parts: it learns what one process learns.
//!
//! Alone it starts all tasks itself, as threads that talk over loopback:
//!
//!     cargo run --release --example pipeline -- [STEPS]
//!
//! As separate processes each finds its place in TF_CONFIG:
//!
//!     cargo build --release --bins --examples
//!     target/release/downpour run --ps 2 --workers 1 --all -- target/release/examples/pipeline 200

use std::net::TcpListener;
use std::thread;

use downpour::data::{Dataset, Remainder};
use downpour::layers::{Dense, Embedding};
use downpour::pipeline::PipelineSchedule;
use downpour::training::{Built, ClusterSpec, Inputs, ModelParallel, Outcome, Trainer};
use downpour::{Optimizer, Result, Status, Tensor};

// ANCHOR: model
/// How alike two words are, by what stands for them. Nothing in it speaks of tasks.
fn model(inputs: &Inputs) -> Result<Built> {
    let graph = inputs.graph();
    let words = {
        let _scope = graph.variable_scope("words")?;
        Embedding::new(100, 32).build(inputs.get("pair")?)?.reshape(&[-1, 64])?
    };
    let hidden = {
        let _scope = graph.variable_scope("tower")?;
        Dense::new(64).relu().build(&Dense::new(64).relu().build(&words)?)?
    };
    let guess = Dense::new(1).name("head").build(&hidden)?;
    Ok(Built::new((guess.squeeze(&[1])? - inputs.get("alike")?)?.square()?.mean_all()?))
}
// ANCHOR_END: model

// ANCHOR: strategy
/// The table on the worker, the tower and the head on a server each; four micro-batches.
fn strategy() -> ModelParallel {
    ModelParallel::by_scope([("words", 0), ("tower", 1), ("head", 2)])
        .micro_batches(4)
        .schedule(PipelineSchedule::OneForwardOneBackward)
}

/// As many stages as there are tasks, cut so that they take equally long.
fn balanced() -> ModelParallel {
    ModelParallel::balanced().micro_batches(4)
}
// ANCHOR_END: strategy

fn data() -> Result<Dataset> {
    let pairs: Vec<i64> = (0..4000).map(|i| (i * i * 31 + i * 7) % 100).collect();
    let alike = pairs.chunks(2).map(|pair| 1.0 - (pair[0] - pair[1]).abs() as f32 / 100.0);
    Dataset::from_tensors([
        ("pair", Tensor::from_vec([2000, 2], pairs.clone())?),
        ("alike", Tensor::from_vec([2000], alike.collect())?),
    ])
}

fn trainer(steps: i64) -> Result<Trainer> {
    let batches = data()?.shuffle(2000, 1)?.repeat().batch(50, Remainder::Drop)?;
    let trainer = Trainer::new(model, batches).optimizer(Optimizer::adam(0.005));
    Ok(trainer.seed(1).threads(1).steps(steps))
}

fn main() -> Result<()> {
    let steps = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(200);
    if std::env::var_os("TF_CONFIG").is_some() {
        let outcome = trainer(steps)?.strategy(strategy()).stop_on_signals()?.train()?;
        println!("loss {:.5}; {}", outcome.loss, outcome.reason);
        return Ok(());
    }
    let alone = trainer(steps)?.train()?;
    println!("one process: loss {:.5}", alone.loss);
    println!("by scope:    loss {:.5}", in_parts(&strategy(), steps)?.loss);
    println!("balanced:    loss {:.5}", in_parts(&balanced(), steps)?.loss);
    Ok(())
}

/// All tasks in this program: two servers, and the worker that drives them.
fn in_parts(strategy: &ModelParallel, steps: i64) -> Result<Outcome> {
    let [first, second, worker] = [free_address()?, free_address()?, free_address()?];
    let cluster = format!(r#"{{"ps": ["{first}", "{second}"], "worker": ["{worker}"]}}"#);
    let cluster = ClusterSpec::from_json(&cluster)?;
    let task = |job: &str, task: u32| -> Result<Trainer> {
        Ok(trainer(steps)?.strategy(strategy.clone().task(cluster.clone(), job, task)))
    };
    let mut servers = Vec::new();
    for number in 0..2 {
        let server = task("ps", number)?;
        servers.push((server.stop_flag(), thread::spawn(move || server.train())));
    }
    let outcome = task("worker", 0)?.train();
    for (stop, server) in servers {
        stop.stop();
        server.join().unwrap_or_else(|_| Err(Status::internal("a server panicked")))?;
    }
    outcome
}

/// A port of this machine that nobody uses.
fn free_address() -> Result<String> {
    let address = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    address.map(|a| a.to_string()).map_err(|e| Status::unavailable(e.to_string()))
}
