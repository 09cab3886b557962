//! Writes an event file from a thread of its own.
//!
//! 1. A caller puts an entry into a bounded queue and goes on; if the queue is full (by number or by
//!    the bytes of the tensors in it), the entry is dropped and counted.
//! 2. The thread turns entries into events (histograms and pictures cost time, which is its own),
//!    writes them, and flushes the file every few seconds and when asked.
//! 3. The first error is kept: `flush` returns it, `status` shows it. Later entries are dropped.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use downpour_disk::io_error;
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::Message;
use downpour_wire::proto::event::What;
use downpour_wire::proto::{Event, GraphDef, RunMetadata, Summary, TaggedRunMetadata};
use parking_lot::Mutex;

use super::file::{EventFile, now};
use super::values;
use crate::tfrecord::RecordWriter;

/// How an event file is written.
#[derive(Clone, Debug)]
pub struct EventOptions {
    /// What was written is flushed to the file this often at the latest.
    pub flush_every: Duration,
    /// Entries that may wait for the writing thread.
    pub queue_entries: usize,
    /// Bytes of tensors that may wait for it.
    pub queue_bytes: usize,
    /// Pictures written of a batch.
    pub images_per_batch: usize,
}

impl Default for EventOptions {
    fn default() -> EventOptions {
        EventOptions {
            flush_every: Duration::from_secs(5),
            queue_entries: 4096,
            queue_bytes: 256 << 20,
            images_per_batch: 3,
        }
    }
}

/// What the thread makes an event of.
enum Content {
    Ready(What),
    Histogram(String, Tensor),
    Images(String, Tensor),
}

enum Entry {
    Event { wall_time: f64, step: i64, content: Content, bytes: usize },
    Flush(SyncSender<()>),
    Stop,
}

#[derive(Default)]
struct Shared {
    dropped: AtomicU64,
    waiting_bytes: AtomicUsize,
    error: Mutex<Option<Status>>,
}

