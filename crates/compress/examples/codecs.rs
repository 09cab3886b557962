//! Prints what each codec costs and saves on a tensor like a gradient: `cargo run --release -p downpour-compress --example codecs [MEGABYTES]`.

use std::time::Instant;

use downpour_compress::{Compressor, Encoded, Lossless, decode, encode_ids};
use downpour_tensor::{Result, Status, Tensor};

/// Values like those of a gradient: bell-shaped, with rows of different sizes.
fn gradient(rows: usize, columns: usize) -> Result<Tensor> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    Tensor::build([rows, columns], |out: &mut [f32]| {
        for (i, row) in out.chunks_mut(columns.max(1)).enumerate() {
            let size = 1e-3 / (1 + i % 17) as f32;
            row.iter_mut().for_each(|value| *value = (next() + next() + next()) * size);
        }
    })
}

/// The best of several runs in megabytes a second.
fn speed<T>(bytes: usize, mut run: impl FnMut() -> Result<T>) -> Result<(T, f64)> {
    let (mut best, mut last) = (f64::MAX, None);
    for _ in 0..7 {
        let start = Instant::now();
        let result = run()?;
        best = best.min(start.elapsed().as_secs_f64());
        last = Some(result);
    }
    let last = last.ok_or_else(|| Status::internal("at least one run was made"))?;
    Ok((last, bytes as f64 / best / 1e6))
}

fn line(name: &str, bytes: usize, encode: impl FnMut() -> Result<Encoded>) -> Result<()> {
    let (encoded, encoding) = speed(bytes, encode)?;
    let (_, decoding) = speed(bytes, || decode(&encoded))?;
    let ratio = bytes as f64 / encoded.wire_len() as f64;
    println!("{name:<20} {encoding:>12.0} {decoding:>12.0} {ratio:>10.1}");
    Ok(())
}

fn main() -> Result<()> {
    let megabytes: usize = match std::env::args().nth(1) {
        Some(text) => text
            .parse()
            .map_err(|_| Status::invalid_argument(format!("{text:?} is no number of megabytes")))?,
        None => 16,
    };
    let columns = 1024;
    let tensor = gradient(megabytes.max(1) * 256, columns)?;
    println!("{} MB of float32, one thread", tensor.byte_len() >> 20);
    println!("{:<20} {:>12} {:>12} {:>10}", "codec", "encode MB/s", "decode MB/s", "ratio");
    for text in [
        "none",
        "bfloat16",
        "float16",
        "int8",
        "one-bit",
        "top-k:0.01",
        "top-k:0.001",
        "power-sgd:1",
        "power-sgd:4",
    ] {
        let mut compressor = Compressor::new(text.parse()?, 1)?;
        line(text, tensor.byte_len(), || compressor.encode("w", &tensor))?;
    }

    let count = tensor.len() / 4;
    let mut state = 1u64;
    let mut ids: Vec<i64> = Vec::with_capacity(count);
    for _ in 0..count {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        // Few ids are frequent, as in the tables of recommenders.
        let uniform = (state >> 11) as f64 / (1u64 << 53) as f64;
        ids.push((uniform.powi(3) * 1e8) as i64);
    }
    for order in ["unsorted", "sorted"] {
        if order == "sorted" {
            ids.sort_unstable();
        }
        let tensor = Tensor::vector(&ids)?;
        for (name, how) in [("lz4", Lossless::Lz4), ("zstd", Lossless::Zstd { level: 3 })] {
            line(&format!("{order} ids, {name}"), tensor.byte_len(), || encode_ids(&tensor, how))?;
        }
    }
    Ok(())
}
