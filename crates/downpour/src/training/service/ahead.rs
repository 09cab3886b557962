//! The next batch's rows, asked for while a step runs.
//!
//! Protocol. When step k is about to run, rows of the batch of step k + 1 are asked for as soon as the servers have
//! answered the gradients of step k - 1, which are on their way; step k's do not exist yet. So these rows are as old as
//! the parameters that come with that answer and are used for step k + 1 too. They are written when step k is over: until
//! then it reads the table.

use std::sync::Arc;

use downpour_params::{Client, Pulled};
use downpour_tensor::{Result, Status};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::rows::Missing;
use crate::training::stopping::Waits;

/// Rows that are coming. Dropped, they are not waited for.
pub(super) struct Coming {
    missing: Missing,
    reading: JoinHandle<Result<Vec<Pulled>>>,
}

impl Coming {
    /// Asks for rows after the gradients under way have been answered, or have failed.
    pub fn ask(
        runtime: &Waits,
        client: &Arc<Client>,
        mut missing: Missing,
        answered: Option<oneshot::Receiver<()>>,
    ) -> Coming {
        let (client, wanted) = (client.clone(), std::mem::take(&mut missing.of_servers));
        let reading = runtime.spawn(async move {
            if let Some(answered) = answered {
                // Whoever waits for the gradients says what has failed.
                let _ = answered.await;
            }
            client.read_rows(&wanted).await
        });
        Coming { missing, reading }
    }

    /// Waits for them.
    pub fn wait(mut self, runtime: &Waits) -> Result<(Missing, Vec<Pulled>)> {
        let lost = |e| Status::internal(format!("asking for rows has failed: {e}"));
        let pulled = runtime.block_on(&mut self.reading).map_err(lost)??;
        Ok((std::mem::take(&mut self.missing), pulled))
    }
}

impl Drop for Coming {
    fn drop(&mut self) {
        self.reading.abort();
    }
}
