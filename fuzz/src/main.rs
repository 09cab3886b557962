//! Runs one target on its seeds and on random changes of them, without coverage.
//!
//! Before each run the input is written to a file, so that it is known even if the process is ended by a signal.
//! Every panic counts, also one that somebody catches or that ends another thread.

use std::error::Error;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

use downpour_fuzz::mutate::mutate;
use downpour_fuzz::{TARGETS, Target, find, watch};
use fastrand::Rng;

const HELP: &str = "\
downpour-fuzz --list                               print the names of the targets
downpour-fuzz TARGET --inputs DIR[,DIR...] --current FILE [--seconds N] [--seed N]
                                                   run the inputs, then random changes of them for N seconds;
                                                   FILE always has the input that is being run
downpour-fuzz TARGET --input FILE                  run one input
";

static PANICKED: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("downpour-fuzz: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: Vec<String>) -> Result<(), Box<dyn Error>> {
    let mut option = |name: &str| -> Option<String> {
        let at = arguments.iter().position(|word| word == name)?;
        arguments.remove(at);
        (at < arguments.len()).then(|| arguments.remove(at))
    };
    let (input, inputs, current) = (option("--input"), option("--inputs"), option("--current"));
    let (seconds, seed) = (option("--seconds"), option("--seed"));
    if arguments == ["--list"] {
        TARGETS.iter().for_each(|target| println!("{}", target.name));
        return Ok(());
    }
    let [name] = &arguments[..] else { return Err(HELP.into()) };
    let target =
        find(name).ok_or_else(|| format!("there is no target '{name}'; --list names all"))?;
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICKED.store(true, SeqCst);
        usual(panic);
    }));
    if let Some(input) = input {
        return match survives(target, &std::fs::read(input)?) {
            true => Ok(()),
            false => Err("it panicked".into()),
        };
    }
    let (Some(inputs), Some(current)) = (inputs, current) else { return Err(HELP.into()) };
    let seconds = seconds.as_deref().unwrap_or("10").parse()?;
    let seed = seed.map_or_else(|| Ok(fastrand::u64(..)), |seed| seed.parse())?;
    let folders: Vec<PathBuf> = inputs.split(',').map(PathBuf::from).collect();
    fuzz(target, &read_all(&folders)?, Path::new(&current), Duration::from_secs(seconds), seed)
}

/// The contents of all files in these folders.
fn read_all(folders: &[PathBuf]) -> std::io::Result<Vec<Vec<u8>>> {
    let mut files = Vec::new();
    for folder in folders {
        let entries: std::io::Result<Vec<_>> = std::fs::read_dir(folder)?.collect();
        files.extend(entries?.into_iter().map(|entry| entry.path()));
    }
    files.sort();
    files.iter().map(std::fs::read).collect()
}

fn fuzz(
    target: Target,
    seeds: &[Vec<u8>],
    current: &Path,
    time: Duration,
    seed: u64,
) -> Result<(), Box<dyn Error>> {
    if seeds.is_empty() {
        return Err(format!("there are no seeds for {}", target.name).into());
    }
    let mut file = File::create(current)?;
    let watch = watch::start(|why| eprintln!("downpour-fuzz: {why}"));
    let mut one = |input: &[u8]| -> Result<(), Box<dyn Error>> {
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(input)?;
        watch.begin();
        let good = survives(target, input);
        watch.end();
        if good { Ok(()) } else { Err("it panicked".into()) }
    };
    seeds.iter().try_for_each(|seed| one(seed))?;
    let (mut random, begun, mut count) = (Rng::with_seed(seed), Instant::now(), seeds.len());
    while begun.elapsed() < time {
        let mut input = seeds[random.usize(..seeds.len())].clone();
        let other = &seeds[random.usize(..seeds.len())];
        mutate(&mut random, &mut input, other);
        one(&input)?;
        count += 1;
    }
    println!("{}: {count} inputs (seed {seed})", target.name);
    Ok(())
}

/// Whether a target returns from an input without a panic.
fn survives(target: Target, input: &[u8]) -> bool {
    // What a panic leaves behind is of no interest: the process ends.
    let run = std::panic::AssertUnwindSafe(|| (target.run)(input));
    std::panic::catch_unwind(run).is_ok() && !PANICKED.load(SeqCst)
}
