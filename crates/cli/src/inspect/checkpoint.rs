//! A checkpoint, or a folder of them.

use std::fmt::Write;
use std::path::Path;

use downpour_formats::BundleReader;
use downpour_formats::checkpoints::{find_good, read_state, step_of};
use downpour_tensor::{Code, Result, Status};
use serde_json::{Value, json};

use super::text::table;
use super::{Report, with_hint};
use crate::status::amounts;

pub fn inspect(prefix: &Path, verify: bool) -> Result<Report> {
    let prefix =
        prefix.to_str().ok_or_else(|| Status::invalid_argument("the path is not valid UTF-8"))?;
    let mut reader = BundleReader::open(prefix).map_err(|error| match error.code() {
        Code::NotFound => with_hint(
            Status::not_found(format!("there is no checkpoint {prefix}")),
            "a checkpoint has a file PREFIX.index; give the prefix, or its folder",
        ),
        _ => error,
    })?;
    let (json, rows, total) = tensors(&mut reader, verify)?;
    let damaged: Vec<&Value> = json.iter().filter(|tensor| !tensor["error"].is_null()).collect();
    let mut text = format!(
        "checkpoint {prefix}: {}, {} in {}\n{}",
        amounts::count(json.len() as u64, "tensor"),
        amounts::bytes(total as f64),
        amounts::count(u64::from(reader.data_files()), "data file"),
        table(&rows),
    );
    let good = damaged.is_empty();
    if verify {
        let _ = match damaged.len() {
            0 => writeln!(text, "every checksum is right"),
            count => writeln!(text, "{} damaged", amounts::count(count as u64, "tensor")),
        };
    }
    let json = json!({
        "kind": "checkpoint",
        "prefix": prefix,
        "step": step_of(prefix),
        "bytes": total,
        "data_files": reader.data_files(),
        "tensors": json,
        "verified": verify.then_some(good),
    });
    Ok(Report { json, text, good })
}

/// A JSON object and a row for each tensor, and the bytes of all.
pub fn tensors(
    reader: &mut BundleReader,
    verify: bool,
) -> Result<(Vec<Value>, Vec<Vec<String>>, u64)> {
    let (mut json, mut rows, mut total) = (Vec::new(), Vec::new(), 0u64);
    for name in reader.names() {
        let (dtype, shape) = reader.describe(&name)?;
        let bytes = reader.stored_bytes(&name)?;
        total = total.saturating_add(bytes);
        let error = if verify { reader.read(&name).err() } else { None };
        let mut row = vec![
            dtype.to_string(),
            super::text::shape(Some(&shape.to_i64())),
            amounts::bytes(bytes as f64),
            name.clone(),
        ];
        if let Some(error) = &error {
            row[3] = format!("{name}  DAMAGED: {}", error.message());
        }
        rows.push(row);
        json.push(json!({
            "name": name,
            "dtype": dtype.to_string(),
            "shape": shape.to_i64(),
            "bytes": bytes,
            "error": error.map(|error| error.message().to_string()),
        }));
    }
    Ok((json, rows, total))
}

pub fn inspect_folder(folder: &Path, verify: bool) -> Result<Report> {
    let search = find_good(folder)?;
    let state = read_state(folder).ok().flatten();
    let all = state.map(|state| state.all_model_checkpoint_paths).unwrap_or_default();
    let mut text = format!(
        "checkpoints in {}: {} listed\n",
        folder.display(),
        amounts::count(all.len() as u64, "checkpoint")
    );
    for name in &all {
        let _ = writeln!(text, "  {name}");
    }
    for damaged in &search.damaged {
        let _ = writeln!(text, "DAMAGED: {}: {}", damaged.checkpoint, damaged.error.message());
    }
    let damaged: Vec<Value> = search
        .damaged
        .iter()
        .map(|one| json!({"checkpoint": one.checkpoint, "error": one.error.message()}))
        .collect();
    let mut latest = Value::Null;
    match &search.good {
        Some(good) => {
            let report = inspect(Path::new(&good.prefix), verify)?;
            let _ = write!(text, "the latest that is whole:\n{}", report.text);
            latest = report.json;
        }
        None => text.push_str("none of them is whole\n"),
    }
    let json = json!({
        "kind": "checkpoint_folder",
        "listed": all,
        "damaged": damaged,
        "latest_good": latest,
    });
    let good = search.good.is_some() && (!verify || search.damaged.is_empty());
    Ok(Report { json, text, good })
}
