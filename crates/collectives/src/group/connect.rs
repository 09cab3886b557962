//! A group over sockets: its mesh, the star its agreements travel on, and a thread for each of its two loops.

use downpour_tensor::{Result, Status};
use tokio::runtime::{Builder, Runtime};

use super::control::{Agreeing, Driver};
use super::{Group, GroupConfig};
use crate::socket::{Connection, Door, Links, MeshConfig, SocketMesh, connect_all};

impl Group {
    /// Connects a group; all its ranks must call this before the deadline of `mesh`.
    ///
    /// # Errors
    /// Those of [`SocketMesh::connect`].
    pub fn connect(door: &Door, mesh: &MeshConfig, config: GroupConfig) -> Result<Group> {
        let data = SocketMesh::connect(door, mesh)?;
        let canceller = data.canceller();
        let beside = MeshConfig { group: mesh.group.beside(1), ..mesh.clone() };
        let star = connect_all(door, &beside, Links::Star)?;
        let (group, driver) = Group::new(data, Vec::new(), config);
        *group.shared.cancel.lock() = Some(Box::new(move |status| canceller.cancel(status)));
        let Driver { agreeing, running } = driver;
        let star = star.into_iter().zip(mesh.addresses.clone()).collect();
        let runtime = runtime()?;
        spawn("collectives-agree", move || agree(runtime, agreeing, star))?;
        let runtime = self::runtime()?;
        spawn("collectives-run", move || runtime.block_on(running.run()))?;
        Ok(group)
    }
}

fn agree(runtime: Runtime, mut agreeing: Agreeing, star: Vec<(Option<Connection>, String)>) {
    runtime.block_on(async {
        for (connection, name) in star {
            match connection.map(Connection::into_stream).transpose() {
                Ok(stream) => agreeing.star.push((stream, name)),
                Err(e) => {
                    let status = Status::internal(format!("cannot use the way to {name}: {e}"));
                    return agreeing.shared.end(status);
                }
            }
        }
        agreeing.run().await;
    });
}

fn runtime() -> Result<Runtime> {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.map_err(|e| Status::internal(format!("cannot start a group: {e}")))
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<()> {
    let thread = std::thread::Builder::new().name(name.into()).spawn(work);
    thread.map(|_| ()).map_err(|e| Status::resource_exhausted(format!("cannot start {name}: {e}")))
}