/// An event file being written. Dropping it writes what is waiting and closes the file.
pub struct EventLog {
    path: PathBuf,
    queue: SyncSender<Entry>,
    queue_bytes: usize,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl EventLog {
    /// Begins the file `PREFIX.out.tfevents.SECONDS.HOST`; missing folders are made.
    pub fn create(prefix: &Path, options: EventOptions) -> Result<EventLog> {
        let EventFile { path, writer } = EventFile::create(prefix, "")?;
        let shared = Arc::new(Shared::default());
        let (queue, entries) = sync_channel(options.queue_entries.max(1));
        let queue_bytes = options.queue_bytes;
        let state = Arc::clone(&shared);
        let name = path.display().to_string();
        let thread = std::thread::Builder::new()
            .name("event-log".into())
            .spawn(move || write_entries(writer, &name, &entries, &state, &options))
            .map_err(|e| io_error("start a thread for", &path, &e))?;
        Ok(EventLog { path, queue, queue_bytes, shared, thread: Some(thread) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A number at a step.
    pub fn scalar(&self, tag: &str, step: i64, value: f64) {
        self.scalars(step, &[(tag, value)]);
    }

    /// Several numbers at a step, in one event.
    pub fn scalars(&self, step: i64, numbers: &[(&str, f64)]) {
        let value = numbers.iter().map(|(tag, number)| values::scalar(tag, *number)).collect();
        self.put(step, 0, Content::Ready(What::Summary(Summary { value })));
    }

    /// How the elements of a tensor are distributed. Infinities and NaN become a scalar of their own,
    /// `TAG/not_finite`.
    pub fn histogram(&self, tag: &str, step: i64, tensor: &Tensor) {
        let content = Content::Histogram(tag.into(), tensor.clone());
        self.put(step, tensor.byte_len(), content);
    }

    /// A picture `[height, width, channels]`, or several with their number in front: bytes, or floats
    /// from 0 to 1.
    pub fn image(&self, tag: &str, step: i64, tensor: &Tensor) {
        self.put(step, tensor.byte_len(), Content::Images(tag.into(), tensor.clone()));
    }

    /// A text in Markdown.
    pub fn text(&self, tag: &str, step: i64, text: &str) {
        match values::text(tag, text) {
            Ok(value) => {
                let summary = Summary { value: vec![value] };
                self.put(step, text.len(), Content::Ready(What::Summary(summary)));
            }
            Err(error) => self.shared.fail(error),
        }
    }

    /// The graph, once per file.
    pub fn graph(&self, graph: &GraphDef) {
        let bytes = graph.encode_to_vec();
        self.put(0, bytes.len(), Content::Ready(What::GraphDef(bytes.into())));
    }

    /// What a step cost; TensorBoard shows it with the graph under `tag`.
    pub fn run_metadata(&self, tag: &str, step: i64, metadata: &RunMetadata) {
        let run_metadata = metadata.encode_to_vec();
        let bytes = run_metadata.len();
        let tagged = TaggedRunMetadata { tag: tag.into(), run_metadata: run_metadata.into() };
        self.put(step, bytes, Content::Ready(What::TaggedRunMetadata(tagged)));
    }

    /// A summary that operations of the graph have made.
    pub fn summary(&self, step: i64, summary: Summary) {
        self.put(step, 0, Content::Ready(What::Summary(summary)));
    }

    /// Entries dropped because the queue was full or the file could not be written.
    pub fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed)
    }

    /// The error that ended the writing, if one did.
    pub fn status(&self) -> Result<()> {
        self.shared.error.lock().clone().map_or(Ok(()), Err)
    }

    /// Waits until everything put in before is in the file.
    pub fn flush(&self) -> Result<()> {
        let (sender, done) = sync_channel(1);
        if self.queue.send(Entry::Flush(sender)).is_ok() {
            // If the thread has ended, so has its side of the channel.
            let _ = done.recv();
        }
        self.status()
    }

    /// Writes what is waiting and closes the file.
    pub fn close(mut self) -> Result<()> {
        let flushed = self.flush();
        self.stop();
        flushed.and_then(|()| self.status())
    }

    fn put(&self, step: i64, bytes: usize, content: Content) {
        let waiting = self.shared.waiting_bytes.fetch_add(bytes, Ordering::Relaxed);
        let entry = Entry::Event { wall_time: now(), step, content, bytes };
        // A single tensor larger than the limit may pass: an empty queue always takes one.
        let fits = waiting == 0 || waiting.saturating_add(bytes) <= self.queue_bytes;
        if !fits || self.queue.try_send(entry).is_err() {
            self.shared.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn stop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = self.queue.send(Entry::Stop);
            if thread.join().is_err() {
                self.shared.fail(Status::internal("the thread that writes events panicked"));
            }
        }
    }
}

impl Drop for EventLog {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    fn fail(&self, error: Status) {
        self.error.lock().get_or_insert(error);
    }
}

fn write_entries(
    mut writer: RecordWriter<File>,
    name: &str,
    entries: &Receiver<Entry>,
    shared: &Shared,
    options: &EventOptions,
) {
    let mut flush_at: Option<Instant> = None;
    let check = |done: Result<()>| done.map_err(|error| shared.fail(error.context(name))).is_ok();
    let mut broken = false;
    loop {
        let entry = match flush_at {
            None => entries.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(at) => entries.recv_timeout(at.saturating_duration_since(Instant::now())),
        };
        match entry {
            Ok(Entry::Event { wall_time, step, content, bytes }) => {
                if broken {
                    shared.dropped.fetch_add(1, Ordering::Relaxed);
                } else {
                    match what(content, options) {
                        Ok(what) => {
                            let event =
                                Event { wall_time, step, what: Some(what), ..Default::default() };
                            broken = !check(writer.write(&event.encode_to_vec()));
                            flush_at.get_or_insert_with(|| Instant::now() + options.flush_every);
                        }
                        // A value that cannot be shown; the file itself is fine.
                        Err(error) => {
                            shared.fail(error);
                            shared.dropped.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
                shared.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
            }
            Ok(Entry::Flush(done)) => {
                broken |= !check(writer.flush());
                flush_at = None;
                let _ = done.send(());
            }
            Err(RecvTimeoutError::Timeout) => {
                broken |= !check(writer.flush());
                flush_at = None;
            }
            Ok(Entry::Stop) | Err(RecvTimeoutError::Disconnected) => {
                check(writer.finish().map(drop));
                return;
            }
        }
    }
}

fn what(content: Content, options: &EventOptions) -> Result<What> {
    Ok(match content {
        Content::Ready(what) => what,
        Content::Histogram(tag, tensor) => What::Summary(values::histogram(&tag, &tensor)?),
        Content::Images(tag, tensor) => {
            What::Summary(values::images(&tag, &tensor, options.images_per_batch)?)
        }
    })
}
