//! Which format a path is of: by its name where that is clear, by its first bytes otherwise.

use std::io::Read;
use std::path::{Path, PathBuf};

use downpour_formats::checkpoints::STATE_FILE;
use downpour_formats::events::EventReader;
use downpour_formats::saved_model::MODEL_FILE;
use downpour_formats::tfrecord::Compression;
use downpour_tensor::{Result, Status};
use downpour_wire::proto::event::What;

use super::with_hint;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Graph,
    Checkpoint,
    CheckpointFolder,
    SavedModel,
    Events,
    Safetensors,
    Records,
}

/// The kind, and the path that stands for the whole: a folder, a prefix, or the file.
pub fn find(path: &Path) -> Result<(Kind, PathBuf)> {
    let text = path.to_string_lossy();
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    if path.is_dir() {
        return folder(path);
    }
    if let Some(prefix) = text.strip_suffix(".index") {
        return Ok((Kind::Checkpoint, prefix.into()));
    }
    if let Some((prefix, _)) = text.rsplit_once(".data-").filter(|_| name.contains("-of-")) {
        return Ok((Kind::Checkpoint, prefix.into()));
    }
    if !path.exists() {
        if Path::new(&format!("{text}.index")).exists() {
            return Ok((Kind::Checkpoint, path.into()));
        }
        let missing = Status::not_found(format!("there is nothing at {text}"));
        return Err(with_hint(
            missing,
            "a checkpoint is named by its prefix, without .index or .data-...",
        ));
    }
    let parent = || path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if name == MODEL_FILE {
        return Ok((Kind::SavedModel, parent().into()));
    }
    if name == STATE_FILE {
        return Ok((Kind::CheckpointFolder, parent().into()));
    }
    let kind = match path.extension().map(|extension| extension.to_string_lossy()).as_deref() {
        _ if name.contains(".tfevents.") => Kind::Events,
        Some("safetensors") => Kind::Safetensors,
        Some("pb" | "pbtxt" | "graphdef") => Kind::Graph,
        Some("tfrecord" | "tfrecords") => Kind::Records,
        _ => by_contents(path)?,
    };
    Ok((kind, path.into()))
}

fn folder(path: &Path) -> Result<(Kind, PathBuf)> {
    if path.join(MODEL_FILE).exists() {
        return Ok((Kind::SavedModel, path.into()));
    }
    let entries = std::fs::read_dir(path)
        .map_err(|e| Status::unknown(format!("cannot list {}: {e}", path.display())))?;
    let names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    if names.iter().any(|name| name == STATE_FILE || name.ends_with(".index")) {
        return Ok((Kind::CheckpointFolder, path.into()));
    }
    // The newest by its name, which begins with the time.
    if let Some(events) = names.iter().filter(|name| name.contains(".tfevents.")).max() {
        return Ok((Kind::Events, path.join(events)));
    }
    let unknown = Status::invalid_argument(format!(
        "{} has no SavedModel, no checkpoints and no event files",
        path.display()
    ));
    Err(with_hint(unknown, "give the file itself"))
}

fn by_contents(path: &Path) -> Result<Kind> {
    let mut start = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(64).read_to_end(&mut start))
        .map_err(|e| Status::unknown(format!("cannot read {}: {e}", path.display())))?;
    let is_event = || {
        let first = EventReader::open(path).and_then(|mut events| events.next_event());
        matches!(first, Ok(Some(event)) if matches!(event.what, Some(What::FileVersion(_))))
    };
    let is_record = start.len() >= 12
        && downpour_formats::masked_crc(&start[..8]).to_le_bytes() == start[8..12];
    if is_record {
        return Ok(if is_event() { Kind::Events } else { Kind::Records });
    }
    if Compression::detect(&start) != Compression::None {
        return Ok(Kind::Records);
    }
    if start.get(8) == Some(&b'{') {
        return Ok(Kind::Safetensors);
    }
    Ok(Kind::Graph)
}
