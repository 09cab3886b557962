//! Times all-reduce between processes: start it once per rank, with the same addresses.
//!
//! ```text
//! all_reduce --rank 0 --addresses 127.0.0.1:5000,127.0.0.1:5001 --sizes 1024,1048576 --blocks 5 \
//!     --iterations 100,20 [--tcp] [--algorithm ring]
//! ```
//!
//! Rank 0 prints a line of JSON per size: microseconds per all-reduce of each block of iterations, and those of
//! its processor.

use std::time::{Duration, Instant};

use downpour_collectives::{
    Algorithm, Door, GroupId, Mesh, MeshConfig, ReduceOp, Reduction, SocketMesh, all_reduce,
    all_reduce_bytes, barrier, choose, now,
};
use downpour_tensor::{DataType, Result, Status};

struct Arguments(Vec<String>);

impl Arguments {
    fn flag(&self, name: &str) -> bool {
        self.0.iter().any(|a| a == name)
    }

    fn get(&self, name: &str) -> Option<&str> {
        let at = self.0.iter().position(|a| a == name)?;
        self.0.get(at + 1).map(String::as_str)
    }

    fn need(&self, name: &str) -> Result<&str> {
        self.get(name).ok_or_else(|| Status::invalid_argument(format!("{name} is missing")))
    }

    fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T> {
        let wrong = |_| Status::invalid_argument(format!("{name}: {text:?} is no number"));
        text.parse().map_err(wrong)
    }

    fn numbers(&self, name: &str) -> Result<Vec<usize>> {
        self.need(name)?.split(',').map(|text| Arguments::number(name, text)).collect()
    }
}

fn run() -> Result<()> {
    let arguments = Arguments(std::env::args().skip(1).collect());
    let rank: usize = Arguments::number("--rank", arguments.need("--rank")?)?;
    let addresses: Vec<String> =
        arguments.need("--addresses")?.split(',').map(str::to_string).collect();
    let own = addresses
        .get(rank)
        .ok_or_else(|| Status::invalid_argument(format!("there is no address for rank {rank}")))?;
    let door = Door::open(own)?;
    let mut config = MeshConfig::new(GroupId::from_name("all_reduce"), rank, addresses);
    config.near = !arguments.flag("--tcp");
    config.deadline = Instant::now() + Duration::from_secs(60);
    let mut mesh = SocketMesh::connect(&door, &config)?;
    check(&mut mesh)?;
    let blocks = Arguments::number("--blocks", arguments.need("--blocks")?)?;
    let sizes = arguments.numbers("--sizes")?;
    let iterations = arguments.numbers("--iterations")?;
    for (&bytes, &iterations) in sizes.iter().zip(&iterations) {
        let algorithm = match arguments.get("--algorithm") {
            Some(name) => name.parse()?,
            None => choose(&mesh, bytes),
        };
        let (times, processor) = measure(&mut mesh, bytes, iterations, blocks, algorithm)?;
        if rank == 0 {
            println!(
                "{{\"bytes\": {bytes}, \"algorithm\": {:?}, \"us\": {times:.2?}, \"cpu\": {processor:.2?}}}",
                algorithm.name(),
            );
        }
    }
    now(barrier(&mut mesh))
}

/// A wrong result is not worth timing.
fn check(mesh: &mut SocketMesh) -> Result<()> {
    let mut values: Vec<f32> = (0..100_003).map(|i| (i % 1000 + mesh.rank()) as f32).collect();
    now(all_reduce(mesh, &mut values, ReduceOp::Sum))?;
    let (ranks, more) = (mesh.size(), (0..mesh.size()).sum::<usize>());
    let right = |(i, v): (usize, &f32)| *v == (i % 1000 * ranks + more) as f32;
    match values.iter().enumerate().all(right) {
        true => Ok(()),
        false => Err(Status::internal("the sum is wrong")),
    }
}

fn measure(
    mesh: &mut SocketMesh,
    bytes: usize,
    iterations: usize,
    blocks: usize,
    algorithm: Algorithm,
) -> Result<(Vec<f64>, Vec<f64>)> {
    let mut values = vec![0f32; bytes / 4];
    let reduction = Reduction::new(ReduceOp::Sum, DataType::Float)?;
    let (mut times, mut processor) = (Vec::new(), Vec::new());
    // One block more, to warm up.
    for _ in 0..=blocks {
        now(barrier(mesh))?;
        let (begun, worked) = (Instant::now(), processor_seconds());
        for _ in 0..iterations {
            let bytes = bytemuck::cast_slice_mut(&mut values);
            now(all_reduce_bytes(mesh, bytes, reduction, algorithm))?;
        }
        let each = 1e6 / iterations as f64;
        times.push(begun.elapsed().as_secs_f64() * each);
        processor.push((processor_seconds() - worked) * each);
    }
    times.remove(0);
    processor.remove(0);
    Ok((times, processor))
}

/// What this process has used of processors.
fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn main() -> std::process::ExitCode {
    match run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(status) => {
            eprintln!("{status}");
            std::process::ExitCode::FAILURE
        }
    }
}
