//! What coordinators and replicas say to servers, and what these answer.

/// One of the requests below.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Request {
    #[prost(oneof = "Ask", tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11")]
    pub ask: Option<Ask>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Ask {
    #[prost(message, tag = "1")]
    Open(Open),
    #[prost(message, tag = "2")]
    Execute(Execute),
    #[prost(message, tag = "3")]
    Contribute(Contribute),
    #[prost(message, tag = "4")]
    Fetch(Fetch),
    #[prost(message, tag = "5")]
    Post(Post),
    #[prost(message, tag = "6")]
    Await(Await),
    #[prost(message, tag = "7")]
    Take(Take),
    #[prost(message, tag = "8")]
    End(End),
    #[prost(message, tag = "9")]
    TakeCut(TakeCut),
    #[prost(message, tag = "10")]
    WriteCut(WriteCut),
    #[prost(message, tag = "11")]
    GoBack(GoBack),
}

/// A coordinator takes over; its earlier terms, and those of earlier coordinators, are over.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Open {
    #[prost(message, required, tag = "1")]
    pub term: Term,
    /// The variables that are this server's part of every vector.
    #[prost(string, repeated, tag = "2")]
    pub names: Vec<String>,
}

/// Who commands: a start of a coordinator, and how often it has opened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, prost::Message)]
pub struct Term {
    #[prost(fixed64, tag = "1")]
    pub coordinator: u64,
    #[prost(uint64, tag = "2")]
    pub session: u64,
}

/// Commands to be run in order, as a whole and once.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Execute {
    #[prost(message, required, tag = "1")]
    pub term: Term,
    /// Of this server: one more than it has executed.
    #[prost(uint64, tag = "2")]
    pub sequence: u64,
    /// Comes before the commands.
    #[prost(message, optional, tag = "3")]
    pub finish: Option<Finish>,
    #[prost(message, repeated, tag = "4")]
    pub commands: Vec<CommandMessage>,
}

/// An evaluation is complete: what was gathered becomes the gradient of a mean.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Finish {
    #[prost(message, required, tag = "1")]
    pub evaluation: Evaluation,
    #[prost(uint64, tag = "2")]
    pub units: u64,
    /// What sums are divided by.
    #[prost(double, tag = "3")]
    pub weight: f64,
    /// Times the sum of squares is added to the loss.
    #[prost(double, tag = "4")]
    pub l2: f64,
    #[prost(uint32, tag = "5")]
    pub point: u32,
    #[prost(uint32, tag = "6")]
    pub gradient: u32,
}

/// Names an evaluation for ever.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, prost::Message)]
pub struct Evaluation {
    #[prost(fixed64, tag = "1")]
    pub coordinator: u64,
    /// Counted by the coordinator from 1.
    #[prost(uint64, tag = "2")]
    pub number: u64,
}

/// A command: its kind, the vectors it names and its factors, in the order of its definition.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CommandMessage {
    #[prost(uint32, tag = "1")]
    pub kind: u32,
    #[prost(uint32, repeated, tag = "2")]
    pub vectors: Vec<u32>,
    #[prost(double, repeated, tag = "3")]
    pub factors: Vec<f64>,
}

/// The sums of gradients over one unit; tensors follow.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Contribute {
    #[prost(message, required, tag = "1")]
    pub evaluation: Evaluation,
    #[prost(uint64, tag = "2")]
    pub unit: u64,
    #[prost(uint64, tag = "3")]
    pub units: u64,
}

/// Asks for a vector's tensors.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Fetch {
    #[prost(uint32, tag = "1")]
    pub vector: u32,
}

/// Puts an evaluation on the board, in the place of the one before.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Post {
    #[prost(message, required, tag = "1")]
    pub evaluation: Evaluation,
    #[prost(uint32, tag = "2")]
    pub point: u32,
    #[prost(uint64, tag = "3")]
    pub units: u64,
}

/// Waits until an evaluation is complete.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Await {
    #[prost(message, required, tag = "1")]
    pub evaluation: Evaluation,
}

/// Reports the unit that is done, and waits for the next.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Take {
    #[prost(uint32, tag = "1")]
    pub worker: u32,
    #[prost(fixed64, tag = "2")]
    pub incarnation: u64,
    #[prost(message, optional, tag = "3")]
    pub done: Option<Done>,
}

