//! What a worker tells about itself.

use super::Worker;

impl Worker {
    /// Sessions that masters have opened here.
    pub fn session_count(&self) -> usize {
        self.sessions.lock().len()
    }
}
