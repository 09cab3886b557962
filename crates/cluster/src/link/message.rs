//! What goes over a link: a length, a header of that length, and the payloads the header announces.

use bytes::Bytes;
use downpour_tensor::{Code, Status};

/// First bytes on a connection that is to be a link: no HTTP/2 connection starts with them.
pub const MAGIC: [u8; 8] = *b"downpour";

/// Both sides must speak the same.
pub const VERSION: u32 = 1;

/// Longest header: only values come in numbers, and these are cut into several messages before.
pub const MAX_HEADER: usize = 16 << 20;

/// How we tell masters that this task can be linked: TensorFlow reads nothing there.
pub const DEVICE_NOTE: &str = "downpour link 1";

/// The first header from either side: who speaks.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Hello {
    #[prost(uint32, tag = "1")]
    pub version: u32,
    #[prost(fixed64, tag = "2")]
    pub incarnation: u64,
    /// For messages about it.
    #[prost(string, tag = "3")]
    pub name: String,
}

/// Everything that was ready for a peer at one moment. The payloads follow in the order of `values`,
/// then that of `chunk`. A message without anything only says that its sender lives.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Header {
    /// Steps that have ended everywhere.
    #[prost(int64, repeated, tag = "1")]
    pub ended: Vec<i64>,
    #[prost(message, repeated, tag = "2")]
    pub values: Vec<ValueHead>,
    #[prost(message, repeated, tag = "3")]
    pub runs: Vec<Run>,
    #[prost(message, repeated, tag = "4")]
    pub done: Vec<Done>,
    #[prost(message, optional, tag = "5")]
    pub chunk: Option<Chunk>,
}

/// A tensor, or the news that it is dead.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ValueHead {
    #[prost(sfixed64, tag = "1")]
    pub step: i64,
    #[prost(uint32, tag = "2")]
    pub slot: u32,
    #[prost(fixed64, tag = "3")]
    pub frame: u64,
    #[prost(uint64, tag = "4")]
    pub iteration: u64,
    #[prost(bool, tag = "5")]
    pub dead: bool,
    /// The type, of plain contents; otherwise the payload is a TensorProto.
    #[prost(int32, tag = "6")]
    pub dtype: i32,
    #[prost(uint64, repeated, tag = "7")]
    pub dims: Vec<u64>,
    #[prost(bool, tag = "8")]
    pub encoded: bool,
    /// Bytes of the payload.
    #[prost(uint64, tag = "9")]
    pub length: u64,
    /// Not 0: the payload comes later, in chunks of this number.
    #[prost(uint64, tag = "10")]
    pub transfer: u64,
}

/// A piece of a large payload.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Chunk {
    #[prost(uint64, tag = "1")]
    pub transfer: u64,
    #[prost(uint64, tag = "2")]
    pub length: u64,
}

/// Run a registered graph as a part of a step.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Run {
    #[prost(sfixed64, tag = "1")]
    pub step: i64,
    #[prost(string, tag = "2")]
    pub graph: String,
    #[prost(bool, tag = "3")]
    pub traced: bool,
    /// Milliseconds since the step began at its master.
    #[prost(uint64, tag = "4")]
    pub age: u64,
}

/// A part of a step has ended.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Done {
    #[prost(sfixed64, tag = "1")]
    pub step: i64,
    #[prost(int32, tag = "2")]
    pub code: i32,
    #[prost(string, tag = "3")]
    pub message: String,
    /// The error is a consequence of another one.
    #[prost(bool, tag = "4")]
    pub derived: bool,
    /// StepStats of a traced part.
    #[prost(bytes = "bytes", tag = "5")]
    pub stats: Bytes,
}

impl Done {
    pub fn status(&self) -> Option<Status> {
        let status = Status::new(Code::from_i32(self.code), self.message.clone());
        match (self.code, self.derived) {
            (0, _) => None,
            (_, false) => Some(status),
            (_, true) => Some(status.derived()),
        }
    }
}
