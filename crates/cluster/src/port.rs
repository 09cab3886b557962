//! One connection of a server's port, from its first byte to its end.
//!
//! Links, the parameter service, the coordinator and HTTP/2 share the port; the first byte tells them apart. Until a
//! connection has said what it wants, it is closed when it takes too long, or when a newer one needs its place.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use downpour_params::ConnectionLimits;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use parking_lot::Mutex;
use tokio::io::AsyncReadExt;
use tokio::time::Instant;

use crate::admission::{Admission, Seat};
use crate::coordination;
use crate::doors::{Doors, Services};
use crate::limits::PortLimits;
use crate::link::{self, Links};
use crate::metrics::Metrics;
use crate::network::cluster_key::{self, ClusterKey, OPENING, OPENING_BYTES};
use crate::network::{Accepted, Connection, WINDOW};
use crate::parameters::Parameters;
use crate::throttle::Throttle;
use crate::waiting::WaitingCalls;

/// The first words of every HTTP/2 connection.
const HTTP2: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// A frame is held in memory until all of it has come.
const MAX_FRAME: u32 = 1 << 20;
const MAX_SEND_BUFFER: usize = 4 << 20;
/// How long open calls may take to be answered after a stop.
const DRAIN_LIMIT: Duration = Duration::from_secs(10);

/// Everything that can be reached through the port.
pub struct Port {
    pub services: Services,
    pub links: Arc<Links>,
    pub parameters: Arc<Parameters>,
    pub coordinator: Option<downpour_coordinator::Service>,
    pub metrics: Arc<Metrics>,
    pub limits: PortLimits,
    /// What whoever speaks our own protocols has to show first.
    pub key: Option<ClusterKey>,
    pub admission: Arc<Admission>,
    pub complaints: Throttle,
}

/// A port that accepts connections.
pub struct OpenPort {
    port: Arc<Port>,
    http: hyper::server::conn::http2::Builder<TokioExecutor>,
    waiting: WaitingCalls,
    /// The connections to gRPC; none when the port is closed.
    open: Arc<Mutex<Option<GracefulShutdown>>>,
}

impl OpenPort {
    pub fn new(port: Port) -> OpenPort {
        let mut http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        http.initial_stream_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .max_frame_size(MAX_FRAME)
            .max_concurrent_streams(port.limits.calls)
            .max_send_buf_size(MAX_SEND_BUFFER);
        let open = Arc::new(Mutex::new(Some(GracefulShutdown::new())));
        OpenPort { port: Arc::new(port), http, waiting: WaitingCalls::default(), open }
    }

    /// Serves a connection, if there is a place for it.
    pub fn serve(&self, accepted: Accepted) {
        let Accepted { stream, origin, peer } = accepted;
        let Some(seat) = self.port.admission.admit(origin) else { return };
        let (port, http, open) = (self.port.clone(), self.http.clone(), self.open.clone());
        let (unread, waiting) = (port.limits.unread, self.waiting.clone());
        let stream = Connection::accepted(stream, &port.metrics, seat.clone(), unread);
        tokio::spawn(async move {
            let serving = async {
                let Some(stream) = port.serve_our_own(stream, &seat, &peer).await? else {
                    return Ok(());
                };
                let Some(watcher) = open.lock().as_ref().map(GracefulShutdown::watcher) else {
                    return Ok(());
                };
                let doors = Doors::new(port.services.clone(), &seat, &port.limits, waiting);
                let service = TowerToHyperService::new(doors);
                let connection = http.serve_connection(TokioIo::new(stream), service);
                if let Err(e) = watcher.watch(connection).await {
                    tracing::debug!("the connection of {peer} ended: {e}");
                }
                Ok(())
            };
            let served = tokio::select! {
                served = serving => served,
                () = seat.closed() => Ok(()),
            };
            if let Err(e) = served {
                port.complain(&peer, &e);
            }
        });
    }

    /// Closes connections to gRPC when their calls are answered, and all of them after a while.
    pub async fn close(self) {
        let Some(open) = self.open.lock().take() else { return };
        if tokio::time::timeout(DRAIN_LIMIT, open.shutdown()).await.is_err() {
            tracing::warn!("some calls did not end within {DRAIN_LIMIT:?}; leaving them");
        }
    }
}

impl Port {
    /// Serves a connection that speaks one of our own protocols; gives back one of HTTP/2.
    async fn serve_our_own(
        &self,
        mut stream: Connection,
        seat: &Seat,
        peer: &str,
    ) -> io::Result<Option<Connection>> {
        let limits = self.limits.connection();
        let start = Instant::now();
        let first = limits.hello(async { stream.opening(1).await.map(|bytes| bytes[0]) }).await;
        let first = match first {
            // Whoever looks whether we are there connects and leaves.
            Err(e) if e.kind() != io::ErrorKind::TimedOut => return Ok(None),
            first => first?,
        };
        let (first, shown) = match first == OPENING[0] {
            true => limits.hello(read_key(&mut stream)).await.map(|(f, s)| (f, Some(s)))?,
            false => (first, None),
        };
        if first != HTTP2[0] {
            cluster_key::check(self.key.as_ref(), shown.as_ref().map(|shown| &shown[..]))?;
        }
        let left = limits.hello.saturating_sub(start.elapsed());
        let limits = ConnectionLimits { hello: left, ..limits };
        let greeted = || seat.greet();
        if first == link::MAGIC[0] {
            self.links.accept(stream, peer, &limits).await?;
            greeted();
        } else if first == downpour_params::MAGIC[0] {
            self.parameters.serve(stream, &limits, greeted).await?;
        } else if first == coordination::MAGIC[0] {
            let coordinator = self.coordinator.clone();
            coordination::serve_within(stream, coordinator, &limits, greeted).await?;
        } else if first == HTTP2[0] && limits.hello(stream.opening(HTTP2.len())).await? == HTTP2 {
            return Ok(Some(stream));
        } else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "it speaks neither gRPC nor one of Downpour's protocols",
            ));
        }
        Ok(None)
    }

    fn complain(&self, peer: &str, e: &io::Error) {
        if let Some(count) = self.complaints.count() {
            tracing::warn!(
                "closed {count} connections that did not keep to their protocol, the last from {peer}: {e}"
            );
        }
    }
}

/// Reads the key that a connection shows; what was shown, after the first byte of what follows.
async fn read_key(stream: &mut Connection) -> io::Result<(u8, [u8; OPENING_BYTES])> {
    let mut shown = [0; OPENING_BYTES];
    stream.read_exact(&mut shown).await?;
    Ok((stream.opening(1).await?[0], shown))
}
