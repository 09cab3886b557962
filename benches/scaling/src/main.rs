//! The model of a step's time beside the simulation: `cargo xtask bench --scaling`.

use std::process::ExitCode;
use std::time::Instant;

use downpour_scaling::cases::{Case, cluster};
use downpour_scaling::chart::{Line, svg};
use downpour_scaling::constants::Constants;

const HELP: &str = "\
cargo xtask bench --scaling [OPTIONS] [WORKERS...]

The time of a step on 10, 100 and 1,000 workers (or so many as are given), by the model and in a simulation of the real
code, with the relative error and what limits each.

  --model-only      no simulation: at once, for any number of workers
  --measure         measure this machine's constants first (the others are those of the book)
  --constants FILE  take them from a file of JSON: spread, message, apply
  --steps N         steps of each simulation (6,000 of all workers together)
  --seed N          of the simulation (1)
  --only TEXT       only ways to train whose name contains it
  --bytes N         of the model (25e6)
  --compute S       seconds of a worker's step (0.5)
  --bandwidth N     bytes a second of a card (1.25e9)
  --latency S       seconds from host to host (50e-6)
  --servers N       parameter servers (one for ten workers)
  --slow SHARE      of all steps that take three times as long (0.01)
  --svg FILE        draw it
  --json FILE       write the figures there
";

#[derive(Default)]
struct Options {
    values: Vec<(String, String)>,
    workers: Vec<usize>,
}

impl Options {
    fn parse(arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options::default();
        let mut arguments = arguments.peekable();
        while let Some(argument) = arguments.next() {
            if argument.starts_with("--") {
                if !HELP.contains(&format!("  {argument} ")) || argument == "--measure" {
                    return Err(format!("unknown option {argument}\n\n{HELP}"));
                }
                if argument == "--model-only" {
                    options.values.push((argument, String::new()));
                    continue;
                }
                let value = arguments.next().ok_or(format!("{argument} needs a value"))?;
                options.values.push((argument, value));
            } else {
                let count = argument.parse().ok().filter(|n| (1..=10_000).contains(n));
                options.workers.push(count.ok_or(format!("{argument:?} is no number of workers"))?);
            }
        }
        if options.workers.is_empty() {
            options.workers = vec![10, 100, 1000];
        }
        Ok(options)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.values.iter().rfind(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    fn number(&self, name: &str) -> Result<Option<f64>, String> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let number = text.parse().ok().filter(|v: &f64| v.is_finite() && *v >= 0.0);
        number.map(Some).ok_or(format!("{name}: {text:?} is no number"))
    }
}

fn run() -> Result<(), String> {
    if std::env::args().any(|a| a == "--help" || a == "-h") {
        print!("{HELP}");
        return Ok(());
    }
    let options = Options::parse(std::env::args().skip(1))?;
    let constants = match options.text("--constants") {
        Some(path) => Constants::read(path)?,
        None => Constants::default(),
    };
    let steps = options.number("--steps")?.map(|steps| (steps as usize).max(1));
    let seed = options.number("--seed")?.unwrap_or(1.0) as u64;
    println!(
        "constants: spread {:.3}, message {:.2} us, apply {:.3} ns/byte\n",
        constants.spread,
        constants.message * 1e6,
        constants.apply * 1e9
    );
    println!(
        "| workers | servers | way to train | model | simulation | error | limited by | took |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut rows = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    for &workers in &options.workers {
        let mut cluster = cluster(workers, constants);
        for (name, place) in [
            ("--bytes", &mut cluster.bytes),
            ("--compute", &mut cluster.compute.mean),
            ("--bandwidth", &mut cluster.bandwidth),
            ("--latency", &mut cluster.latency),
            ("--slow", &mut cluster.compute.slow),
        ] {
            *place = options.number(name)?.unwrap_or(*place);
        }
        if let Some(servers) = options.number("--servers")? {
            cluster.servers = (servers as usize).max(1);
        }
        for (index, case) in Case::all(workers).into_iter().enumerate() {
            let name = case.name();
            if options.text("--only").is_some_and(|wanted| !name.contains(wanted)) {
                continue;
            }
            let begun = Instant::now();
            let step = case.model(&cluster);
            if options.text("--model-only").is_some() {
                let (time, limit) = (step.time(), step.limit().name());
                println!(
                    "| {workers} | {} | {name} | {time:.3} s | | | {limit} | |",
                    cluster.servers
                );
                continue;
            }
            let simulated = case
                .simulate(&cluster, steps.unwrap_or(6000 / workers).max(3), seed)
                .map_err(|e| format!("{name}: {e}"))?;
            let error = step.time() / simulated - 1.0;
            println!(
                "| {workers} | {} | {name} | {:.3} s | {simulated:.3} s | {:+.0} % | {} | {:.1} s |",
                cluster.servers,
                step.time(),
                100.0 * error,
                step.limit().name(),
                begun.elapsed().as_secs_f64(),
            );
            rows.push(serde_json::json!({
                "workers": workers, "servers": cluster.servers, "way": name, "model": step.time(),
                "simulation": simulated, "limit": step.limit().name(),
            }));
            let generic = match case {
                Case::Backups(_) => "synchronous, 5 % backups".to_string(),
                _ => name,
            };
            match lines.iter_mut().find(|line| line.name == generic) {
                Some(line) => line.points.push((workers, step.time(), simulated)),
                None => lines.insert(
                    index.min(lines.len()),
                    Line { name: generic, points: vec![(workers, step.time(), simulated)] },
                ),
            }
        }
    }
    let write = |path: &str, text: String| {
        std::fs::write(path, text).map_err(|e| format!("cannot write {path}: {e}"))
    };
    if let Some(path) = options.text("--json") {
        write(path, serde_json::Value::from(rows).to_string())?;
    }
    if let Some(path) = options.text("--svg") {
        write(path, svg(&lines))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
