//! Any text as a checkpoint's state file and as a graph: a message that survives being printed, or an error.

use downpour_formats::text_format::{parse, print};
use downpour_wire::Message;
use downpour_wire::proto::{CheckpointState, GraphDef};

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(state) = parse::<CheckpointState>(text) {
        let printed = print(&state).expect("what was read can be printed");
        let again: CheckpointState = parse(&printed).expect("what was printed can be read");
        // As bytes, so that NaN equals itself.
        assert_eq!(again.encode_to_vec(), state.encode_to_vec());
    }
    let _ = parse::<GraphDef>(text);
}
