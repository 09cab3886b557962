//! FixedUnigramCandidateSampler: weights from the attribute `unigrams`, or from the last column of a file.
//!
//! The file is read on an I/O thread by the first step that needs it; later steps find the sampler made.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::task::Poll;

use downpour_formats::read_regular;
use downpour_runtime::{
    AsyncContext, AsyncKernel, CancellationToken, KernelBox, KernelBuild, run_on_io_thread,
};
use downpour_tensor::{CountedVec, Result, Status};

use super::alias_table::AliasTable;
use super::range_sampler::RangeSampler;
use super::{CandidateSampler, Settings, range};

/// Makes the kernel, and reads nothing yet.
pub(super) fn kernel(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let file = build.string("vocab_file")?;
    let unigrams = build.floats("unigrams")?;
    if file.is_empty() && unigrams.is_empty() {
        return Err(Status::invalid_argument("Must provide either vocab_file or unigrams."));
    }
    if !file.is_empty() && !unigrams.is_empty() {
        return Err(Status::invalid_argument("Must only provide one of vocab_file and unigrams."));
    }
    let shares = Shares::new(build)?;
    let settings = Settings::new(build)?;
    if file.is_empty() {
        return Ok(KernelBox::new(CandidateSampler::new(settings, shares.sampler(unigrams)?)));
    }
    let waiting = Waiting { file, shares, settings: Arc::new(settings) };
    Ok(KernelBox::asynchronous(FromFile { waiting, loaded: Arc::default() }))
}

/// Which words have weights here.
#[derive(Clone)]
struct Shares {
    range: u64,
    distortion: f32,
    reserved: i64,
    shards: i64,
    shard: i64,
}

impl Shares {
    fn new(build: &KernelBuild<'_>) -> Result<Shares> {
        Ok(Shares {
            range: range(build)?,
            distortion: build.float("distortion")?,
            reserved: build.int("num_reserved_ids")?,
            shards: build.int("num_shards")?.max(1),
            shard: build.int("shard")?,
        })
    }

    fn sampler(&self, words: Vec<f32>) -> Result<RangeSampler> {
        let &Shares { range, distortion, reserved, shards, shard } = self;
        // Of the words 0..reserved, those of this shard have no weight.
        let without = match shard < shards {
            true => (reserved.max(0).saturating_sub(shard).max(0) as u64).div_ceil(shards as u64),
            false => 0,
        };
        if without > range {
            return Err(Status::invalid_argument(format!(
                "num_reserved_ids is {reserved}, more than the {range} classes of range_max"
            )));
        }
        let mut weights = CountedVec::filled(usize::try_from(without).unwrap_or(usize::MAX), 0f32)?;
        let mut total = 0f32;
        for (word, weight) in (weights.len() as i64..).zip(words) {
            if word % shards == shard {
                let weight = weight.powf(distortion);
                total += weight;
                weights.push(weight)?;
            }
        }
        if weights.len() as u64 != range {
            return Err(Status::invalid_argument(format!(
                "range is {range} must be equal to weights size  {}",
                weights.len()
            )));
        }
        let table = AliasTable::new(&weights)?;
        Ok(RangeSampler::Fixed { weights, total, table })
    }
}

/// The settings that a sampler is built from once its file is read.
#[derive(Clone)]
struct Waiting {
    file: String,
    shares: Shares,
    settings: Arc<Settings>,
}

impl Waiting {
    fn load(&self, cancellation: &CancellationToken) -> Result<CandidateSampler> {
        let words = read_weights(&self.file, cancellation)?;
        Ok(CandidateSampler::shared(self.settings.clone(), self.shares.sampler(words)?))
    }
}

struct FromFile {
    waiting: Waiting,
    loaded: Arc<OnceLock<CandidateSampler>>,
}

impl AsyncKernel for FromFile {
    fn start(&self, mut cx: AsyncContext) {
        if let Some(sampler) = self.loaded.get() {
            let outputs = cx.compute(sampler);
            return cx.finish_values(outputs);
        }
        let (waiting, loaded) = (self.waiting.clone(), self.loaded.clone());
        let work = move |cx: &mut AsyncContext| {
            if loaded.get().is_none() {
                let sampler = waiting.load(cx.step().cancellation())?;
                // Two steps may have read it: both have the same.
                let _ = loaded.set(sampler);
            }
            loaded
                .get()
                .map(|sampler| cx.compute(sampler))
                .unwrap_or_else(|| Err(Status::internal("the sampler was loaded and is not there")))
        };
        run_on_io_thread(cx, Box::new(move |cx| Poll::Ready(work(cx))));
    }
}

fn read_weights(file: &str, cancellation: &CancellationToken) -> Result<Vec<f32>> {
    let stop = || match cancellation.is_cancelled() {
        true => Err(Status::cancelled("reading the vocabulary was cancelled").derived()),
        false => Ok(()),
    };
    let contents = read_regular(Path::new(file), stop)
        .map_err(|e| e.context(format!("{file}: the vocabulary cannot be read")))?;
    let text = std::str::from_utf8(&contents)
        .map_err(|_| Status::invalid_argument(format!("{file} is not a text in UTF-8")))?;
    text.lines()
        .map(|line| {
            let last = line.rsplit(',').next().unwrap_or_default().trim();
            last.parse().map_err(|_| {
                Status::invalid_argument(format!("Wrong vocabulary format at line: {line}"))
            })
        })
        .collect()
}
