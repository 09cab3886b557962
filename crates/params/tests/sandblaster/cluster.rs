//! Two servers and some replicas over pipes that may break, in simulated time.

use std::collections::BTreeMap;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use downpour_params::sandblaster::{Contribution, Plan, Work, Worked, work};
use downpour_params::{
    Client, Connect, CutFiles, Definition, Gradient, Inline, Limits, Mode, Patience, PlainValues,
    Shard, Snapshot, Store, Stream, keep_watch, read_snapshot, serve, write_snapshot,
};
use downpour_tensor::{Code, Result, Status, Tensor};
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf, duplex};
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::Instant;

use crate::problem::{EXAMPLES, INPUTS, Problem};

/// The variables, their servers and shapes; in this order they are the weights.
pub const VARIABLES: [(&str, usize, &[usize]); 3] =
    [("a", 0, &[7]), ("b/matrix", 1, &[3, 3]), ("c", 0, &[4])];

type Plain = Arc<Store<PlainValues>>;

/// A server's cuts, which stay when it is killed.
#[derive(Default)]
pub struct Disk(Mutex<BTreeMap<u64, Snapshot>>);

impl CutFiles for Disk {
    fn write(&self, number: u64, snapshot: &Snapshot) -> Result<()> {
        self.0.lock().insert(number, snapshot.clone());
        Ok(())
    }

    fn list(&self) -> Result<Vec<u64>> {
        Ok(self.0.lock().keys().copied().collect())
    }

    fn read(&self, number: u64) -> Result<Snapshot> {
        let found = self.0.lock().get(&number).cloned();
        found.ok_or_else(|| Status::data_loss(format!("there is no cut {number}")))
    }

    fn remove(&self, number: u64) -> Result<()> {
        self.0.lock().remove(&number);
        Ok(())
    }
}

impl Disk {
    /// The newest cut is damaged, or was never written.
    pub fn lose_newest(&self) {
        self.0.lock().pop_last();
    }
}

/// A server that can be killed and started anew.
pub struct Place {
    pub disk: Arc<Disk>,
    store: Mutex<Plain>,
    tasks: Mutex<Vec<AbortHandle>>,
    starts: AtomicU64,
}

/// A pipe that breaks after so many bytes have come back.
struct Frail {
    inner: DuplexStream,
    bytes: usize,
    moved: Arc<AtomicU64>,
}

impl AsyncRead for Frail {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(cx, buffer);
        let came = buffer.filled().len() - before;
        self.moved.fetch_add(came as u64, Ordering::Relaxed);
        match self.bytes.checked_sub(came) {
            Some(left) => self.bytes = left,
            None => return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into())),
        }
        read
    }
}

impl AsyncWrite for Frail {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.inner).poll_write(cx, bytes);
        if let Poll::Ready(Ok(bytes)) = wrote {
            self.moved.fetch_add(bytes as u64, Ordering::Relaxed);
        }
        wrote
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

fn store(start: u64) -> Plain {
    let limits = Limits { silence: Duration::from_secs(5), wait: Duration::from_secs(1) };
    Arc::new(Store::new(PlainValues::new(1.0), limits, start))
}

impl Place {
    fn new() -> Arc<Place> {
        let (disk, first) = (Arc::<Disk>::default(), store(1));
        first.go_on_from(disk.clone(), Instant::now()).unwrap();
        let place = Place {
            disk,
            store: Mutex::new(first),
            tasks: Mutex::default(),
            starts: AtomicU64::new(1),
        };
        place.watch();
        Arc::new(place)
    }

    fn watch(&self) {
        let store = self.store.lock().clone();
        let watch = tokio::spawn(keep_watch(store, Arc::new(Inline), Duration::from_secs(1)));
        self.tasks.lock().push(watch.abort_handle());
    }

    pub fn snapshot(&self) -> Snapshot {
        self.store.lock().snapshot().unwrap().unwrap()
    }

    /// Every connection breaks; another process has its place, with what was in the snapshot.
    pub fn restart(&self, snapshot: Snapshot) {
        let next = self.kill();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("store");
        write_snapshot(&snapshot, &file).unwrap();
        next.restore(read_snapshot(&file).unwrap().unwrap(), Instant::now()).unwrap();
        *self.store.lock() = next;
        self.watch();
    }

    /// Every connection breaks; another process has its place, with the newest cut.
    pub fn restart_from_disk(&self) {
        let next = self.kill();
        next.go_on_from(self.disk.clone(), Instant::now()).unwrap();
        *self.store.lock() = next;
        self.watch();
    }

    fn kill(&self) -> Plain {
        self.tasks.lock().drain(..).for_each(|task| task.abort());
        store(1000 * self.starts.fetch_add(1, Ordering::Relaxed) + 1000)
    }
}

pub struct Cluster {
    pub places: Vec<Arc<Place>>,
    pub problem: Arc<Problem>,
    pub units: u64,
    /// Connections break after about so many bytes, if not zero.
    pub frail: u64,
    /// Bytes between the coordinator and servers, and between replicas and servers.
    pub commanded: Arc<AtomicU64>,
    pub worked: Arc<AtomicU64>,
    /// What decides when they break.
    pub chance: Arc<AtomicU64>,
    tokens: AtomicU32,
}

fn patience() -> Patience {
    Patience { first_pause: Duration::from_millis(1), ..Patience::default() }
}

