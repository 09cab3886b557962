//! What a pipeline is made of: stages that describe, cursors that run.
//!
//! A [`Stage`] is a description and costs nothing. Opening it gives a [`Cursor`], which delivers the
//! stage's items in order. An item is an element or an error; both count. Rules every cursor keeps:
//!
//! 1. `next(limit)` delivers between 1 and `limit` elements as a block, or one error, or the end.
//!    After an error the cursor goes on with the following item; after a failure it cannot get past
//!    it says it is at its end.
//! 2. The sequence of items depends only on the description, the epoch and the state it was opened
//!    with; not on limits, threads or time. (Unordered parallel stages relax the order, nothing else;
//!    they deliver blocks of one element, so that no stage behind them has to count.)
//! 3. `state()` is the state after the items delivered so far. A cursor opened with it delivers
//!    exactly the items that follow.

use std::sync::Arc;

use downpour_tensor::fingerprint::fingerprint64;
use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::Block;
use crate::context::Context;
use crate::position::State;
use crate::random_access::RandomAccess;

/// The description of one step of a pipeline. Implement it to add sources or transformations.
pub trait Stage: Send + Sync {
    /// The stage with its parameters, as one short word like `batch(32)`. Positions saved by one
    /// pipeline are refused by another whose words differ.
    fn describe(&self) -> String;

    /// The stages this one reads from.
    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        Vec::new()
    }

    /// Names, types and shapes of the elements, where they are known without running anything.
    fn schema(&self) -> Option<Schema> {
        None
    }

    /// The number of elements, where it is known without reading them.
    fn length(&self) -> Option<Length> {
        None
    }

    /// The number of elements that are one element of this stage, if it batches them.
    fn batch_size(&self) -> Option<usize> {
        None
    }

    /// Whether the items come in the same order each time; so unless an unordered stage is before.
    fn is_ordered(&self) -> bool {
        self.inputs().iter().all(|i| i.is_ordered())
    }

    /// Whether a state says enough to go on from it. Stages that read elements again by their number
    /// need an ordered input for that.
    fn is_resumable(&self) -> bool {
        self.inputs().iter().all(|i| i.is_resumable())
    }

    /// Names what the elements depend on besides the description, if there is something: random numbers without a seed,
    /// a variable. A resumed stage may then deliver other elements.
    fn external_state(&self) -> Option<String> {
        self.inputs().iter().find_map(|i| i.external_state())
    }

    /// Whether opening the stage anew, without a state, gives the same items again. Else its elements have no numbers by
    /// which they could be asked for at different times.
    fn is_repeatable(&self) -> bool {
        self.inputs().iter().all(|i| i.is_repeatable())
    }

    /// Appends what tells the stage and its inputs from others, the same in every process. Datasets that are saved are
    /// found again by it.
    fn identify(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.describe().as_bytes());
        out.push(b'(');
        self.inputs().iter().for_each(|input| input.identify(out));
        out.push(b')');
    }

    /// The states of what the iterations of this stage share, after those of the stages it reads from. A stage that
    /// opens an input later, or again, keeps them in its own state.
    fn shared(&self) -> Vec<State> {
        self.inputs().iter().flat_map(|i| i.shared()).collect()
    }

    /// Sets what the iterations share to such states, of which each stage takes its own.
    fn restore_shared(&self, states: &mut std::slice::Iter<'_, State>) -> Result<()> {
        self.inputs().iter().try_for_each(|i| i.restore_shared(states))
    }

    /// Starts at the beginning, or where `state` says.
    ///
    /// Stages that draw random seeds share them between iterations, so opening at an earlier state sets them back:
    /// whoever opens an input at several states opens it at the newest last. Whoever reads an input again keeps the state
    /// that it had when it was opened first, and begins there.
    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>>;

    /// Opens the elements for being asked for by number, in any order ([`random_access`](crate::random_access)).
    fn random_access(
        &self,
        _context: &Context,
        _state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        Err(Status::unimplemented(format!(
            "Random access is not implemented for dataset {}",
            self.describe()
        )))
    }

    /// Fails unless a global shuffle may read the elements in its own order.
    fn check_global_shuffle(&self) -> Result<()> {
        Err(Status::failed_precondition(format!(
            "{} does not support random access.",
            self.describe()
        )))
    }
}

/// A running stage.
pub trait Cursor: Send {
    /// The next elements: at least one, at most `limit` (which is not 0); `None` at the end, and
    /// from then on.
    fn next(&mut self, limit: usize) -> Result<Option<Block>>;

    /// The state after everything delivered so far.
    fn state(&self) -> State;

    /// How many elements are decoded already: `next` of no more than these delivers exactly as many
    /// as asked for, without an error or a wait.
    fn ready(&self) -> usize {
        0
    }
}

/// Appends a fingerprint of a tensor's type, shape and contents, as [`Stage::identify`] needs it. Handles and variants
/// are told apart by their number only.
pub fn identify_tensor(tensor: &Tensor, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("{}{}", tensor.dtype(), tensor.shape()).as_bytes());
    let mut contents = |bytes: &[u8]| out.extend_from_slice(&fingerprint64(bytes).to_le_bytes());
    match (tensor.bytes(), tensor.strings()) {
        (Some(bytes), _) => contents(bytes),
        (None, Ok(strings)) => strings.iter().for_each(|string| contents(string)),
        (None, Err(_)) => {}
    }
}

const SKIP_BLOCK: usize = 4096;

/// Passes over `items` items, whose errors were delivered before.
pub fn replay(cursor: &mut dyn Cursor, items: u64) -> Result<()> {
    let mut seen = 0;
    while seen < items {
        let limit = usize::try_from(items - seen).unwrap_or(usize::MAX).min(SKIP_BLOCK);
        match cursor.next(limit) {
            Ok(Some(block)) => seen += block.rows() as u64,
            Ok(None) => return Err(crate::position::malformed()),
            Err(error) if error.code() == downpour_tensor::Code::Cancelled => return Err(error),
            Err(_) => seen += 1,
        }
    }
    Ok(())
}

/// How many elements a dataset has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many.
    Finite(u64),
    /// It never ends.
    Infinite,
}

/// Names, types and shapes of a dataset's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// One field per tensor.
    pub fields: Vec<Field>,
}

/// One tensor of every element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub dtype: DataType,
    /// Its shape; `None` for sizes that differ between elements.
    pub shape: Vec<Option<usize>>,
}

impl Field {
    /// A field of known shape.
    pub fn new(name: impl Into<String>, dtype: DataType, shape: &[usize]) -> Field {
        Field { name: name.into(), dtype, shape: shape.iter().map(|&d| Some(d)).collect() }
    }
}
