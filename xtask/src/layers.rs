//! Crates depend only downward.

use crate::process::cargo;

/// A crate may use only crates of lower layers.
const LAYERS: [(&str, u32); 18] = [
    ("downpour-tensor", 0),
    ("downpour-wire", 1),
    ("downpour-compress", 1),
    ("downpour-disk", 1),
    ("downpour-images", 1),
    ("downpour-simulation", 2),
    ("downpour-collectives", 2),
    ("downpour-coordinator", 2),
    ("downpour-graph", 2),
    ("downpour-lbfgs", 2),
    ("downpour-formats", 2),
    ("downpour-data", 3),
    ("downpour-runtime", 3),
    ("downpour-params", 3),
    ("downpour-gemm", 4),
    ("downpour-cluster", 7),
    ("downpour", 8),
    ("downpour-cli", 9),
];

fn layer(name: &str) -> Option<u32> {
    match name {
        "downpour-ops" => Some(6),
        "downpour-scaling" => Some(8),
        "xtask" | "downpour-examples" | "downpour-bench" => Some(9),
        "downpour-fuzz" => Some(10),
        name if name.starts_with("downpour-ops-") => Some(5),
        name => LAYERS.iter().find(|(n, _)| *n == name).map(|(_, layer)| *layer),
    }
}

pub fn check() -> Result<(), String> {
    let mut command = cargo(&["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let output = command.output().map_err(|e| format!("cargo metadata: {e}"))?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))?;
    let mut wrong = Vec::new();
    let empty = Vec::new();
    for package in metadata["packages"].as_array().unwrap_or(&empty) {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(own) = layer(name) else {
            wrong.push(format!("{name} has no layer: give it one in xtask/src/layers.rs"));
            continue;
        };
        for dependency in package["dependencies"].as_array().unwrap_or(&empty) {
            let used = dependency["name"].as_str().unwrap_or_default();
            // What only tests use cannot reach a user.
            if dependency["kind"].as_str() == Some("dev") {
                continue;
            }
            if let Some(other) = layer(used)
                && other >= own
            {
                wrong.push(format!("{name} (layer {own}) must not use {used} (layer {other})"));
            }
        }
    }
    if wrong.is_empty() {
        println!("crates depend only downward");
        return Ok(());
    }
    Err(wrong.join("\n"))
}
