//! The ways an all-reduce can go, a file each; which of them is quickest is the cost model's to say.

pub(crate) mod direct;
pub(crate) mod doubling;
pub(crate) mod fold;
pub(crate) mod halving;
pub(crate) mod hierarchical;
pub(crate) mod ring;
pub(crate) mod tree;

use downpour_tensor::{Result, Status};

use crate::mesh::Mesh;
use crate::reduction::Reduction;

/// A way to reduce a buffer of every rank to one that all of them have. `S` is its size, `n` the number of
/// ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Everybody sends everything to everybody at once: one round, `n-1` messages of `S` per rank. For tiny
    /// buffers and few ranks.
    Direct,
    /// Recursive doubling: `log n` rounds in which pairs exchange everything they have. For small buffers.
    Doubling,
    /// A binomial tree to rank 0 and back: `2 log n` rounds, but only `2(n-1)` messages in all.
    Tree,
    /// Recursive halving, then doubling: `2 log n` rounds that move `2S(n-1)/n` per rank; ranks beyond a power
    /// of two hand their buffer to another one first and get the result at the end.
    Halving,
    /// Round a ring: `2(n-1)` rounds that move `2S(n-1)/n` per rank, always between the same neighbours.
    Ring,
    /// Within each machine, then between machines, then within each machine again: across the slow links
    /// goes only what must.
    Hierarchical,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 6] = [
        Algorithm::Direct,
        Algorithm::Doubling,
        Algorithm::Tree,
        Algorithm::Halving,
        Algorithm::Ring,
        Algorithm::Hierarchical,
    ];

    /// Those that take all ranks for equal.
    pub const FLAT: [Algorithm; 5] = [
        Algorithm::Direct,
        Algorithm::Doubling,
        Algorithm::Tree,
        Algorithm::Halving,
        Algorithm::Ring,
    ];

    /// The name on command lines and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Direct => "direct",
            Algorithm::Doubling => "doubling",
            Algorithm::Tree => "tree",
            Algorithm::Halving => "halving",
            Algorithm::Ring => "ring",
            Algorithm::Hierarchical => "hierarchical",
        }
    }
}

impl std::str::FromStr for Algorithm {
    type Err = Status;

    fn from_str(name: &str) -> Result<Algorithm> {
        Algorithm::ALL.into_iter().find(|a| a.name() == name).ok_or_else(|| {
            let names = Algorithm::ALL.map(Algorithm::name).join(", ");
            Status::invalid_argument(format!("no all-reduce goes by {name:?}; there are {names}"))
        })
    }
}

/// The whole of an all-reduce by one way that takes all ranks for equal; `Hierarchical` is run as a ring here.
pub(crate) async fn run_flat<M: Mesh>(
    mesh: &mut M,
    algorithm: Algorithm,
    tag: u64,
    bytes: &mut [u8],
    reduction: Reduction,
) -> Result<()> {
    match algorithm {
        Algorithm::Direct => direct::all_reduce(mesh, tag, bytes, reduction).await,
        Algorithm::Doubling => doubling::all_reduce(mesh, tag, bytes, reduction).await,
        Algorithm::Tree => tree::all_reduce(mesh, tag, bytes, reduction).await,
        Algorithm::Halving => halving::all_reduce(mesh, tag, bytes, reduction).await,
        Algorithm::Ring | Algorithm::Hierarchical => {
            ring::all_reduce(mesh, tag, bytes, reduction).await
        }
    }
}