/// A unit whose gradients are at the servers.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Done {
    #[prost(message, required, tag = "1")]
    pub evaluation: Evaluation,
    #[prost(uint64, tag = "2")]
    pub unit: u64,
    #[prost(double, tag = "3")]
    pub loss: f64,
    #[prost(double, tag = "4")]
    pub weight: f64,
}

/// Nothing more will be posted: replicas may go.
#[derive(Clone, PartialEq, prost::Message)]
pub struct End {
    #[prost(fixed64, tag = "1")]
    pub coordinator: u64,
}

/// Takes a snapshot of variables and vectors; nothing is written yet.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct TakeCut {
    #[prost(message, required, tag = "1")]
    pub term: Term,
    /// The cut's number.
    #[prost(uint64, tag = "2")]
    pub number: u64,
    /// Batches that this server must have executed.
    #[prost(uint64, tag = "3")]
    pub executed: u64,
}

/// Writes the snapshot that was taken.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct WriteCut {
    #[prost(uint64, tag = "1")]
    pub number: u64,
    /// The earlier cut that stays; those before and after it are removed.
    #[prost(uint64, tag = "2")]
    pub keep: u64,
}

/// Takes variables and vectors from a cut.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct GoBack {
    #[prost(message, required, tag = "1")]
    pub term: Term,
    /// The cut's number.
    #[prost(uint64, tag = "2")]
    pub number: u64,
    /// Where this server is now.
    #[prost(message, required, tag = "3")]
    pub from: MarkMessage,
    /// Iterations that all servers lose by it.
    #[prost(uint64, tag = "4")]
    pub lost: u64,
}

/// What is particular in answers.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Reply {
    /// Of the commands that answer.
    #[prost(double, repeated, tag = "1")]
    pub numbers: Vec<f64>,
    /// Batches this server has executed, those before its restarts included.
    #[prost(uint64, tag = "2")]
    pub executed: u64,
    /// Earlier starts of this server, and how much each had executed when its snapshot was taken.
    #[prost(message, repeated, tag = "3")]
    pub lineage: Vec<MarkMessage>,
    /// Some units never came here: nothing was executed, evaluate again.
    #[prost(bool, tag = "4")]
    pub missing: bool,
    #[prost(message, optional, tag = "5")]
    pub work: Option<WorkMessage>,
    /// Nothing more will come.
    #[prost(bool, tag = "6")]
    pub ended: bool,
    /// Units that are done.
    #[prost(uint64, tag = "7")]
    pub done: u64,
    /// Sums over all units, when all are done.
    #[prost(message, optional, tag = "8")]
    pub total: Option<Total>,
    /// The start that `executed` is of: this server's, or a number of its own if it has gone back since.
    #[prost(fixed64, tag = "9")]
    pub start: u64,
    /// Cuts on this server's disk.
    #[prost(uint64, repeated, tag = "10")]
    pub cuts: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct MarkMessage {
    #[prost(fixed64, tag = "1")]
    pub start: u64,
    #[prost(uint64, tag = "2")]
    pub executed: u64,
}

/// A unit to be computed.
#[derive(Clone, PartialEq, prost::Message)]
pub struct WorkMessage {
    #[prost(message, required, tag = "1")]
    pub evaluation: Evaluation,
    #[prost(uint32, tag = "2")]
    pub point: u32,
    #[prost(uint64, tag = "3")]
    pub unit: u64,
    #[prost(uint64, tag = "4")]
    pub units: u64,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Total {
    #[prost(double, tag = "1")]
    pub loss: f64,
    #[prost(double, tag = "2")]
    pub weight: f64,
}

/// A server's vectors in its snapshot, without their tensors.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Saved {
    #[prost(message, required, tag = "1")]
    pub term: Term,
    #[prost(uint64, tag = "2")]
    pub executed: u64,
    /// Of the last batch.
    #[prost(double, repeated, tag = "3")]
    pub numbers: Vec<f64>,
    #[prost(string, repeated, tag = "4")]
    pub names: Vec<String>,
    #[prost(message, repeated, tag = "5")]
    pub lineage: Vec<MarkMessage>,
    /// Which start of the server this is.
    #[prost(fixed64, tag = "6")]
    pub start: u64,
}
