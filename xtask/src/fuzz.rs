//! Fuzz targets: all of them for a few seconds without coverage, or any of them for as long as wished with it.
//!
//! Coverage comes from the compiler pass that sanitizers use. Stable compilers have it too, if it is asked for by its
//! LLVM name; only AddressSanitizer itself needs a nightly one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, heading, root, run as run_process, target_dir};

const HELP: &str = "\
cargo xtask fuzz [TARGET...] [--seconds N]    run targets (all if none is named), N seconds each (60), guided by coverage
cargo xtask fuzz --without-coverage ...       the same by random changes of the seeds only, as in `cargo xtask test`
cargo xtask fuzz TARGET --input FILE          run one input, as to repeat a crash
cargo xtask fuzz --list                       print the names of the targets

New inputs are kept in fuzz/corpus/TARGET, inputs that crash in target/fuzz/crashes. A crash that is mended gets its input
into fuzz/seeds/TARGET, so that every run tries it first.
";

/// Makes code count how often its branches are taken, which libFuzzer reads.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares";

/// `cargo xtask fuzz`.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut names = Vec::new();
    let (mut seconds, mut input, mut coverage) = (60, None, true);
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value\n\n{HELP}"));
        match word.as_str() {
            "--help" | "-h" => {
                print!("{HELP}");
                return Ok(());
            }
            "--list" => {
                let driver = build_driver()?;
                targets(&driver)?.iter().for_each(|name| println!("{name}"));
                return Ok(());
            }
            "--seconds" => seconds = value()?.parse().map_err(|e| format!("--seconds: {e}"))?,
            "--without-coverage" => coverage = false,
            "--input" => input = Some(value()?.clone()),
            flag if flag.starts_with('-') => return Err(format!("unknown flag {flag}\n\n{HELP}")),
            name => names.push(name.to_string()),
        }
    }
    let driver = build_driver()?;
    let known = targets(&driver)?;
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!("there is no target '{name}'; there are: {}", known.join(", ")));
    }
    if let Some(input) = input {
        let [name] = &names[..] else {
            return Err(format!("--input goes with one target\n\n{HELP}"));
        };
        let mut command = Command::new(driver);
        command.arg(name).arg("--input").arg(input);
        return run_process(command);
    }
    let names = if names.is_empty() { known } else { names };
    if !coverage {
        return by_chance(&driver, &names, seconds);
    }
    let guided = build_guided()?;
    for name in &names {
        heading(&format!("{name}: {seconds} s, guided by coverage"));
        let corpus = root().join("fuzz/corpus").join(name);
        make_folder(&corpus)?;
        let mut command = Command::new(&guided);
        command.env("DOWNPOUR_FUZZ_TARGET", name).current_dir(root());
        command.arg(&corpus).arg(seeds(name)).arg(format!("-max_total_time={seconds}"));
        command.args(["-timeout=120", "-rss_limit_mb=2048", "-print_final_stats=1"]);
        command.arg(format!("-artifact_prefix={}/{name}-", crashes()?.display()));
        run_process(command).map_err(|e| format!("{e}\n{}", repeat(name, "FILE (named above)")))?;
    }
    Ok(())
}

/// Runs every target for some seconds without coverage.
pub fn briefly(seconds: u32) -> Result<(), String> {
    let driver = build_driver()?;
    by_chance(&driver, &targets(&driver)?, seconds)
}

/// Runs targets on random changes of their seeds, on as many processors as there are.
fn by_chance(driver: &Path, names: &[String], seconds: u32) -> Result<(), String> {
    let crashes = crashes()?;
    let next = std::sync::Mutex::new(names.iter());
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let failed = std::thread::scope(|scope| {
        let work = || {
            let mut failed = Vec::new();
            loop {
                // Not in the loop's condition: that would hold the lock while the target runs.
                let name = next.lock().ok().and_then(|mut next| next.next());
                let Some(name) = name else { return failed };
                failed.extend(one(driver, name, seconds, &crashes).err());
            }
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect::<Vec<_>>()
    });
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// Runs one target; if it crashes, its input is kept and how to repeat it said.
fn one(driver: &Path, name: &str, seconds: u32, crashes: &Path) -> Result<(), String> {
    let current = crashes.join(format!("{name}.current"));
    let corpus = root().join("fuzz/corpus").join(name);
    let folders = [seeds(name), corpus].into_iter().filter(|folder| folder.is_dir());
    let folders: Vec<String> = folders.map(|folder| folder.display().to_string()).collect();
    let mut command = Command::new(driver);
    command.arg(name).args(["--inputs", &folders.join(",")]).arg("--current").arg(&current);
    command.args(["--seconds", &seconds.to_string()]).current_dir(root());
    let result = run_process(command);
    if let Err(why) = result {
        let kept = crashes.join(format!("{name}-{}", std::process::id()));
        std::fs::rename(&current, &kept)
            .map_err(|e| format!("{why}; the input is lost: {}: {e}", current.display()))?;
        return Err(format!("{why}\n{}", repeat(name, &kept.display().to_string())));
    }
    std::fs::remove_file(&current).map_err(|e| format!("{}: {e}", current.display()))
}

fn repeat(name: &str, input: &str) -> String {
    format!("repeat it: cargo xtask fuzz {name} --input {input}")
}

fn targets(driver: &Path) -> Result<Vec<String>, String> {
    let mut command = Command::new(driver);
    let output =
        command.arg("--list").output().map_err(|e| format!("{}: {e}", driver.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect())
}

fn seeds(name: &str) -> PathBuf {
    root().join("fuzz/seeds").join(name)
}

fn crashes() -> Result<PathBuf, String> {
    let folder = target_dir().join("fuzz/crashes");
    make_folder(&folder)?;
    Ok(folder)
}

fn make_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))
}

/// With all packages, so that cargo chooses the same features as for the tests and builds nothing twice.
fn build_driver() -> Result<PathBuf, String> {
    run_process(cargo(&["build", "--workspace", "--bins", "--examples"]))?;
    Ok(target_dir().join("debug/downpour-fuzz"))
}

/// The targets under libFuzzer, in a folder of their own: everything is compiled anew to count coverage.
fn build_guided() -> Result<PathBuf, String> {
    heading("building with coverage");
    let host = host()?;
    let folder = target_dir().join("fuzz");
    let mut build = cargo(&["build", "--package", "downpour-fuzz", "--features", "libfuzzer"]);
    build.args(["--bin", "downpour-libfuzzer", "--profile", "fuzz", "--target", &host]);
    // Build scripts and procedural macros are for this machine as they are: only with --target flags spare them.
    build.arg("--target-dir").arg(&folder).env("RUSTFLAGS", COVERAGE);
    run_process(build)?;
    Ok(folder.join(host).join("fuzz/downpour-libfuzzer"))
}

/// The compiler's own platform.
fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().map_err(|e| format!("rustc -vV: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(String::from).ok_or_else(|| format!("rustc -vV names no host: {text}"))
}
