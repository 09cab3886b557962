//! DecodeJSONExample: Examples written as JSON become serialised Examples.
//!
//! The message is written while the JSON is read, in its order and without packing lists, which is what TensorFlow
//! gives byte for byte.

mod message;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, Charge, Result, Status, Tensor};

use message::{EXAMPLE, encode};

/// The memory that a byte of text can take while it is read: a short key with its place in a table.
const BYTES_PER_BYTE: usize = 8;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("DecodeJSONExample(json_examples: string) -> (binary_examples: string)")?
            .shape(shapes::unchanged)
            .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let input = cx.input(0);
    let texts = input.strings()?;
    let out = Tensor::build_strings(input.shape(), |i| {
        cx.check_cancelled()?;
        decode(&texts[i])
    })?;
    cx.set_output(0, out);
    Ok(())
}

fn decode(text: &[u8]) -> Result<ByteString> {
    // Keys are kept to find those that come twice.
    let _keys = Charge::new(text.len().saturating_mul(BYTES_PER_BYTE))?;
    encode(text, &EXAMPLE).map_err(|error| match error.memory {
        Some(refused) => refused,
        None => Status::invalid_argument(format!("Error while parsing JSON: {}", error.what)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Option<Vec<u8>> {
        decode(text.as_bytes()).ok().map(|bytes| bytes.to_vec())
    }

    #[test]
    fn features_are_written_in_their_order() {
        let text = r#"{"features":{"feature":{"a":{"int64List":{"value":["1",2,1e2,-1]}},
            "b":{"bytes_list":{"value":["aGk=","_-8"]}},"c":{"floatList":{"value":[1.5,"NaN","-Infinity"]}}}}}"#;
        let mut expected = b"\n\x4c\n\x18\n\x01a\x12\x13\x1a\x11\x08\x01\x08\x02\x08d\x08".to_vec();
        expected.extend_from_slice(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
        expected.extend_from_slice(b"\n\x0f\n\x01b\x12\n\n\x08\n\x02hi\n\x02\xff\xef");
        expected.extend_from_slice(
            b"\n\x16\n\x01c\x12\x11\x12\x0f\r\0\0\xc0?\r\0\0\xc0\x7f\r\0\0\x80\xff",
        );
        expected[1] = (expected.len() - 2) as u8;
        assert_eq!(run(text).unwrap(), expected);
    }

    #[test]
    fn empty_parts_stay_empty() {
        assert_eq!(run("{}").unwrap(), b"");
        assert_eq!(run(r#"{"features":null}"#).unwrap(), b"");
        assert_eq!(run(r#"{"features":{}}"#).unwrap(), b"\n\0");
        assert_eq!(
            run(r#"{"features":{"feature":{"a":{}}}}"#).unwrap(),
            b"\n\x07\n\x05\n\x01a\x12\0"
        );
        assert_eq!(run(r#"{"features":{"feature":{"a":null}}}"#).unwrap(), b"\n\x05\n\x03\n\x01a");
        let single = r#"{"features":{"feature":{"a":{"int64List":{"value":"5"}}}}}"#;
        assert_eq!(run(single).unwrap(), b"\n\x0b\n\x09\n\x01a\x12\x04\x1a\x02\x08\x05");
        let null = r#"{"features":{"feature":{"a":{"int64List":{"value":[null]}}}}}"#;
        assert_eq!(run(null).unwrap(), b"\n\x0b\n\x09\n\x01a\x12\x04\x1a\x02\x08\0");
    }

    #[test]
    fn what_is_no_example_is_refused() {
        let list = |kind: &str, value: &str| {
            run(&format!(
                r#"{{"features":{{"feature":{{"a":{{"{kind}":{{"value":[{value}]}}}}}}}}}}"#
            ))
        };
        assert!(list("int64List", "1").is_some());
        for value in ["1.5", "9223372036854775808", "true", "\" 5\"", "[1]", "{}", "1,"] {
            assert_eq!(list("int64List", value), None, "{value}");
        }
        for value in ["1e39", "true", "\"x\""] {
            assert_eq!(list("floatList", value), None, "{value}");
        }
        for value in ["\"a*\"", "1"] {
            assert_eq!(list("bytesList", value), None, "{value}");
        }
        for text in ["", "[]", "null", "1", "{\"x\":1}", "{} x", "{\"features\":[]}"] {
            assert_eq!(run(text), None, "{text}");
        }
        assert_eq!(run(r#"{"features":{"feature":{"a":{},"a":{}}}}"#), None);
        let both = r#"{"features":{"feature":{"a":{"int64List":{},"floatList":{}}}}}"#;
        assert_eq!(run(both), None);
        assert_eq!(run(&"{\"features\":".repeat(100_000)), None, "deep nesting");
    }
}
