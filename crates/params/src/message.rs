//! What goes over a connection: a length, a header of that length, and the tensors the header announces.

use bytes::Bytes;
use downpour_coordinator::Extent;

/// First bytes on a connection of the parameter service: no link and no HTTP/2 connection starts with them.
pub const MAGIC: [u8; 8] = *b"params_1";

/// Both sides must speak the same.
pub const VERSION: u32 = 2;

/// Longest header.
pub const MAX_HEADER: usize = 64 << 20;

/// The first header from either side.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Hello {
    /// Of this protocol.
    #[prost(uint32, tag = "1")]
    pub version: u32,
}

/// A header that announces tensors.
pub trait Head: prost::Message + Default {
    fn tensors(&self) -> &[TensorHead];
    fn set_tensors(&mut self, tensors: Vec<TensorHead>);
}

/// A tensor that follows.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TensorHead {
    #[prost(string, tag = "1")]
    pub name: String,
    /// One of `Part`.
    #[prost(uint32, tag = "2")]
    pub part: u32,
    #[prost(int32, tag = "3")]
    pub dtype: i32,
    #[prost(uint64, repeated, tag = "4")]
    pub dims: Vec<u64>,
    /// Bytes of the payload.
    #[prost(uint64, tag = "5")]
    pub length: u64,
    /// The payload is a TensorProto.
    #[prost(bool, tag = "6")]
    pub encoded: bool,
    /// The tensor is bytes that a compressor has made.
    #[prost(bool, tag = "7")]
    pub packed: bool,
}

/// What a tensor is for its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Part {
    /// A value, or a gradient as large as its variable.
    Whole = 0,
    /// The rows a sparse gradient is for, or that are wanted.
    Indices = 1,
    /// A sparse gradient's rows, or those that were wanted.
    Rows = 2,
    /// A value to be set with an update.
    Set = 3,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Request {
    #[prost(message, repeated, tag = "1")]
    pub tensors: Vec<TensorHead>,
    #[prost(oneof = "Ask", tags = "2, 3, 4, 5, 6, 7, 8, 9, 60, 70")]
    pub ask: Option<Ask>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Ask {
    #[prost(message, tag = "2")]
    Define(Define),
    #[prost(message, tag = "3")]
    Join(Join),
    #[prost(message, tag = "4")]
    Put(Put),
    #[prost(message, tag = "5")]
    Push(Push),
    #[prost(message, tag = "6")]
    Pull(Pull),
    #[prost(message, tag = "7")]
    Leave(Leave),
    #[prost(message, tag = "8")]
    Statistics(Statistics),
    #[prost(message, tag = "9")]
    Sandblaster(crate::sandblaster::messages::Request),
    #[prost(message, tag = "60")]
    Moving(crate::moving::messages::Request),
    #[prost(message, tag = "70")]
    Recovery(crate::recovery::messages::Request),
}

/// What is to be trained, and how; the same from everybody.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Define {
    #[prost(bytes = "bytes", tag = "1")]
    pub program: Bytes,
    /// 0 at once, 1 together, 2 bounded.
    #[prost(uint32, tag = "2")]
    pub mode: u32,
    #[prost(uint32, tag = "3")]
    pub workers: u32,
    /// Backups, or the bound.
    #[prost(uint32, tag = "4")]
    pub amount: u32,
    /// The layout it is of.
    #[prost(uint64, tag = "60")]
    pub epoch: u64,
    /// Its bytes.
    #[prost(bytes = "bytes", tag = "61")]
    pub layout: Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Join {
    #[prost(uint32, tag = "1")]
    pub worker: u32,
    /// A token without a number asks for one (see [`crate::incarnation`]).
    #[prost(fixed64, tag = "2")]
    pub incarnation: u64,
    /// Only a sign of life: who does not take part does not begin to.
    #[prost(bool, tag = "3")]
    pub beat: bool,
    /// This start was answered before.
    #[prost(bool, tag = "4")]
    pub again: bool,
    /// Used updates the worker was answered by this server.
    #[prost(uint64, tag = "5")]
    pub used: u64,
    /// A number that is asked for must be larger than this.
    #[prost(uint32, tag = "6")]
    pub above: u32,
    /// The incarnation before, of the same process: it need not be waited for.
    #[prost(fixed64, tag = "7")]
    pub replaces: u64,
    /// The layout it is of.
    #[prost(uint64, tag = "60")]
    pub epoch: u64,
}

/// Values for variables; the last of them makes the store ready.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Put {
    #[prost(bool, tag = "1")]
    pub ready: bool,
    #[prost(uint64, tag = "2")]
    pub version: u64,
    #[prost(uint32, tag = "3")]
    pub worker: u32,
    #[prost(fixed64, tag = "4")]
    pub incarnation: u64,
    /// Of this message, from 1: an old one that arrives late sets nothing.
    #[prost(uint64, tag = "5")]
    pub number: u64,
    /// The layout it is of.
    #[prost(uint64, tag = "60")]
    pub epoch: u64,
    /// The recovery it is of; 0 is any.
    #[prost(fixed64, tag = "70")]
    pub recovery: u64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Push {
    #[prost(uint32, tag = "1")]
    pub worker: u32,
    #[prost(fixed64, tag = "2")]
    pub incarnation: u64,
    #[prost(uint64, tag = "3")]
    pub sequence: u64,
    /// The version the gradients were computed from.
    #[prost(uint64, tag = "4")]
    pub base: u64,
    /// How many steps are in it.
    #[prost(uint64, tag = "5")]
    pub steps: u64,
    /// The start of the server that version is of.
    #[prost(fixed64, tag = "6")]
    pub start: u64,
    /// Used updates the worker was answered by this server before.
    #[prost(uint64, tag = "7")]
    pub used: u64,
    /// Steps the worker has handed in before.
    #[prost(uint64, tag = "8")]
    pub clock: u64,
    /// The positions it was made of, where data is leased.
    #[prost(message, optional, tag = "20")]
    pub extent: Option<ExtentHead>,
    /// The layout it is of.
    #[prost(uint64, tag = "60")]
    pub epoch: u64,
    /// The recovery it is of; 0 is any.
    #[prost(fixed64, tag = "70")]
    pub recovery: u64,
}

/// Positions of a dataset's epoch.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct ExtentHead {
    #[prost(uint64, tag = "1")]
    pub dataset: u64,
    #[prost(uint32, tag = "2")]
    pub data_epoch: u32,
    #[prost(uint64, tag = "3")]
    pub start: u64,
    #[prost(uint64, tag = "4")]
    pub end: u64,
}

