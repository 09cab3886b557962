//! Every way to train, on the same model and data, side by side.
//!
//!     cargo run --release --example strategies -- [STEPS [FOLDER]]
//!
//! With a folder, every run is written into it, and a page that compares them: `FOLDER/compare.html`.
//! Servers and workers are threads that talk over loopback; in a job's file the same is one line (`strategy = ...`).
//! A step is an update of everybody's gradients where these are averaged, and of one worker's otherwise, so the
//! strategies see different numbers of examples; the table says how many.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use downpour::comparison::Comparison;
use downpour::data::{Dataset, Remainder};
use downpour::report;
use downpour::training::{
    Built, ClusterSpec, Downpour, Inputs, MultiWorkerMirrored, Outcome, ParameterServer, Strategy,
    Trainer,
};
use downpour::{Optimizer, Result, Status, Tensor, layers};

const EXAMPLES: usize = 3000;
const WORKERS: u32 = 3;

/// Two layers that learn a product.
fn model(inputs: &Inputs) -> Result<Built> {
    let hidden =
        layers::Dense::new(32).activation(layers::Activation::Tanh).build(inputs.get("x")?)?;
    let guess = layers::Dense::new(1).build(&hidden)?;
    Ok(Built::new((guess - inputs.get("y")?)?.square()?.mean_all()?))
}

fn data() -> Result<Dataset> {
    let numbers = |from: f32| (0..EXAMPLES).map(move |i| (i as f32 * from).sin());
    let xs = numbers(0.7).zip(numbers(1.3)).flat_map(|(a, b)| [a, b]).collect();
    let ys = numbers(0.7).zip(numbers(1.3)).map(|(a, b)| a * b).collect();
    Dataset::from_tensors([
        ("x", Tensor::from_vec([EXAMPLES, 2], xs)?),
        ("y", Tensor::from_vec([EXAMPLES, 1], ys)?),
    ])
}

fn trainer(name: &str, strategy: Strategy, steps: i64, folder: Option<&Path>) -> Result<Trainer> {
    let batches = data()?.shuffle(EXAMPLES, 1)?.repeat().batch(20, Remainder::Drop)?;
    let whole = data()?.batch(500, Remainder::Keep)?;
    let trainer = Trainer::new(model, batches)
        .evaluate(whole, None)
        .strategy(strategy)
        .optimizer(Optimizer::adagrad(0.1))
        .seed(1)
        .threads(1)
        .steps(steps)
        .describe("strategy", name);
    Ok(match folder {
        Some(folder) => trainer.folder(folder.join(name)),
        None => trainer,
    })
}

// ANCHOR: strategies
/// What a task of a cluster is told.
fn strategies(cluster: &ClusterSpec, job: &str, task: u32) -> Vec<(&'static str, Strategy)> {
    let seldom = Downpour { push_every: 5, fetch_every: 10, ..Downpour::default() };
    let on_servers = [
        ("asynchronous", ParameterServer::asynchronous()),
        ("synchronous", ParameterServer::synchronous()),
        ("synchronous, one backup", ParameterServer::with_backups(1)),
        ("bounded staleness", ParameterServer::bounded(3)),
        ("Downpour SGD", ParameterServer::downpour(Downpour::default())),
        ("Downpour SGD, seldom", ParameterServer::downpour(seldom)),
    ];
    let placed = |(name, strategy): (&'static str, ParameterServer)| {
        (name, Strategy::from(strategy.task(cluster.clone(), job, task)))
    };
    let mut all: Vec<(&str, Strategy)> = on_servers.into_iter().map(placed).collect();
    let mirrored = MultiWorkerMirrored::new().task(cluster.clone(), job, task);
    all.push(("all-reduce", Strategy::from(mirrored)));
    all
}
// ANCHOR_END: strategies

