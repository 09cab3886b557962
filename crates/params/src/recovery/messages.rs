//! The messages between the leader of a recovery and a server.

/// A step of a cut or of a recovery.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Request {
    #[prost(oneof = "Step", tags = "1, 2, 3, 4, 5")]
    pub step: Option<Step>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Step {
    /// Asks for the server's state.
    #[prost(message, tag = "1")]
    Look(Look),
    /// Takes a snapshot under a hold.
    #[prost(message, tag = "2")]
    Take(Take),
    /// Writes the snapshot that was taken.
    #[prost(message, tag = "3")]
    Write(Write),
    /// Says that every server has written the cut.
    #[prost(message, tag = "4")]
    Settle(Settle),
    /// Goes back to a cut.
    #[prost(message, tag = "5")]
    GoBack(GoBack),
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Look {}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Take {
    /// The cut's number.
    #[prost(uint64, tag = "1")]
    pub number: u64,
    /// Who holds the server.
    #[prost(fixed64, tag = "2")]
    pub id: u64,
    /// Which of the server's holds it is.
    #[prost(uint64, tag = "3")]
    pub hold: u64,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Write {
    #[prost(uint64, tag = "1")]
    pub number: u64,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Settle {
    #[prost(uint64, tag = "1")]
    pub number: u64,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct GoBack {
    /// The cut; 0 if servers are to have no values.
    #[prost(uint64, tag = "1")]
    pub number: u64,
    /// The recovery's id.
    #[prost(fixed64, tag = "2")]
    pub recovery: u64,
}

/// A server's state.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Reply {
    /// It has started and waits for a recovery.
    #[prost(bool, tag = "1")]
    pub waits: bool,
    /// The last recovery this server took part in.
    #[prost(fixed64, tag = "2")]
    pub recovery: u64,
    /// The largest number of a cut that it has ever heard.
    #[prost(uint64, tag = "3")]
    pub newest: u64,
    /// Cuts on its disk.
    #[prost(uint64, repeated, tag = "4")]
    pub cuts: Vec<u64>,
    #[prost(bool, tag = "5")]
    pub ready: bool,
    #[prost(uint64, tag = "6")]
    pub version: u64,
    #[prost(uint64, tag = "7")]
    pub steps: u64,
    /// Updates that it had and has no longer, after it has gone back.
    #[prost(uint64, tag = "8")]
    pub lost: u64,
}