impl Cluster {
    pub fn new(problem: Problem, units: u64) -> Cluster {
        Cluster {
            places: vec![Place::new(), Place::new()],
            problem: Arc::new(problem),
            units,
            frail: 0,
            commanded: Arc::default(),
            worked: Arc::default(),
            chance: Arc::new(AtomicU64::new(1)),
            tokens: AtomicU32::new(0),
        }
    }

    pub fn plan(&self) -> Plan {
        let of = |server: usize| {
            let own = VARIABLES.iter().filter(|variable| variable.1 == server);
            own.map(|variable| variable.0.to_string()).collect()
        };
        Plan { names: vec![of(0), of(1)], units: self.units, l2: self.problem.l2 }
    }

    fn connect(&self, place: &Arc<Place>, moved: &Arc<AtomicU64>) -> Connect {
        let (place, chance, frail) = (place.clone(), self.chance.clone(), self.frail);
        let moved = moved.clone();
        Arc::new(move || {
            let bytes = match frail {
                0 => usize::MAX,
                _ => {
                    let next = |x: u64| Some(x.wrapping_mul(6364136223846793005).wrapping_add(1));
                    let drawn = chance.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
                    (drawn.unwrap() >> 33) as usize % (2 * frail as usize) + 10
                }
            };
            let (place, moved) = (place.clone(), moved.clone());
            Box::pin(async move {
                let (near, far) = duplex(1 << 12);
                let task = tokio::spawn(serve(far, place.store.lock().clone(), Arc::new(Inline)));
                place.tasks.lock().push(task.abort_handle());
                Ok(Box::new(Frail { inner: near, bytes, moved }) as Box<dyn Stream>)
            }) as Pin<Box<dyn Future<Output = _> + Send>>
        })
    }

    pub fn client(&self, worker: u32) -> Client {
        let moved = if worker >= 1000 { &self.commanded } else { &self.worked };
        let token = self.tokens.fetch_add(1, Ordering::Relaxed) + 1;
        let shard = |(number, place): (usize, &Arc<Place>)| Shard {
            name: format!("ps/{number}"),
            connect: self.connect(place, moved),
        };
        let shards = self.places.iter().enumerate().map(shard).collect();
        Client::new(worker, token, shards, patience())
    }

    /// Defines what is trained and gives the variables their first values.
    pub async fn start(&self, weights: &[f64]) -> Arc<Client> {
        let client = self.client(1000);
        let definition = Definition { program: Default::default(), mode: Mode::AtOnce };
        client.define(&[definition.clone(), definition]).await.unwrap();
        client.join().await.unwrap();
        let values = tensors(weights);
        for server in 0..2 {
            let own = values.iter().zip(VARIABLES).filter(|(_, v)| v.1 == server);
            let own: Vec<_> = own.map(|(value, _)| value.clone()).collect();
            client.put(server, &own, true, 0).await.unwrap();
        }
        Arc::new(client)
    }

    /// A replica that takes so long per example; when its time is over it joins anew.
    pub fn replica(&self, worker: u32, per_example: Duration) -> JoinHandle<Result<Worked>> {
        let problem = self.problem.clone();
        let client = self.client(worker);
        let again: Vec<Client> = (0..20).map(|_| self.client(worker)).collect();
        tokio::spawn(async move {
            let compute = |work: Work| {
                let problem = problem.clone();
                async move {
                    let examples = work.examples(EXAMPLES);
                    let count = (examples.end - examples.start) as u32;
                    tokio::time::sleep(per_example * count).await;
                    Ok(contribution(&problem, &work))
                }
            };
            let mut last = Ok(Worked::default());
            for client in std::iter::once(client).chain(again) {
                client.join().await?;
                last = work(&client, Duration::from_secs(1), compute).await;
                match &last {
                    Err(status) if status.code() == Code::Aborted => {}
                    _ => break,
                }
            }
            last
        })
    }

    /// The variables as others see them.
    pub async fn published(&self, client: &Client) -> Vec<f64> {
        let mut weights = vec![Vec::new(); VARIABLES.len()];
        for server in 0..2 {
            for (name, value) in client.read(server, &[]).await.unwrap().values {
                let place = VARIABLES.iter().position(|v| v.0 == name).unwrap();
                weights[place] = value.as_slice::<f64>().unwrap().to_vec();
            }
        }
        weights.concat()
    }
}

/// Weights as the variables' tensors.
pub fn tensors(weights: &[f64]) -> Vec<(String, Tensor)> {
    assert_eq!(weights.len(), INPUTS);
    let mut rest = weights;
    let tensor = |(name, _, shape): &(&str, usize, &[usize])| {
        let (own, after) = rest.split_at(shape.iter().product());
        rest = after;
        (name.to_string(), Tensor::from_slice(shape.to_vec(), own).unwrap())
    };
    VARIABLES.iter().map(tensor).collect()
}

pub fn contribution(problem: &Problem, work: &Work) -> Contribution {
    let part = |variable: &(&str, usize, &[usize])| {
        let found = work.point.iter().find(|(name, _)| name == variable.0).unwrap();
        found.1.as_slice::<f64>().unwrap().to_vec()
    };
    let weights = VARIABLES.iter().map(part).collect::<Vec<_>>().concat();
    let mut gradient = vec![0.0; INPUTS];
    let examples = work.examples(EXAMPLES);
    let weight = (examples.end - examples.start) as f64;
    let loss = problem.sum(&weights, examples, &mut gradient);
    let dense = |(name, tensor)| (name, Gradient::Dense(tensor));
    Contribution { loss, weight, gradients: tensors(&gradient).into_iter().map(dense).collect() }
}