impl From<Extent> for ExtentHead {
    fn from(Extent { dataset, data_epoch, start, end }: Extent) -> ExtentHead {
        ExtentHead { dataset, data_epoch, start, end }
    }
}

impl From<ExtentHead> for Extent {
    fn from(ExtentHead { dataset, data_epoch, start, end }: ExtentHead) -> Extent {
        Extent { dataset, data_epoch, start, end }
    }
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Pull {
    #[prost(uint32, tag = "1")]
    pub worker: u32,
    #[prost(fixed64, tag = "2")]
    pub incarnation: u64,
    /// Of which step the worker wants to begin: it may have to wait for others.
    #[prost(uint64, tag = "3")]
    pub at_least: u64,
    #[prost(string, repeated, tag = "4")]
    pub names: Vec<String>,
    /// Do not wait for anybody.
    #[prost(bool, tag = "5")]
    pub now: bool,
    /// Steps the worker has handed in.
    #[prost(uint64, tag = "6")]
    pub clock: u64,
    /// Nothing but what is named, and the rows whose numbers come with it. Otherwise no names are all names.
    #[prost(bool, tag = "7")]
    pub exactly: bool,
    /// The layout it is of.
    #[prost(uint64, tag = "60")]
    pub epoch: u64,
    /// The recovery it is of; 0 is any.
    #[prost(fixed64, tag = "70")]
    pub recovery: u64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Leave {
    #[prost(uint32, tag = "1")]
    pub worker: u32,
    #[prost(fixed64, tag = "2")]
    pub incarnation: u64,
    /// Used updates the worker was answered by this server.
    #[prost(uint64, tag = "3")]
    pub used: u64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Statistics {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Answer {
    #[prost(message, repeated, tag = "1")]
    pub tensors: Vec<TensorHead>,
    /// Not 0: an error, with its message.
    #[prost(int32, tag = "2")]
    pub code: i32,
    #[prost(string, tag = "3")]
    pub message: String,
    /// Not yet: ask again.
    #[prost(bool, tag = "4")]
    pub again: bool,
    /// Updates so far.
    #[prost(uint64, tag = "5")]
    pub version: u64,
    /// Steps so far.
    #[prost(uint64, tag = "6")]
    pub steps: u64,
    /// The last update of the worker that asks.
    #[prost(uint64, tag = "7")]
    pub sequence: u64,
    /// Whether variables have values.
    #[prost(bool, tag = "8")]
    pub ready: bool,
    /// Whether the update was used (not of an old step).
    #[prost(bool, tag = "9")]
    pub used: bool,
    /// By how many updates the parameters were older than the newest when their gradients came.
    #[prost(uint64, tag = "10")]
    pub staleness: u64,
    /// Updates applied, repeated, dropped, lost, refused; bytes in, out.
    #[prost(uint64, repeated, tag = "11")]
    pub counts: Vec<u64>,
    /// How often each staleness was seen.
    #[prost(uint64, repeated, tag = "12")]
    pub histogram: Vec<u64>,
    /// The version the worker may go on with.
    #[prost(uint64, tag = "14")]
    pub next: u64,
    /// The worker's used updates that are here.
    #[prost(uint64, tag = "15")]
    pub used_before: u64,
    /// Steps the worker has handed in.
    #[prost(uint64, tag = "16")]
    pub clock: u64,
    /// The incarnation that has joined; with `again` a newer one that this server knows.
    #[prost(fixed64, tag = "17")]
    pub incarnation: u64,
    /// Of this start of the server.
    #[prost(fixed64, tag = "13")]
    pub server: u64,
    #[prost(message, optional, tag = "20")]
    pub sandblaster: Option<crate::sandblaster::messages::Reply>,
    /// Pushes whose positions were applied before, and examples in those that were applied.
    #[prost(uint64, repeated, tag = "40")]
    pub data: Vec<u64>,
    /// The layout of this server.
    #[prost(uint64, tag = "60")]
    pub epoch: u64,
    /// A move this server is prepared for, whose mover is not heard any more.
    #[prost(fixed64, tag = "61")]
    pub undecided: u64,
    #[prost(message, optional, tag = "62")]
    pub moving: Option<crate::moving::messages::Reply>,
    /// The last recovery this server took part in.
    #[prost(fixed64, tag = "70")]
    pub recovery: u64,
    #[prost(message, optional, tag = "71")]
    pub recovering: Option<crate::recovery::messages::Reply>,
}

impl Head for Request {
    fn tensors(&self) -> &[TensorHead] {
        &self.tensors
    }
    fn set_tensors(&mut self, tensors: Vec<TensorHead>) {
        self.tensors = tensors;
    }
}

impl Head for Answer {
    fn tensors(&self) -> &[TensorHead] {
        &self.tensors
    }
    fn set_tensors(&mut self, tensors: Vec<TensorHead>) {
        self.tensors = tensors;
    }
}
