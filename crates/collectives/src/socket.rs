//! Meshes over sockets: TCP, or Unix sockets between processes of one machine.
//!
//! A process has a [`Door`], where connections come in, and any number of [`SocketMesh`]es behind it, told
//! apart by their group. Of two ranks the higher one dials. An operation runs on the thread that calls it,
//! without a runtime: its future never waits, it blocks (see [`now`]).

mod connection;
mod dial;
mod door;
mod exchange;
mod hello;
mod mesh;
mod near;

pub(crate) use connection::Connection;
pub use door::Door;
pub use hello::GroupId;
pub use mesh::{Canceller, MeshConfig, SocketMesh};
pub(crate) use mesh::{Links, connect_all};

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use downpour_tensor::{Result, Status};

/// The result of an operation over a mesh whose exchanges block instead of waiting: one poll is enough.
///
/// # Errors
/// INTERNAL if the future waits for something: over such a mesh none does.
pub fn now<T>(operation: impl Future<Output = Result<T>>) -> Result<T> {
    match pin!(operation).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err(Status::internal(
            "an operation that should block waits instead: `now` is for meshes of sockets only",
        )),
    }
}
