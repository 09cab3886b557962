//! The virtual environment with real TensorFlow, made under `target/` from pinned packages.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{heading, root, run, target_dir};

/// The environment's Python; makes or renews the environment when the pinned packages changed.
pub fn python() -> Result<PathBuf, String> {
    let requirements = root().join("tests/requirements.txt");
    let wanted = std::fs::read_to_string(&requirements)
        .map_err(|e| format!("cannot read {}: {e}", requirements.display()))?;
    let home = target_dir().join("venv");
    let stamp = home.join("installed.txt");
    let python = home.join("bin/python");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    heading("virtual environment with TensorFlow (once)");
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(&home);
    run(make)?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]);
    install.arg(&requirements);
    run(install)?;
    std::fs::write(&stamp, wanted).map_err(|e| format!("cannot write {}: {e}", stamp.display()))?;
    Ok(python)
}
