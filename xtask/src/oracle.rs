//! Tests that need TensorFlow: the oracle's cases and the system tests.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{cargo, root, run as run_process, target_dir};
use crate::python::python;

/// Builds the `downpour` binary and the programs that tests run, and returns the binary's path. All packages
/// at once, examples too: then cargo chooses the same features as for the Rust tests, and nothing that they
/// have built is built again.
fn binary(profile: &str) -> Result<PathBuf, String> {
    run_process(cargo(&["build", "--workspace", "--bins", "--examples", "--profile", profile]))?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target_dir().join(folder).join("downpour"))
}

/// Compares operations with TensorFlow.
pub fn run(profile: &str, args: &[String]) -> Result<(), String> {
    let mut protos = Command::new(python()?);
    protos.arg(root().join("tests/oracle/check_protos.py")).current_dir(root());
    run_process(protos)?;
    script("tests/oracle/check_signatures.py", profile, &[])?;
    script("tests/oracle/run.py", profile, args)
}

/// Sends every operation inputs that no good client sends.
pub fn run_hostile(profile: &str, args: &[String]) -> Result<(), String> {
    script("tests/oracle/hostile.py", profile, args)
}

/// Runs the tests that start real processes.
pub fn run_system(profile: &str, args: &[String]) -> Result<(), String> {
    script("tests/system/run.py", profile, args)
}

fn script(path: &str, profile: &str, args: &[String]) -> Result<(), String> {
    let binary = binary(profile)?;
    let mut command = Command::new(python()?);
    command.arg(root().join(path)).arg("--server").arg(binary).args(args).current_dir(root());
    run_process(command)
}
