//! Benchmarks, alone or beside others.

use std::process::Command;

use crate::process::{cargo, root, run as run_process, target_dir};
use crate::python::python;

const HELP: &str = "\
cargo xtask bench SPEC.json                            one step of a saved graph
cargo xtask bench --tasks [N...]                       the master's work for so many simulated tasks
cargo xtask bench --scaling [OPTIONS] [N...]           a step's time on so many workers: model and simulation
cargo xtask bench --snapshots [OPTIONS] [NAME...]      what snapshots of parameter servers cost training
cargo xtask bench --collectives [OPTIONS]              all-reduce beside gloo and OpenMPI; both need a Python of their own
                                                       (--torch-python, --mpi-python)
cargo xtask bench --against tensorflow [OPTIONS] [NAME...]
                                                       operations and steps on one device beside TensorFlow
cargo xtask bench --against tensorflow --cluster [OPTIONS] [NAME...]
                                                       steps over several tasks, among them push and pull of 100 MB and
                                                       embeddings, beside TensorFlow's parameter servers
cargo xtask bench --against tensorflow --embedding [OPTIONS] [NAME...]
                                                       a large embedding trained through each of our doors, beside
                                                       TensorFlow's parameter server
cargo xtask bench --against tensorflow --input [OPTIONS] [NAME...]
                                                       pipelines of tf.data beside TensorFlow's

Each prints medians and ratios in one run. --help after one of them says more.
";

/// Builds in release and runs `benches/`; the others' sides need virtual environments.
pub fn run(args: &[String]) -> Result<(), String> {
    match args.first().map(String::as_str) {
        None | Some("--help" | "-h" | "help") => {
            print!("{HELP}");
            return Ok(());
        }
        Some("--scaling") => return scaling(&args[1..]),
        Some("--collectives") => return collectives(&args[1..]),
        _ => {}
    }
    // Both in one build: apart, cargo would resolve features twice and compile dependencies twice.
    let packages = ["--package", "downpour-cli", "--package", "downpour-bench"];
    run_process(cargo(&[&["build", "--release"], &packages[..]].concat()))?;
    let folder = target_dir().join("release");
    let (server, local) = (folder.join("downpour"), folder.join("downpour-bench"));
    if args.first().is_some_and(|a| a == "--tasks") {
        let mut command = Command::new(folder.join("downpour-bench-tasks"));
        command.args(&args[1..]).current_dir(root());
        return run_process(command);
    }
    if args.first().is_some_and(|a| a == "--snapshots") {
        let mut command = Command::new("python3");
        command.arg(root().join("benches/snapshot_cost.py")).arg("--binary").arg(server);
        command.args(&args[1..]).current_dir(root());
        return run_process(command);
    }
    if !args.iter().any(|a| a == "--against") {
        let mut command = Command::new(local);
        command.args(args).current_dir(root());
        return run_process(command);
    }
    let mut command = Command::new(python()?);
    let asked = |flag: &str| args.iter().any(|a| a == flag);
    let script = match () {
        () if asked("--cluster") => "benches/cluster_against_tensorflow.py",
        () if asked("--embedding") => "benches/embedding_against_tensorflow.py",
        () if asked("--input") => "benches/input_against_tensorflow.py",
        () => "benches/against_tensorflow.py",
    };
    command.arg(root().join(script));
    command.arg("--server").arg(server).arg("--local").arg(local).args(args).current_dir(root());
    run_process(command)
}

/// The model and the simulation, after this machine's constants if they are asked for.
fn scaling(args: &[String]) -> Result<(), String> {
    let (measure, rest): (Vec<&String>, Vec<&String>) =
        args.iter().partition(|a| *a == "--measure");
    let folder = target_dir().join("release");
    let mut constants = None;
    if !measure.is_empty() {
        run_process(cargo(&["build", "--release", "--package", "downpour-bench"]))?;
        let mut command = Command::new(folder.join("downpour-bench-constants"));
        let output = command.output().map_err(|e| format!("downpour-bench-constants: {e}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        print!("{}", String::from_utf8_lossy(&output.stdout));
        let path = folder.join("constants.json");
        std::fs::write(&path, &output.stdout).map_err(|e| format!("{}: {e}", path.display()))?;
        constants = Some(path);
    }
    run_process(cargo(&["build", "--release", "--package", "downpour-scaling"]))?;
    let mut command = Command::new(folder.join("downpour-scaling"));
    if let Some(path) = constants {
        command.arg("--constants").arg(path);
    }
    command.args(rest).current_dir(root());
    run_process(command)
}

/// All-reduce beside others, who have a Python each.
fn collectives(args: &[String]) -> Result<(), String> {
    let example = ["--package", "downpour-collectives", "--example", "all_reduce"];
    run_process(cargo(&[&["build", "--release"], &example[..]].concat()))?;
    let mut command = Command::new("python3");
    command.arg(root().join("benches/collectives_against_others.py"));
    command.arg("--ours").arg(target_dir().join("release/examples/all_reduce"));
    command.args(args).current_dir(root());
    run_process(command)
}
