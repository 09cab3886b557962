//! The links a task has, by the incarnation of the task at the other end.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use downpour_params::{ConnectionLimits, Pieces};
use downpour_runtime::ComputePool;
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::message::{Hello, MAGIC, VERSION};
use super::writer::Writer;
use super::{Inbox, Link, reader};
use crate::network::{Connection, Dialer};
use crate::spec::TaskAddress;

/// How long connecting to another task and its first words may take.
const MEETING: Duration = Duration::from_secs(5);

pub struct Links {
    own: Hello,
    pool: Arc<ComputePool>,
    dialer: Arc<Dialer>,
    inbox: OnceLock<Weak<dyn Inbox>>,
    open: Mutex<HashMap<u64, Arc<Link>>>,
    /// Held while a connection to an address is made, so that there is one.
    dialing: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

impl Links {
    pub fn new(
        incarnation: u64,
        name: &str,
        pool: Arc<ComputePool>,
        dialer: Arc<Dialer>,
    ) -> Arc<Links> {
        Arc::new(Links {
            own: Hello { version: VERSION, incarnation, name: name.to_string() },
            pool,
            dialer,
            inbox: OnceLock::new(),
            open: Mutex::default(),
            dialing: Mutex::default(),
        })
    }

    /// Who takes what arrives; to be set before the first connection.
    pub fn set_inbox(&self, inbox: Weak<dyn Inbox>) {
        self.inbox.get_or_init(|| inbox);
    }

    /// The link to a task, if there is one now.
    pub fn get(&self, incarnation: u64) -> Option<Arc<Link>> {
        self.open.lock().get(&incarnation).cloned()
    }

    /// The link to the task of this incarnation, made if there is none. A task that was started anew
    /// since is another one: ABORTED.
    pub async fn reach(
        self: &Arc<Self>,
        task: &TaskAddress,
        incarnation: u64,
    ) -> Result<Arc<Link>> {
        if let Some(link) = self.get(incarnation) {
            return Ok(link);
        }
        let turn = self.dialing.lock().entry(task.address.clone()).or_default().clone();
        let _turn = turn.lock().await;
        if let Some(link) = self.get(incarnation) {
            return Ok(link);
        }
        let unreachable = |why: String| {
            Status::unavailable(format!("{task} at {} cannot be reached: {why}", task.address))
        };
        let link = match tokio::time::timeout(MEETING, self.dial(task)).await {
            Ok(Ok(link)) => link,
            Ok(Err(e)) => return Err(unreachable(e.to_string())),
            Err(_) => return Err(unreachable(format!("no answer in {} s", MEETING.as_secs()))),
        };
        if link.incarnation() != incarnation {
            return Err(Status::aborted(format!(
                "{task} at {} was restarted (its incarnation was {incarnation:016x} and is now {:016x}): \
                 what it held for this session is gone. Make the session anew.",
                task.address,
                link.incarnation()
            )));
        }
        Ok(link)
    }

    async fn dial(self: &Arc<Self>, task: &TaskAddress) -> io::Result<Arc<Link>> {
        let mut stream = self.dialer.connect_link(&task.address).await?;
        stream.write_all(&MAGIC).await?;
        self.meet(stream, format!("{task} at {}", task.address)).await
    }

    /// Takes a connection that began with our first byte; returns when it has said who it is.
    pub async fn accept(
        self: &Arc<Self>,
        mut stream: Connection,
        from: &str,
        limits: &ConnectionLimits,
    ) -> io::Result<()> {
        let met = async {
            let mut magic = [0; MAGIC.len()];
            stream.read_exact(&mut magic).await?;
            if magic != MAGIC {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "neither HTTP/2 nor a link",
                ));
            }
            self.meet(stream, format!("the task that connected from {from}")).await
        };
        limits.hello(met).await.map(drop)
    }

    /// Tells who we are, hears who they are, and carries messages from then on.
    async fn meet(self: &Arc<Self>, stream: Connection, peer: String) -> io::Result<Arc<Link>> {
        let (read, write) = tokio::io::split(stream);
        let writer = Writer::new(write);
        writer.write(Pieces::new(&self.own, [])).await?;
        let mut reader = reader(read);
        let hello: Hello = reader.hello().await?;
        if hello.version != VERSION {
            let what = format!("it speaks version {} of links, we {VERSION}", hello.version);
            return Err(io::Error::new(io::ErrorKind::Unsupported, what));
        }
        let name = match peer.starts_with('/') {
            true => peer,
            false => format!("{} ({peer})", hello.name),
        };
        let link = Link::new(hello.incarnation, name, writer, self.pool.clone());
        self.open.lock().entry(hello.incarnation).or_insert_with(|| link.clone());
        let (links, carried) = (self.clone(), link.clone());
        tokio::spawn(async move {
            let Some(inbox) = links.inbox.get().and_then(Weak::upgrade) else { return };
            let status = carried.carry(&mut reader, &inbox).await;
            links.forget(&carried);
            carried.close(&status);
            inbox.lost(carried.incarnation, &status);
            inbox.closed(carried.number, &status);
        });
        Ok(link)
    }

    fn forget(&self, link: &Arc<Link>) {
        let mut open = self.open.lock();
        if open.get(&link.incarnation).is_some_and(|known| Arc::ptr_eq(known, link)) {
            open.remove(&link.incarnation);
        }
    }
}
