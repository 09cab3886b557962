//! Benchmarks, alone or beside TensorFlow.

use std::process::Command;

use crate::process::{cargo, root, run as run_process, target_dir};
use crate::python::python;

/// Builds in release and runs `benches/`; TensorFlow's side needs its virtual environment.
pub fn run(args: &[String]) -> Result<(), String> {
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
    if !args.iter().any(|a| a == "--against") {
        let mut command = Command::new(local);
        command.args(args).current_dir(root());
        return run_process(command);
    }
    let mut command = Command::new(python()?);
    let script = match args.iter().any(|a| a == "--cluster") {
        true => "benches/cluster_against_tensorflow.py",
        false => "benches/against_tensorflow.py",
    };
    command.arg(root().join(script));
    command.arg("--server").arg(server).arg("--local").arg(local).args(args).current_dir(root());
    run_process(command)
}
