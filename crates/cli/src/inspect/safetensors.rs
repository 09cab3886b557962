//! A safetensors file.

use std::fmt::Write;
use std::path::Path;

use downpour_formats::safetensors::SafetensorsReader;
use downpour_tensor::Result;
use serde_json::json;

use super::Report;
use super::text::{shape, table};
use crate::status::amounts;

pub fn inspect(path: &Path) -> Result<Report> {
    let reader = SafetensorsReader::open(path)?;
    let (mut rows, mut tensors, mut total) = (Vec::new(), Vec::new(), 0u64);
    let mut names = reader.names();
    names.sort();
    for name in names {
        let (dtype, dims) = reader.describe(&name)?;
        let bytes = dims.elements() as u64 * dtype.size() as u64;
        total += bytes;
        let dims = dims.to_i64();
        rows.push(vec![
            dtype.to_string(),
            shape(Some(&dims)),
            amounts::bytes(bytes as f64),
            name.clone(),
        ]);
        tensors.push(json!({
            "name": name, "dtype": dtype.to_string(), "shape": dims, "bytes": bytes,
        }));
    }
    let mut text = format!(
        "safetensors file {}: {}, {}\n{}",
        path.display(),
        amounts::count(tensors.len() as u64, "tensor"),
        amounts::bytes(total as f64),
        table(&rows)
    );
    let texts = reader.texts();
    for (key, value) in &texts {
        let _ = writeln!(text, "{key}: {value}");
    }
    let json = json!({"kind": "safetensors", "bytes": total, "tensors": tensors, "texts": texts});
    Ok(Report { json, text, good: true })
}
