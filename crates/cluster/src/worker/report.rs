//! What a worker tells about itself.

use super::Worker;

impl Worker {
    /// Sessions that masters have opened here.
    pub fn session_count(&self) -> usize {
        self.sessions.lock().len()
    }

    /// Parts of graphs that masters have registered here.
    pub fn graph_count(&self) -> usize {
        self.graphs.lock().len()
    }

    /// Steps that have begun here and not ended.
    pub fn step_count(&self) -> usize {
        self.steps.len()
    }
}
