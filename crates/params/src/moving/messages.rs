//! What a mover and a server say to each other.

use bytes::Bytes;

/// Of a move.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Request {
    /// The move.
    #[prost(fixed64, tag = "1")]
    pub id: u64,
    #[prost(oneof = "Step", tags = "2, 3, 4, 5, 6")]
    pub step: Option<Step>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Step {
    /// What is where, and whether a move is undecided.
    #[prost(message, tag = "2")]
    Look(Look),
    /// Take nothing new.
    #[prost(message, tag = "3")]
    Hold(Hold),
    /// Comes with the values.
    #[prost(message, tag = "4")]
    Prepare(Prepare),
    /// It has happened, or not.
    #[prost(message, tag = "5")]
    Decide(Decide),
    /// What variables have cost.
    #[prost(message, tag = "6")]
    Loads(Loads),
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Look {}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Loads {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Hold {
    /// A first one; others go on with it, and are refused where it was let go.
    #[prost(bool, tag = "1")]
    pub begin: bool,
    #[prost(uint64, tag = "2")]
    pub milliseconds: u64,
    /// Of each worker, the last update that some server has.
    #[prost(message, repeated, tag = "3")]
    pub last: Vec<Last>,
}

/// A worker's last update.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct Last {
    #[prost(uint32, tag = "1")]
    pub worker: u32,
    /// Without its token.
    #[prost(fixed64, tag = "2")]
    pub incarnation: u64,
    #[prost(uint64, tag = "3")]
    pub sequence: u64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Prepare {
    #[prost(uint64, tag = "1")]
    pub epoch: u64,
    #[prost(bytes = "bytes", tag = "2")]
    pub layout: Bytes,
    #[prost(bytes = "bytes", tag = "3")]
    pub program: Bytes,
    /// This server's word decides.
    #[prost(bool, tag = "4")]
    pub decides: bool,
    /// The hold it was made under, and the start of the server that has given it.
    #[prost(uint64, tag = "5")]
    pub hold: u64,
    #[prost(fixed64, tag = "6")]
    pub start: u64,
    /// Variables that are not there any more.
    #[prost(string, repeated, tag = "7")]
    pub leaving: Vec<String>,
    /// The number of the cut under which it is written down.
    #[prost(uint64, tag = "8")]
    pub cut: u64,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Decide {
    #[prost(bool, tag = "1")]
    pub happens: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Reply {
    #[prost(bool, tag = "1")]
    pub defined: bool,
    #[prost(uint64, tag = "2")]
    pub epoch: u64,
    #[prost(bytes = "bytes", tag = "3")]
    pub layout: Bytes,
    /// The move this server is prepared for; it does not know whether it happens.
    #[prost(fixed64, tag = "4")]
    pub prepared: u64,
    /// Of the move that was asked about, one of `Fate`.
    #[prost(uint32, tag = "5")]
    pub fate: u32,
    #[prost(message, repeated, tag = "6")]
    pub last: Vec<Last>,
    /// An update is being made, or waits for others.
    #[prost(bool, tag = "7")]
    pub open: bool,
    /// Tells sets of applied positions apart.
    #[prost(uint32, tag = "8")]
    pub positions: u32,
    #[prost(message, repeated, tag = "9")]
    pub loads: Vec<LoadOf>,
    /// Which of this start's holds it is.
    #[prost(uint64, tag = "10")]
    pub hold: u64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct LoadOf {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(uint64, tag = "2")]
    pub received: u64,
    #[prost(uint64, tag = "3")]
    pub sent: u64,
    #[prost(uint64, tag = "4")]
    pub nanoseconds: u64,
}

/// What has become of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Fate {
    /// It has not happened, and will not.
    Void = 0,
    Undecided = 1,
    Happened = 2,
}
