//! Layouts that variables have moved to, with the graphs that apply gradients by them.
//!
//! A worker builds the first layout, and then whichever the servers have, beside it in the same graph: under the name of
//! what the layout says, so that all workers send the same programs, whatever they have built before.

use std::collections::HashMap;
use std::sync::Arc;

use downpour_params::Placed;
use downpour_tensor::{Bytes, Result, Status};
use parking_lot::Mutex;

use super::handed::Handed;
use super::layout::Layout;
use super::optimizers::Optimizers;
use super::program::Program;

/// A layout that variables have moved to.
pub(crate) struct Relaid {
    pub placed: Placed,
    pub layout: Layout,
    pub handed: Arc<Handed>,
}

/// All that were built.
#[derive(Default)]
pub(crate) struct Layouts(Mutex<HashMap<Bytes, Arc<Handed>>>);

impl Layouts {
    /// What applies gradients by a layout.
    pub fn relaid(
        &self,
        program: &Program,
        optimizers: &Optimizers,
        placed: Placed,
    ) -> Result<Relaid> {
        let layout = Layout::from_bytes(&placed.layout)?;
        let mut built = self.0.lock();
        if let Some(handed) = built.get(&placed.layout).cloned() {
            return Ok(Relaid { placed, layout, handed });
        }
        let first = program.update.handed.as_ref();
        let first =
            first.ok_or_else(|| Status::internal("a program whose gradients stay in the graph"))?;
        let sum = name_of(&placed.layout);
        let _scope = program.graph.absolute_scope(&format!("update/layout_{sum:016x}"))?;
        let handed = first.by(&program.graph, optimizers, &program.global_step, &layout)?;
        let handed = Arc::new(handed);
        built.insert(placed.layout.clone(), handed.clone());
        Ok(Relaid { placed, layout, handed })
    }
}

/// FNV-1a: the same on every worker.
fn name_of(layout: &[u8]) -> u64 {
    let begin = 0xcbf2_9ce4_8422_2325u64;
    layout.iter().fold(begin, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
