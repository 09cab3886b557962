//! A network of pipes inside one process.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::io::duplex;
use tokio::sync::mpsc;
use tonic::codegen::BoxFuture;

use super::{BoxStream, Listener, Network};

/// Bytes under way on one connection, in one direction.
const PIPE: usize = 64 << 10;
/// Connections that wait to be accepted.
const BACKLOG: usize = 128;

/// Addresses are whatever the cluster calls them; who listens on one is found under it.
#[derive(Clone, Default)]
pub struct SimulatedNetwork(Arc<Mutex<HashMap<String, mpsc::Sender<BoxStream>>>>);

impl SimulatedNetwork {
    pub fn new() -> SimulatedNetwork {
        SimulatedNetwork::default()
    }

    /// Listens on an address; whoever listened there before hears nothing any more.
    pub fn listen(&self, address: &str) -> Listener {
        let (send, receive) = mpsc::channel(BACKLOG);
        self.0.lock().insert(address.to_string(), send);
        Listener::Simulated(receive)
    }
}

impl Network for SimulatedNetwork {
    fn connect(&self, address: &str) -> BoxFuture<BoxStream, io::Error> {
        let listener = self.0.lock().get(address).cloned();
        let refused = move || io::Error::from(io::ErrorKind::ConnectionRefused);
        Box::pin(async move {
            let listener = listener.ok_or_else(refused)?;
            let (near, far) = duplex(PIPE);
            listener.send(Box::new(far)).await.map_err(|_| refused())?;
            Ok(Box::new(near) as BoxStream)
        })
    }
}
