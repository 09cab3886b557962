//! Messages as text: `.pbtxt` graphs and the `checkpoint` files of folders.
//!
//! ```
//! use downpour_formats::text_format;
//! use downpour_wire::proto::CheckpointState;
//!
//! let state: CheckpointState = text_format::parse("model_checkpoint_path: 'model-\\303\\251'")?;
//! assert_eq!(state.model_checkpoint_path, "model-é");
//! # Ok::<(), downpour_tensor::Status>(())
//! ```

use std::sync::LazyLock;

use downpour_tensor::{Result, Status};
use downpour_wire::proto::FILE_DESCRIPTOR_SET;
use downpour_wire::{Message, Name};
use prost_reflect::text_format::FormatOptions;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};

/// Messages nested deeper cannot be encoded either.
const MAX_DEPTH: usize = 100;

static POOL: LazyLock<Option<DescriptorPool>> =
    LazyLock::new(|| DescriptorPool::decode(FILE_DESCRIPTOR_SET).ok());

fn descriptor<M: Name>() -> Result<MessageDescriptor> {
    let name = M::full_name();
    POOL.as_ref()
        .and_then(|pool| pool.get_message_by_name(&name))
        .ok_or_else(|| Status::internal(format!("no description of {name} was compiled in")))
}

/// Reads a message of TensorFlow's.
pub fn parse<M: Message + Name + Default>(text: &str) -> Result<M> {
    let bad = |what: String| Status::invalid_argument(format!("this is no {}: {what}", M::NAME));
    if depth(text) > MAX_DEPTH {
        return Err(bad(format!("messages are nested more than {MAX_DEPTH} deep")));
    }
    let message = DynamicMessage::parse_text_format(descriptor::<M>()?, text)
        .map_err(|e| bad(e.to_string()))?;
    message.transcode_to().map_err(|e| bad(e.to_string()))
}

/// Writes a message, a field a line.
pub fn print<M: Message + Name>(message: &M) -> Result<String> {
    let mut dynamic = DynamicMessage::new(descriptor::<M>()?);
    dynamic
        .transcode_from(message)
        .map_err(|e| Status::internal(format!("{} cannot be printed: {e}", M::NAME)))?;
    let mut text = dynamic.to_text_format_with_options(&FormatOptions::new().pretty(true));
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// How deep brackets are nested outside of strings and comments: the parser itself knows no limit.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'<' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b'>' | b']' => depth = depth.saturating_sub(1),
            b'#' => drop(bytes.by_ref().find(|b| *b == b'\n')),
            quote @ (b'"' | b'\'') => {
                // A string cannot contain a line break, so that an open one ends there.
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'\\' => drop(bytes.next()),
                        b'\n' => break,
                        _ if byte == quote => break,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_wire::proto::{CheckpointState, GraphDef};

    #[test]
    fn a_graph_as_tensorflow_prints_it() {
        let text = r#"
            node { name: "x" op: "Const"
              attr { key: "dtype" value { type: DT_FLOAT } }
              attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1.5 } } } }
            versions < producer: 2233 > # the other kind of brackets
        "#;
        let graph: GraphDef = parse(text).unwrap();
        assert_eq!((graph.node.len(), graph.node[0].op.as_str()), (1, "Const"));
        assert_eq!(parse::<GraphDef>(&print(&graph).unwrap()).unwrap(), graph);
    }

    #[test]
    fn nonsense_is_refused() {
        let error = parse::<CheckpointState>("no_such_field: 1").unwrap_err();
        assert!(error.message().contains("no CheckpointState"), "{error}");
        let deep = "library{function{node_def{attr{value{func{attr{value{func{".repeat(10_000);
        assert!(parse::<GraphDef>(&deep).unwrap_err().message().contains("nested"));
        let deep = "<".repeat(1 << 20);
        assert!(parse::<CheckpointState>(&format!("a: '\\' \"{deep}")).is_err());
    }
}
