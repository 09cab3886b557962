//! A record file; if its records are Examples, the features of the first.

use std::fmt::Write;
use std::path::Path;

use downpour_formats::tfrecord::{Compression, ReadOptions, RecordReader, TruncatedTail};
use downpour_tensor::Result;
use downpour_wire::Message;
use downpour_wire::proto::{Example, feature};
use serde_json::json;

use super::Report;
use super::text::table;
use crate::status::amounts;

/// Elements shown of each feature.
const SHOWN: usize = 4;

/// Every record is read and checked in any case: there is no other way to count them.
pub fn inspect(path: &Path, verify: bool) -> Result<Report> {
    let compression = Compression::of_file(path)?;
    let options =
        ReadOptions { compression, truncated_tail: TruncatedTail::End, ..Default::default() };
    let mut reader = RecordReader::open(path, options)?;
    let (mut count, mut bytes, mut longest) = (0u64, 0u64, 0u64);
    let mut features = Vec::new();
    while let Some(record) = reader.next_record()? {
        if count == 0 {
            features = first_features(record);
        }
        count += 1;
        bytes += record.len() as u64;
        longest = longest.max(record.len() as u64);
    }
    let truncated = reader.truncated_at();
    let compression = format!("{compression:?}").to_lowercase();
    let mut text = format!(
        "record file {}: {}, {}, the longest {}, compression {compression}\n",
        path.display(),
        amounts::count(count, "record"),
        amounts::bytes(bytes as f64),
        amounts::bytes(longest as f64),
    );
    if !features.is_empty() {
        let rows: Vec<Vec<String>> = features
            .iter()
            .map(|f| vec![f.kind.into(), f.length.to_string(), f.name.clone(), f.start.join(" ")])
            .collect();
        let _ = write!(text, "features of the first example:\n{}", table(&rows));
    }
    if let Some(offset) = truncated {
        let _ = writeln!(text, "the last record is incomplete, from byte {offset} on");
    }
    let features: Vec<_> = features
        .iter()
        .map(|f| json!({"name": f.name, "kind": f.kind, "length": f.length, "start": f.start}))
        .collect();
    let json = json!({
        "kind": "records",
        "records": count,
        "bytes": bytes,
        "longest": longest,
        "compression": compression,
        "first_features": features,
        "truncated_at": truncated,
    });
    Ok(Report { json, text, good: !verify || truncated.is_none() })
}

struct FirstFeature {
    name: String,
    kind: &'static str,
    length: usize,
    start: Vec<String>,
}

/// The features, if the record is an Example; none if it is something else.
fn first_features(record: &[u8]) -> Vec<FirstFeature> {
    fn start<T>(values: &[T], show: impl Fn(&T) -> String) -> Vec<String> {
        let mut start: Vec<String> = values.iter().take(SHOWN).map(show).collect();
        if values.len() > SHOWN {
            start.push("...".into());
        }
        start
    }
    let Some(features) = Example::decode(record).ok().and_then(|example| example.features) else {
        return Vec::new();
    };
    let describe = |(name, value): (String, downpour_wire::proto::Feature)| {
        let (kind, length, start) = match value.kind {
            None => ("empty", 0, Vec::new()),
            Some(feature::Kind::BytesList(list)) => {
                let show = |bytes: &bytes::Bytes| match std::str::from_utf8(bytes) {
                    Ok(text) if text.len() <= 40 => format!("{text:?}"),
                    _ => amounts::bytes(bytes.len() as f64),
                };
                ("bytes", list.value.len(), start(&list.value, show))
            }
            Some(feature::Kind::FloatList(list)) => {
                ("float", list.value.len(), start(&list.value, f32::to_string))
            }
            Some(feature::Kind::Int64List(list)) => {
                ("int64", list.value.len(), start(&list.value, i64::to_string))
            }
        };
        FirstFeature { name, kind, length, start }
    };
    features.feature.into_iter().map(describe).collect()
}
