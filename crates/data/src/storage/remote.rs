//! Object stores, by the scheme of a URL.
//!
//! `memory://` is part of every build (for tests: what is written there lives as long as the process).
//! The others bring HTTP clients and are features of this crate: `s3`, `gs`, `az`. Credentials come
//! from the environment, under the names each provider's own tools use.

use std::collections::HashMap;
use std::io::Read;
use std::sync::{Arc, LazyLock, OnceLock};

use downpour_tensor::{Bytes, Code, Result, Status};
use futures_util::TryStreamExt;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use parking_lot::Mutex;

use super::local::matches;

/// An object in a store.
#[derive(Clone)]
pub(super) struct Object {
    store: Arc<dyn ObjectStore>,
    path: Path,
}

/// How much of an object is asked for at a time.
const CHUNK: u64 = 4 << 20;

/// Requests run on a thread of their own and are waited for: whoever reads need not be asynchronous.
fn wait<T: Send + 'static>(
    request: impl Future<Output = object_store::Result<T>> + Send + 'static,
) -> Result<T> {
    static RUNTIME: OnceLock<Result<tokio::runtime::Runtime>> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(1).thread_name("object store").enable_all();
        builder
            .build()
            .map_err(|e| Status::resource_exhausted(format!("cannot start a thread: {e}")))
    });
    let runtime = runtime.as_ref().map_err(Status::clone)?;
    let (send, receive) = std::sync::mpsc::sync_channel(1);
    runtime.spawn(async move {
        let _ = send.send(request.await);
    });
    let answer =
        receive.recv().map_err(|_| Status::internal("a request to a store was dropped"))?;
    answer.map_err(|e| store_error(&e))
}

fn store_error(error: &object_store::Error) -> Status {
    use object_store::Error::*;
    let code = match error {
        NotFound { .. } => Code::NotFound,
        PermissionDenied { .. } => Code::PermissionDenied,
        Unauthenticated { .. } => Code::Unauthenticated,
        InvalidPath { .. } => Code::InvalidArgument,
        _ => Code::Unavailable,
    };
    Status::new(code, format!("cannot read: {error}"))
}

impl Object {
    pub fn size(&self) -> Result<u64> {
        let Object { store, path } = self.clone();
        Ok(wait(async move { store.head(&path).await })?.size)
    }

    pub fn read(&self, start: u64, end: u64) -> Result<Bytes> {
        let Object { store, path } = self.clone();
        wait(async move { store.get_range(&path, start..end).await })
    }

    pub fn open_at(&self, offset: u64) -> Result<Stream> {
        let size = self.size()?;
        Ok(Stream { object: self.clone(), at: offset.min(size), size, buffer: Bytes::new() })
    }
}

/// An object read from beginning to end, a few megabytes at a time.
pub(super) struct Stream {
    object: Object,
    at: u64,
    size: u64,
    buffer: Bytes,
}

impl Read for Stream {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.buffer.is_empty() && self.at < self.size && !out.is_empty() {
            let end = self.size.min(self.at + CHUNK);
            self.buffer = self.object.read(self.at, end).map_err(std::io::Error::other)?;
            self.at = end;
        }
        let count = out.len().min(self.buffer.len());
        out[..count].copy_from_slice(&self.buffer.split_to(count));
        Ok(count)
    }
}

/// The store and the path within it that a URL names; `None` if it has no scheme.
fn locate(url: &str) -> Result<Option<(Arc<dyn ObjectStore>, String)>> {
    let Some((scheme, rest)) = url.split_once("://") else { return Ok(None) };
    let (bucket, path) = rest.split_once('/').unwrap_or((rest, ""));
    let store: Arc<dyn ObjectStore> = match scheme {
        "memory" => {
            static STORES: LazyLock<Mutex<HashMap<String, Arc<InMemory>>>> =
                LazyLock::new(Mutex::default);
            STORES.lock().entry(bucket.to_owned()).or_default().clone()
        }
        "s3" | "s3a" => s3(bucket)?,
        "gs" => gs(bucket)?,
        "az" | "azure" => az(bucket)?,
        other => {
            return Err(Status::invalid_argument(format!(
                "{url}: the scheme {other:?} is not known; use a path, file://, s3://, gs://, az:// or memory://"
            )));
        }
    };
    Ok(Some((store, path.to_owned())))
}

macro_rules! provider {
    ($name:ident, $feature:literal, $bucket:ident => $builder:expr) => {
        #[cfg(feature = $feature)]
        fn $name($bucket: &str) -> Result<Arc<dyn ObjectStore>> {
            let built = $builder.build();
            Ok(Arc::new(built.map_err(|e| store_error(&e).context(concat!($feature, "://")))?))
        }

        #[cfg(not(feature = $feature))]
        fn $name($bucket: &str) -> Result<Arc<dyn ObjectStore>> {
            Err(Status::unimplemented(format!(
                "{0}://{1} needs a build with the feature {0:?}: cargo build --release --features {0}",
                $feature, $bucket
            )))
        }
    };
}

provider!(s3, "s3", bucket => object_store::aws::AmazonS3Builder::from_env().with_bucket_name(bucket));
provider!(gs, "gs", bucket => {
    object_store::gcp::GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket)
});
provider!(az, "az", bucket => {
    object_store::azure::MicrosoftAzureBuilder::from_env().with_container_name(bucket)
});

/// The object of a URL, as it stands there; `None` if it has no scheme of a store.
pub(super) fn named(url: &str) -> Result<Option<Object>> {
    let Some((store, path)) = locate(url)? else { return Ok(None) };
    let path = Path::parse(path).map_err(|e| Status::invalid_argument(format!("{url}: {e}")))?;
    Ok(Some(Object { store, path }))
}

/// The objects a URL stands for, with their URLs, sorted; `None` if it has no scheme of a store.
pub(super) fn list(url: &str) -> Result<Option<Vec<(String, Object)>>> {
    let Some((store, pattern)) = locate(url)? else { return Ok(None) };
    let path =
        |p: &str| Path::parse(p).map_err(|e| Status::invalid_argument(format!("{url}: {e}")));
    if !pattern.contains(['*', '?']) {
        return Ok(Some(vec![(url.to_owned(), Object { store, path: path(&pattern)? })]));
    }
    let folder = pattern.split(['*', '?']).next().unwrap_or_default();
    let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (prefix, from) = (path(folder)?, store.clone());
    let found = wait(async move {
        let prefix = (!prefix.as_ref().is_empty()).then_some(&prefix);
        from.list(prefix).map_ok(|meta| meta.location).try_collect::<Vec<Path>>().await
    })
    .map_err(|e| e.context(url))?;
    let base = url.strip_suffix(&pattern).unwrap_or_default();
    let mut found: Vec<_> = found
        .into_iter()
        .filter(|location| in_folders(&pattern, location.as_ref()))
        .map(|path| (format!("{base}{path}"), Object { store: store.clone(), path }))
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Some(found))
}

/// A pattern's stars do not reach over `/`.
fn in_folders(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) =
        (pattern.split('/').collect(), path.split('/').collect());
    pattern.len() == path.len()
        && pattern.iter().zip(path).all(|(p, n)| matches(p.as_bytes(), n.as_bytes()))
}

/// Writes an object.
pub(super) fn write(url: &str, contents: Bytes) -> Result<bool> {
    let Some((store, path)) = locate(url)? else { return Ok(false) };
    let path = Path::parse(path).map_err(|e| Status::invalid_argument(format!("{url}: {e}")))?;
    wait(async move { store.put(&path, contents.into()).await }).map_err(|e| e.context(url))?;
    Ok(true)
}
