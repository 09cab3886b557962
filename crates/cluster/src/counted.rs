//! Connections that count what passes through them.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tonic::codegen::http::Uri;
use tonic::codegen::{BoxFuture, Service, StdError};

use crate::metrics::Metrics;

/// A connection whose bytes are counted in its task's metrics.
pub struct Counted {
    stream: TcpStream,
    metrics: Arc<Metrics>,
}

impl Counted {
    pub fn new(stream: TcpStream, metrics: &Arc<Metrics>) -> Counted {
        Counted { stream, metrics: metrics.clone() }
    }

    fn sent(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(bytes)) = &written {
            self.metrics.sent(*bytes);
        }
        written
    }
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.metrics.received(buffer.filled().len() - before);
        read
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.sent(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.sent(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Makes counted connections to other tasks, otherwise as tonic's own connector does.
#[derive(Clone)]
pub struct CountedConnector {
    http: HttpConnector,
    metrics: Arc<Metrics>,
}

impl CountedConnector {
    pub fn new(metrics: &Arc<Metrics>, connect_timeout: Duration) -> CountedConnector {
        let mut http = HttpConnector::new();
        http.set_nodelay(true);
        http.set_connect_timeout(Some(connect_timeout));
        CountedConnector { http, metrics: metrics.clone() }
    }
}

impl Service<Uri> for CountedConnector {
    type Response = TokioIo<Counted>;
    type Error = StdError;
    type Future = BoxFuture<Self::Response, StdError>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StdError>> {
        self.http.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, address: Uri) -> Self::Future {
        let connecting = self.http.call(address);
        let metrics = self.metrics.clone();
        Box::pin(async move {
            let stream = connecting.await?.into_inner();
            Ok(TokioIo::new(Counted { stream, metrics }))
        })
    }
}
