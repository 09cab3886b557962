//! What an event file holds, at a glance.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use downpour_tensor::{RealNumber, Result, Tensor, dispatch_real};
use downpour_wire::proto::event::What;
use downpour_wire::proto::summary::value::Value as Kind;
use downpour_wire::proto::{GraphDef, summary};
use downpour_wire::{Message, tensor_from_proto};

use super::reader::EventReader;

/// What the values of a tag are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TagKind {
    /// Numbers.
    Scalar,
    /// Distributions.
    Histogram,
    /// Pictures.
    Image,
    /// Sounds.
    Audio,
    /// Texts.
    Text,
    /// Tensors for another part of TensorBoard, by its name (which may be empty).
    Tensor(String),
}

/// The values of one tag.
#[derive(Clone, Debug, PartialEq)]
pub struct TagSummary {
    /// What its values are.
    pub kind: TagKind,
    /// How many values there are.
    pub count: u64,
    /// The step of its first value.
    pub first_step: i64,
    /// The step of its last value.
    pub last_step: i64,
    /// The last value, of scalars.
    pub last_value: Option<f64>,
}

/// What an event file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventsSummary {
    /// As in `brain.Event:2`.
    pub file_version: Option<String>,
    /// How many events there are.
    pub events: u64,
    /// Time of the first, in seconds since the epoch.
    pub first_wall_time: Option<f64>,
    /// Time of the last.
    pub last_wall_time: Option<f64>,
    /// What was recorded, by name.
    pub tags: BTreeMap<String, TagSummary>,
    /// Nodes of the last graph.
    pub graph_nodes: Option<usize>,
    /// Tags of run metadata.
    pub run_metadata: Vec<String>,
    /// Where an incomplete last record begins: the file is being written, or its writer was killed.
    pub truncated_at: Option<u64>,
}

/// Reads a whole event file.
pub fn summarize(path: &Path) -> Result<EventsSummary> {
    summarize_events(EventReader::open(path)?)
}

pub(crate) fn summarize_events<R: Read>(mut reader: EventReader<R>) -> Result<EventsSummary> {
    let mut out = EventsSummary::default();
    // What the first value of a tag said of all of them.
    let mut plugins: BTreeMap<String, String> = BTreeMap::new();
    while let Some(event) = reader.next_event()? {
        out.events += 1;
        out.first_wall_time.get_or_insert(event.wall_time);
        out.last_wall_time = Some(event.wall_time);
        match event.what {
            Some(What::FileVersion(version)) => out.file_version = Some(version),
            Some(What::GraphDef(bytes)) => {
                out.graph_nodes = GraphDef::decode(bytes).ok().map(|graph| graph.node.len());
            }
            Some(What::TaggedRunMetadata(tagged)) => out.run_metadata.push(tagged.tag),
            Some(What::Summary(summary)) => {
                for value in summary.value {
                    if let Some(plugin) =
                        value.metadata.as_ref().and_then(|m| m.plugin_data.as_ref())
                    {
                        plugins
                            .entry(value.tag.clone())
                            .or_insert_with(|| plugin.plugin_name.clone());
                    }
                    let plugin = plugins.get(&value.tag).map_or("", String::as_str);
                    add_value(&mut out.tags, value, plugin, event.step);
                }
            }
            _ => {}
        }
    }
    out.truncated_at = reader.truncated_at();
    Ok(out)
}

fn add_value(
    tags: &mut BTreeMap<String, TagSummary>,
    value: summary::Value,
    plugin: &str,
    step: i64,
) {
    let mut number = None;
    let kind = match value.value {
        Some(Kind::SimpleValue(simple)) => {
            number = Some(f64::from(simple));
            TagKind::Scalar
        }
        Some(Kind::Histo(_) | Kind::ObsoleteOldStyleHistogram(_)) => TagKind::Histogram,
        Some(Kind::Image(_)) => TagKind::Image,
        Some(Kind::Audio(_)) => TagKind::Audio,
        Some(Kind::Tensor(tensor)) => match plugin {
            "scalars" => {
                number = tensor_from_proto(&tensor).ok().and_then(|tensor| as_number(&tensor));
                TagKind::Scalar
            }
            "histograms" => TagKind::Histogram,
            "images" => TagKind::Image,
            "audio" => TagKind::Audio,
            "text" => TagKind::Text,
            other => TagKind::Tensor(other.into()),
        },
        None => return,
    };
    let tag = tags.entry(value.tag).or_insert_with(|| TagSummary {
        kind,
        count: 0,
        first_step: step,
        last_step: step,
        last_value: None,
    });
    tag.count += 1;
    tag.last_step = step;
    tag.last_value = number;
}

fn as_number(tensor: &Tensor) -> Option<f64> {
    fn first<T: RealNumber>(tensor: &Tensor) -> Result<Option<f64>> {
        Ok(tensor.as_slice::<T>()?.first().map(|value| value.to_f64_lossy()))
    }
    dispatch_real!(tensor.dtype(), "a scalar", T => first::<T>(tensor)).ok().flatten()
}
