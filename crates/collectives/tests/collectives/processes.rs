//! Ranks as real processes: this test's own program, started again.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use downpour_collectives::{
    Door, GroupId, Mesh, MeshConfig, ReduceOp, SocketMesh, all_reduce, now,
};
use downpour_tensor::Result;

const RANK: &str = "COLLECTIVES_TEST_RANK";
const ADDRESSES: &str = "COLLECTIVES_TEST_ADDRESSES";

/// What a started process does: reduces until something happens to a peer, and says what.
#[test]
fn started_again_as_a_rank() {
    let (Ok(rank), Ok(addresses)) = (std::env::var(RANK), std::env::var(ADDRESSES)) else {
        // Run as a test of its own it has nothing to do.
        return;
    };
    println!("\nended: {}", reduce_forever(rank.parse().unwrap(), &addresses).unwrap_err());
}

fn reduce_forever(rank: usize, addresses: &str) -> Result<()> {
    let addresses: Vec<String> = addresses.split(',').map(str::to_string).collect();
    let door = Door::open(&addresses[rank])?;
    let config = MeshConfig::new(GroupId::from_name("processes"), rank, addresses);
    let mut mesh = SocketMesh::connect(&door, &config)?;
    for round in 0.. {
        let mut values = vec![mesh.rank() as f32; 300_000];
        now(all_reduce(&mut mesh, &mut values, ReduceOp::Sum))?;
        assert!(values.iter().all(|&v| v == 3.0));
        if round == 0 {
            println!("\nready");
        }
    }
    Ok(())
}

fn start(rank: usize, addresses: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["processes::started_again_as_a_rank", "--exact", "--nocapture"])
        .env(RANK, rank.to_string())
        .env(ADDRESSES, addresses)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Reads until a line begins like this.
fn until(lines: &mut impl Iterator<Item = std::io::Result<String>>, beginning: &str) -> String {
    lines
        .map(|line| line.unwrap())
        .find(|line| line.starts_with(beginning))
        .unwrap_or_else(|| panic!("nobody said {beginning}"))
}

#[test]
fn a_killed_process_ends_the_operation_of_the_others() {
    // Below the ports that systems give to whoever asks for any: nobody gets one of these before the ranks listen.
    let first = 4000 + std::process::id() as u16 % 1000;
    let free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let addresses: Vec<String> =
        (first..6000).filter(free).take(3).map(|port| format!("127.0.0.1:{port}")).collect();
    let killed = addresses[1].clone();
    let addresses = addresses.join(",");
    let mut ranks: Vec<Child> = (0..3).map(|rank| start(rank, &addresses)).collect();
    let mut said: Vec<_> = ranks
        .iter_mut()
        .map(|child| BufReader::new(child.stdout.take().unwrap()).lines())
        .collect();
    said.iter_mut().for_each(|lines| drop(until(lines, "ready")));
    ranks[1].kill().unwrap();
    let ends = [0, 2].map(|rank| until(&mut said[rank], "ended: "));
    assert!(ends.iter().all(|end| end.contains("is gone")), "{ends:?}");
    // Who found out by the other one may not see more than that.
    assert!(ends.iter().any(|end| end.contains(&format!("rank 1 ({killed})"))), "{ends:?}");
    for child in &mut ranks {
        child.wait().unwrap();
    }
}