fn main() -> Result<()> {
    let steps = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(300);
    let folder = std::env::args().nth(2).map(PathBuf::from);
    let folder = folder.as_deref();
    println!("{:24} {:>6} {:>9} {:>8} {:>10}", "strategy", "steps", "examples", "seconds", "loss");
    let begun = Instant::now();
    let alone = trainer("local", Strategy::Local, steps, folder)?.train()?;
    print(&Strategies { name: "one process", chief: alone.clone(), all: vec![alone] }, begun);
    let mut names = vec!["local"];
    for (which, (name, _)) in strategies(&cluster()?, "worker", 0).into_iter().enumerate() {
        let begun = Instant::now();
        let ended = run(which, steps, folder)?;
        print(&ended, begun);
        names.push(name);
    }
    folder.map_or(Ok(()), |folder| compare(folder, &names))
}

/// The page that shows them side by side.
fn compare(folder: &Path, names: &[&str]) -> Result<()> {
    let failed = |e: std::io::Error| Status::unavailable(e.to_string());
    let runs = names.iter().map(|name| folder.join(name));
    let comparison = Comparison::read(runs).map_err(failed)?;
    let page = folder.join("compare.html");
    std::fs::write(&page, report::comparison(&comparison)).map_err(failed)?;
    println!("{}", page.display());
    Ok(())
}

struct Strategies {
    name: &'static str,
    chief: Outcome,
    all: Vec<Outcome>,
}

fn print(ended: &Strategies, begun: Instant) {
    let examples: u64 = ended.all.iter().map(|outcome| outcome.examples).sum();
    let loss = ended.chief.evaluation.as_ref().and_then(|e| e.metrics.get("loss").copied());
    println!(
        "{:24} {:>6} {examples:>9} {:>8.1} {:>10.5}",
        ended.name,
        ended.chief.step,
        begun.elapsed().as_secs_f64(),
        loss.unwrap_or(f64::NAN)
    );
}

/// All tasks of one strategy.
fn run(which: usize, steps: i64, folder: Option<&Path>) -> Result<Strategies> {
    let cluster = cluster()?;
    let task = |job: &str, number: u32| {
        let (name, strategy) = strategies(&cluster, job, number).swap_remove(which);
        trainer(name, strategy, steps, folder).map(|trainer| (name, trainer))
    };
    let (mut servers, mut workers) = (Vec::new(), Vec::new());
    let (name, _) = task("worker", 0)?;
    if name != "all-reduce" {
        for number in 0..2 {
            let (_, server) = task("ps", number)?;
            let stop = server.stop_flag();
            servers.push((stop, thread::spawn(move || server.train())));
        }
    }
    for number in 0..WORKERS {
        let (_, worker) = task("worker", number)?;
        workers.push(thread::spawn(move || worker.train()));
    }
    let all = workers.into_iter().map(ended).collect::<Result<Vec<Outcome>>>();
    for (stop, server) in servers {
        stop.stop();
        ended(server)?;
    }
    let all = all?;
    Ok(Strategies { name, chief: all[0].clone(), all })
}

fn ended(task: thread::JoinHandle<Result<Outcome>>) -> Result<Outcome> {
    task.join().unwrap_or_else(|_| Err(Status::internal("a task panicked")))
}

/// Two servers and three workers on ports that nobody uses.
fn cluster() -> Result<ClusterSpec> {
    let free = |_| TcpListener::bind("127.0.0.1:0");
    let failed = |e: std::io::Error| Status::unavailable(e.to_string());
    let listeners = (0..2 + WORKERS).map(free).collect::<std::io::Result<Vec<_>>>();
    let listeners = listeners.map_err(failed)?;
    let address = |listener: &TcpListener| listener.local_addr().map(|a| a.to_string());
    let addresses = listeners.iter().map(address).collect::<std::io::Result<Vec<_>>>();
    let addresses = addresses.map_err(failed)?;
    let text = format!(r#"{{"ps": {:?}, "worker": {:?}}}"#, &addresses[..2], &addresses[2..]);
    ClusterSpec::from_json(&text)
}
