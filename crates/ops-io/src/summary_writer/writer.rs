//! The writer: its handle, its file, flushing and closing it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use downpour_formats::events::EventFile;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry, Resource, ResourceManager};
use downpour_tensor::{ByteString, Code, Result, Status, Tensor};
use parking_lot::Mutex;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let handle = "SummaryWriter() -> (writer: resource) @stateful
        shared_name: string = ''
        container: string = ''";
    registry.add(OpSpec::new(handle)?.shape(shapes::scalar).not_differentiable(), |_| {
        Ok(KernelBox::cheap(make_handle))
    })?;
    let create = "CreateSummaryFileWriter(writer: resource, logdir: string, max_queue: int32, flush_millis: int32, filename_suffix: string) -> () @stateful";
    registry.add(OpSpec::new(create)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(create_writer))
    })?;
    let flush = "FlushSummaryWriter(writer: resource) -> () @stateful";
    registry.add(OpSpec::new(flush)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(|cx| cx.resource::<SummaryWriter>(0)?.flush()))
    })?;
    let close = "CloseSummaryWriter(writer: resource) -> () @stateful";
    registry.add(OpSpec::new(close)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(close_writer))
    })
}

/// A file of events, and the events that were not written to it yet.
pub(super) struct SummaryWriter {
    max_queue: usize,
    flush_every: Duration,
    state: Mutex<State>,
}

struct State {
    file: EventFile,
    queue: Vec<ByteString>,
    flushed: Instant,
}

impl SummaryWriter {
    /// Adds an encoded event. The queue is written when it is too long or too old.
    pub fn add(&self, event: ByteString) -> Result<()> {
        let mut state = self.state.lock();
        state.queue.push(event);
        if state.queue.len() > self.max_queue || state.flushed.elapsed() > self.flush_every {
            return state.flush();
        }
        Ok(())
    }

    fn flush(&self) -> Result<()> {
        self.state.lock().flush()
    }
}

impl State {
    fn flush(&mut self) -> Result<()> {
        let State { file, queue, flushed } = self;
        let written = queue.drain(..).try_for_each(|event| file.write(&event));
        *flushed = Instant::now();
        written.and_then(|()| file.flush()).map_err(|e| e.context("Could not flush events file."))
    }
}

impl Drop for SummaryWriter {
    fn drop(&mut self) {
        // Nobody is left to hear of an error.
        let _ = self.flush();
    }
}

impl Resource for SummaryWriter {
    fn describe(&self) -> String {
        let state = self.state.lock();
        format!(
            "summary writer of {}, {} events waiting",
            state.file.path().display(),
            state.queue.len()
        )
    }
}

fn make_handle(cx: &mut OpContext<'_>) -> Result<()> {
    let (container, name) = (cx.node().string("container")?, cx.node().string("shared_name")?);
    let device = cx.step().device();
    let handle = ResourceManager::make_handle::<SummaryWriter>(device, &container, &name);
    cx.set_output(0, Tensor::handle(handle));
    Ok(())
}

fn create_writer(cx: &mut OpContext<'_>) -> Result<()> {
    let scalar = |i: usize, name: &str| match cx.input(i) {
        value if value.rank() == 0 => Ok(value),
        _ => Err(Status::invalid_argument(format!("{name} must be a scalar"))),
    };
    let text = |i: usize, name: &str| -> Result<String> {
        Ok(String::from_utf8_lossy(&scalar(i, name)?.strings()?[0]).into_owned())
    };
    let folder = text(1, "logdir")?;
    let max_queue = scalar(2, "max_queue")?.to_scalar::<i32>()?;
    let flush_millis = scalar(3, "flush_millis")?.to_scalar::<i32>()?;
    let suffix = text(4, "filename_suffix")?;
    if suffix.contains(['/', '\0']) {
        return Err(Status::invalid_argument(format!(
            "filename_suffix must be the end of a file's name, got '{suffix}'"
        )));
    }
    match cx.resource::<SummaryWriter>(0) {
        Err(missing) if missing.code() == Code::NotFound => {}
        found => return found.map(drop),
    }
    let file = EventFile::create(&Path::new(&folder).join("events"), &unique_suffix(&suffix))
        .map_err(|e| e.context("Could not initialize events writer."))?;
    let path = file.path().to_path_buf();
    let mut made = Some(SummaryWriter {
        // Less than none, or no time at all: every event is written at once.
        max_queue: usize::try_from(max_queue).unwrap_or(0),
        flush_every: Duration::from_millis(u64::try_from(flush_millis).unwrap_or(0)),
        state: Mutex::new(State { file, queue: Vec::new(), flushed: Instant::now() }),
    });
    let handle = cx.handle(0)?;
    let unexpected = || Status::internal("a writer is made once");
    cx.resources()
        .lookup_or_create(&handle.container, &handle.name, || made.take().ok_or_else(unexpected))?;
    if made.is_some() {
        // Somebody else has made the same writer meanwhile: there is nothing in this file.
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// Returns the end of a file's name: the process and a number keep files of one second apart, as TensorFlow does it.
fn unique_suffix(suffix: &str) -> String {
    static FILES: AtomicU64 = AtomicU64::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let dot = if suffix.starts_with('.') { "" } else { "." };
    format!(".{}.{number}{dot}{suffix}", std::process::id())
}

fn close_writer(cx: &mut OpContext<'_>) -> Result<()> {
    let writer: Arc<SummaryWriter> = cx.resource(0)?;
    cx.resources().delete_handle(cx.handle(0)?)?;
    writer.flush()
}
