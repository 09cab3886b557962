//! AssertNextDataset and AssertPrevDataset: checks of which transformations stand around a dataset, for tests of programs.
//!
//! Neither changes anything. What they say is checked when an iterator begins, because only then all of a pipeline is
//! there.

use std::collections::HashSet;
use std::sync::Arc;

use downpour_formats::text_format;
use downpour_graph::{OpSpec, attrs_to_proto, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::{AttrValue, NameAttrList};

use super::origin::Origin;
use crate::dataset::{self, GraphDataset};

const NEXT: [&str; 2] = ["AssertNextDataset", "ExperimentalAssertNextDataset"];
const PREVIOUS: &str = "AssertPrevDataset";

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in NEXT.into_iter().chain([PREVIOUS]) {
        let signature = format!(
            "{name}(input_dataset: variant, transformations: string) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(pass)))?;
    }
    Ok(())
}

fn pass(cx: &mut OpContext<'_>) -> Result<()> {
    if cx.input(1).rank() != 1 {
        return Err(Status::invalid_argument("transformations must be a vector"));
    }
    let input = dataset::input(cx, 0)?.pipeline.clone();
    dataset::finish(cx, input)
}

/// Fails unless what is asserted in a pipeline is so. This takes next to nothing for pipelines without assertions.
pub(crate) fn check(dataset: &GraphDataset) -> Result<()> {
    let Some(origin) = dataset.origin() else { return Ok(()) };
    // The transformations behind a node, the last the nearest.
    let mut next = vec!["Root".to_owned()];
    let mut seen = HashSet::new();
    // Nodes to look at, and how many transformations are behind each.
    let mut waiting = vec![(origin.clone(), next.len())];
    while let Some((origin, behind)) = waiting.pop() {
        if !seen.insert(Arc::as_ptr(&origin)) {
            continue;
        }
        next.truncate(behind);
        let op = origin.node.op_name();
        if NEXT.contains(&op) {
            check_next(&asserted(&origin)?, &next)?;
        } else if op == PREVIOUS {
            check_previous(&origin, &asserted(&origin)?)?;
        }
        if !is_hidden(op) {
            next.extend(transformation(&origin));
        }
        waiting.extend(inputs(&origin).map(|input| (input, next.len())));
    }
    Ok(())
}

/// Returns the origins of the datasets among the inputs of a node.
fn inputs(origin: &Origin) -> impl Iterator<Item = Arc<Origin>> {
    let variants = origin.inputs.iter().filter(|input| input.dtype() == DataType::Variant);
    variants.filter_map(|input| dataset::from_tensor(input).ok()?.origin().cloned())
}

fn asserted(origin: &Origin) -> Result<Vec<String>> {
    let text = |text: &downpour_tensor::ByteString| String::from_utf8_lossy(text).into_owned();
    Ok(origin.inputs[1].strings()?.iter().map(text).collect())
}

/// Nodes that say something about a pipeline and are no transformations.
fn is_hidden(op: &str) -> bool {
    matches!(op, "OptionsDataset" | "FinalizeDataset" | "ModelDataset" | "RewriteDataset")
        || op.starts_with("OptimizeDataset")
}

/// Returns the names that TensorFlow's iterators have for a transformation.
fn transformation(origin: &Origin) -> Vec<String> {
    let op = origin.node.op_name();
    let name = op.strip_prefix("Experimental").unwrap_or(op).replacen("Dataset", "", 1);
    let argument = origin.inputs.get(1);
    let count = || argument.and_then(|count| count.to_scalar::<i64>().ok()).unwrap_or(1);
    let is_empty = |text: &Tensor| text.strings().is_ok_and(|text| text[0].is_empty());
    let kind = match name.as_str() {
        "Take" | "Repeat" if count() == 0 => "Empty",
        "Skip" if count() < 0 => "Empty",
        "Repeat" if count() < 0 => "Forever",
        "Take" | "Skip" | "Repeat" => "Finite",
        "Cache" | "CacheV2" if argument.is_some_and(is_empty) => {
            return vec!["MemoryCache".to_owned(), "MemoryCacheImpl".to_owned()];
        }
        _ => "",
    };
    vec![format!("{kind}{name}")]
}

/// Whether the name of an operation is this one, of any version.
pub(super) fn is_version_of(name: &str, prefix: &str) -> bool {
    let Some(rest) = name.strip_prefix(prefix) else { return false };
    rest.is_empty()
        || rest
            .strip_prefix('V')
            .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn check_next(asserted: &[String], next: &[String]) -> Result<()> {
    if asserted.len() > next.len() {
        return Err(Status::invalid_argument(format!(
            "Asserted next {} transformations but encountered only {}.",
            asserted.len(),
            next.len()
        )));
    }
    for (offset, (expected, found)) in asserted.iter().zip(next.iter().rev()).enumerate() {
        if !is_version_of(found, expected) {
            return Err(Status::invalid_argument(format!(
                "Asserted transformation matching {expected} at offset {offset} but encountered {found} \
                 transformation instead."
            )));
        }
    }
    Ok(())
}

fn check_previous(origin: &Arc<Origin>, asserted: &[String]) -> Result<()> {
    let mut at = origin.clone();
    for (offset, expected) in asserted.iter().enumerate() {
        let Some(previous) = inputs(&at).last() else {
            return Err(Status::invalid_argument(format!(
                "Asserted previous {} transformations but encountered only {offset}.",
                asserted.len()
            )));
        };
        check_node(&previous, expected).map_err(|error| {
            Status::invalid_argument(format!(
                "Failure checking transformations at offset {offset}: {}",
                error.message()
            ))
        })?;
        at = previous;
    }
    Ok(())
}

fn check_node(origin: &Origin, expected: &str) -> Result<()> {
    let expected: NameAttrList = text_format::parse(expected).map_err(|error| {
        Status::invalid_argument(format!(
            "Couldn't parse transformation '{expected}': {}",
            error.message()
        ))
    })?;
    let op = origin.node.op_name();
    if !is_version_of(op, &expected.name) {
        return Err(Status::invalid_argument(format!(
            "Asserted transformation matching '{}', but found '{op}'.",
            expected.name
        )));
    }
    let attrs = attrs_to_proto(&origin.node.attrs)?;
    expected.attr.iter().try_for_each(|(name, value)| check_attr(name, value, attrs.get(name)))
}

fn check_attr(name: &str, expected: &AttrValue, found: Option<&AttrValue>) -> Result<()> {
    let shown = |value: &AttrValue| text_format::print(value).unwrap_or_default();
    let what = match found {
        Some(found) if found == expected => return Ok(()),
        Some(found) => format!("found value of '{}'", shown(found)),
        None => "found no such attribute defined".to_owned(),
    };
    Err(Status::invalid_argument(format!(
        "Asserted attribute '{name}' having a value of '{}', but {what}.",
        shown(expected)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_all_of_its_versions() {
        assert!(is_version_of("BatchV2", "Batch") && is_version_of("Batch", "Batch"));
        assert!(!is_version_of("BatchedV2", "Batch") && !is_version_of("Map", "Batch"));
    }

    #[test]
    fn what_comes_next_is_compared_from_the_nearest_on() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let next = names(&["Root", "BatchV2", "Map"]);
        check_next(&names(&["Map", "Batch"]), &next).unwrap();
        let message = |expected: &[&str]| {
            check_next(&names(expected), &next).unwrap_err().message().to_owned()
        };
        assert!(message(&["Whoops"]).contains("matching Whoops at offset 0 but encountered Map"));
        assert!(message(&["Map"; 4]).contains("next 4 transformations but encountered only 3."));
    }
}
