//! Any bytes as text in each encoding: rows of characters, each of which is one, that start where they say.

use std::sync::LazyLock;

use downpour_graph::Attrs;
use downpour_tensor::{ByteString, DataType, Tensor};

use crate::operation::Operation;

const ENCODINGS: [&str; 14] = [
    "UTF-8", "UTF-16", "UTF-16-BE", "UTF-16-LE", "UTF-32", "UTF-32-BE", "UTF-32-LE", "US-ASCII", "ISO-8859-1", "windows-1255",
    "cp866", "Shift-JIS", "EUC-JP", "EUC-KR",
];

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    static DECODE: LazyLock<[Operation; 14]> = LazyLock::new(|| {
        ENCODINGS.map(|encoding| {
            let attrs = Attrs::new().with("input_encoding", encoding);
            Operation::new("UnicodeDecodeWithOffsets", attrs, &[DataType::String])
                .expect("the operation exists")
        })
    });
    static TRANSCODE: LazyLock<Operation> = LazyLock::new(|| {
        let attrs = Attrs::new().with("input_encoding", "UTF-8").with("output_encoding", "UTF-8");
        Operation::new("UnicodeTranscode", attrs, &[DataType::String]).expect("the operation exists")
    });
    let (encoding, text) = data.split_first().unwrap_or((&0, &[]));
    let text = ByteString::copy_from(text).expect("an input is small");
    let out = DECODE[*encoding as usize % ENCODINGS.len()]
        .run(vec![Tensor::string(text.clone())])
        .expect("what is malformed is replaced");
    let characters = out[1].as_slice::<i32>().expect("characters are int32");
    let starts = out[2].as_slice::<i64>().expect("starts are int64");
    assert_eq!(characters.len(), starts.len());
    assert!(characters.iter().all(|&c| char::from_u32(c as u32).is_some()));
    assert!(starts.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(starts.last().is_none_or(|&last| last < text.len() as i64));

    let out = TRANSCODE.run(vec![Tensor::string(text.clone())]).expect("what is malformed is replaced");
    let copy = &out[0].strings().expect("its output is a string")[0];
    assert_eq!(String::from_utf8_lossy(&text).as_bytes(), &copy[..]);
}
