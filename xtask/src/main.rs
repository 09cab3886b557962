//! `cargo xtask`: every check of this repository, cheapest first.

mod bench;
mod book;
mod chaos;
mod fuzz;
mod layers;
mod oracle;
mod process;
mod python;

use std::process::ExitCode;

use process::Stages;

const HELP: &str = "\
cargo xtask COMMAND

  test              everything: format, layers, the book, clippy, Rust tests, fuzz targets for some seconds,
                    oracle, a sample of bad inputs and system tests
  layers            check that crates depend only downward
  book              check the book in docs/ and render it to target/book
  generate-ops      write the library's typed functions anew from the operations' definitions
  fuzz [TARGET...]  feed changed bytes to everything that parses, guided by coverage; `fuzz --help` says more
  oracle [ARGS...]  compare every operation with TensorFlow (ARGS go to tests/oracle/run.py)
  hostile [ARGS...] send every operation inputs that no good client sends (ARGS go to tests/oracle/hostile.py)
  system [ARGS...]  the tests that start real processes (ARGS go to tests/system/run.py)
  chaos [ARGS...]   training in every way under kills, stops, full disks, damaged files, clock jumps and hostile
                    connections, for some minutes; `chaos --help` lists the options
  bench [ARGS...]   benchmarks, alone and beside others; `bench --help` lists them
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    let result = match command.as_str() {
        "test" => test(),
        "layers" => layers::check(),
        "book" => book::build(),
        "generate-ops" => generate_ops(),
        "fuzz" => fuzz::run(&rest),
        "oracle" => oracle::run("dev", &rest),
        "hostile" => oracle::run_hostile("dev", &rest),
        "system" => oracle::run_system("dev", &rest),
        "chaos" => chaos::run(&rest),
        "bench" => bench::run(&rest),
        "" | "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("unknown command '{other}'\n\n{HELP}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}

/// The test that finds stale files writes them when it is told to.
fn generate_ops() -> Result<(), String> {
    let mut write =
        process::cargo(&["test", "--package", "downpour-ops", "--test", "ops", "library"]);
    write.env("UPDATE_OPS", "1");
    process::step("typed functions", write)?;
    process::step("format", process::cargo(&["fmt", "--package", "downpour"]))
}

/// How long each fuzz target runs in `test`.
const FUZZ_SECONDS: u32 = 3;

/// How many bad inputs each operation gets in `test`.
const BAD_INPUTS: &str = "2";

fn test() -> Result<(), String> {
    let mut stages = Stages::default();
    let result = all_stages(&mut stages);
    stages.print();
    result
}

fn all_stages(stages: &mut Stages) -> Result<(), String> {
    stages.cargo("format", &["fmt", "--all", "--", "--check"])?;
    stages.run("layers", layers::check)?;
    stages.run("book", book::build)?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    stages.cargo("clippy", &clippy)?;
    stages.cargo("build of the Rust tests", &["test", "--workspace", "--no-run"])?;
    stages.cargo("Rust tests", &["test", "--workspace"])?;
    stages.run("fuzz targets, a few seconds each", || fuzz::briefly(FUZZ_SECONDS))?;
    stages.run("oracle: every operation against TensorFlow", || oracle::run("dev", &[]))?;
    stages.run("bad inputs for every operation", || {
        oracle::run_hostile("dev", &["--count".into(), BAD_INPUTS.into()])
    })?;
    stages
        .run("system tests: real processes, TensorFlow's client", || oracle::run_system("dev", &[]))
}
