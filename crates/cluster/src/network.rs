//! How tasks reach each other: TCP, or pipes inside one process.
//!
//! Everything that connects does it through a `Dialer` that it was given, so that a whole cluster can run
//! in one process without a socket. Bytes are counted on the way.

pub(crate) mod cluster_key;
mod connection;
mod near;
mod simulated;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper_util::rt::TokioIo;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixListener};
use tokio::sync::mpsc;
use tonic::codegen::{BoxFuture, Service, http::Uri};

use crate::admission::Origin;
use crate::metrics::Metrics;
pub use cluster_key::{ClusterKey, VARIABLE as CLUSTER_KEY_VARIABLE};
pub use connection::Connection;
pub use simulated::SimulatedNetwork;

/// HTTP/2 windows: large enough that a big tensor does not wait for acknowledgements on loopback.
pub(crate) const WINDOW: u32 = 16 << 20;

/// How long one attempt to connect may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Silence after which the system asks whether the machine at the other end is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(60);

/// A way there and back.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

pub type BoxStream = Box<dyn Stream>;

pub trait Network: Send + Sync {
    /// Connects to `host:port`.
    fn connect(&self, address: &str) -> BoxFuture<BoxStream, io::Error>;

    /// The same for a link, which may take a shorter way if there is one.
    fn connect_link(&self, address: &str) -> BoxFuture<BoxStream, io::Error> {
        self.connect(address)
    }
}

/// The real one.
pub struct Tcp;

impl Network for Tcp {
    fn connect(&self, address: &str) -> BoxFuture<BoxStream, io::Error> {
        let address = address.to_string();
        Box::pin(async move {
            let stream = TcpStream::connect(&address).await?;
            stream.set_nodelay(true)?;
            keep_alive(&stream)?;
            Ok(Box::new(stream) as BoxStream)
        })
    }

    fn connect_link(&self, address: &str) -> BoxFuture<BoxStream, io::Error> {
        let (host, far) = (address.to_string(), self.connect(address));
        Box::pin(async move {
            for address in tokio::net::lookup_host(&host).await? {
                if let Some(stream) = near::connect(address).await {
                    return Ok(Box::new(stream) as BoxStream);
                }
            }
            far.await
        })
    }
}

/// Where connections come in.
pub enum Listener {
    /// And the short way beside it, if there is one.
    Tcp(TcpListener, Option<UnixListener>),
    Simulated(mpsc::Receiver<BoxStream>),
}

impl Listener {
    pub fn tcp(listener: TcpListener) -> Listener {
        let near = listener.local_addr().ok().and_then(near::listen);
        Listener::Tcp(listener, near)
    }

    /// The next connection.
    pub async fn accept(&mut self) -> io::Result<Accepted> {
        match self {
            Listener::Tcp(listener, None) => listener.accept().await.map(Accepted::tcp),
            Listener::Tcp(listener, Some(near)) => tokio::select! {
                accepted = listener.accept() => accepted.map(Accepted::tcp),
                accepted = near.accept() => {
                    let stream = Box::new(near::widen(accepted?.0));
                    Ok(Accepted { stream, origin: Origin::Machine, peer: Origin::Machine.to_string() })
                }
            },
            Listener::Simulated(connections) => match connections.recv().await {
                Some(stream) => Ok(Accepted {
                    stream,
                    origin: Origin::Process,
                    peer: Origin::Process.to_string(),
                }),
                // The network is gone: nobody will come any more.
                None => std::future::pending().await,
            },
        }
    }
}

/// A connection that was just made.
pub struct Accepted {
    pub stream: BoxStream,
    /// Whose limits it counts for.
    pub origin: Origin,
    /// The peer's address, for messages.
    pub peer: String,
}

impl Accepted {
    fn tcp((stream, peer): (TcpStream, SocketAddr)) -> Accepted {
        // Neither is worth a connection: without the first it is slower, without the second a machine that has lost
        // its power is noticed later.
        if let Err(e) = stream.set_nodelay(true).and_then(|()| keep_alive(&stream)) {
            tracing::debug!("a connection of {peer} keeps its usual options: {e}");
        }
        let (origin, peer) = (Origin::Address(peer.ip()), peer.to_string());
        Accepted { stream: Box::new(stream), origin, peer }
    }
}

/// Has the system ask every minute whether the machine at the other end is still there.
fn keep_alive(stream: &TcpStream) -> io::Result<()> {
    let asking = TcpKeepalive::new().with_time(KEEP_ALIVE).with_interval(KEEP_ALIVE / 4);
    SockRef::from(stream).set_tcp_keepalive(&asking)
}

/// Connects for one task.
pub struct Dialer {
    network: Arc<dyn Network>,
    metrics: Arc<Metrics>,
    key: Option<ClusterKey>,
}

impl Dialer {
    /// A dialer that shows no key.
    pub fn new(network: Arc<dyn Network>, metrics: Arc<Metrics>) -> Arc<Dialer> {
        Dialer::with_key(network, metrics, None)
    }

    /// A dialer that shows a key, if there is one, on every connection for Downpour's own protocols.
    pub fn with_key(
        network: Arc<dyn Network>,
        metrics: Arc<Metrics>,
        key: Option<ClusterKey>,
    ) -> Arc<Dialer> {
        Arc::new(Dialer { network, metrics, key })
    }

    /// Of the task.
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    pub async fn connect(&self, address: &str) -> io::Result<Connection> {
        self.within_limit(self.network.connect(address)).await
    }

    pub async fn connect_link(&self, address: &str) -> io::Result<Connection> {
        let mut connection = self.within_limit(self.network.connect_link(address)).await?;
        if let Some(key) = &self.key {
            connection.write_all(&key.opening()).await?;
        }
        Ok(connection)
    }

    async fn within_limit(
        &self,
        connecting: BoxFuture<BoxStream, io::Error>,
    ) -> io::Result<Connection> {
        let connected = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await;
        let stream = connected.map_err(|_| {
            let what = format!("no answer in {} s", CONNECT_TIMEOUT.as_secs());
            io::Error::new(io::ErrorKind::TimedOut, what)
        })??;
        Ok(Connection::new(stream, &self.metrics))
    }
}

/// A `Dialer` as gRPC's channels want it.
#[derive(Clone)]
pub struct GrpcDialer(pub Arc<Dialer>);

impl Service<Uri> for GrpcDialer {
    type Response = TokioIo<Connection>;
    type Error = io::Error;
    type Future = BoxFuture<Self::Response, io::Error>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let (dialer, address) = (self.0.clone(), uri.authority().map(ToString::to_string));
        Box::pin(async move {
            let stream = dialer.connect(&address.unwrap_or_default()).await?;
            Ok(TokioIo::new(stream))
        })
    }
}
