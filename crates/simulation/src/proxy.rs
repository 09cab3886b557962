//! A port in front of another, through which connections go wrong at the bytes a seed says.
//!
//! It is for programs that use the system's sockets directly. The bytes take their own time, so a seed repeats what is
//! cut after how many bytes, and not what the program was doing at that moment.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;

use parking_lot::Mutex;

use crate::Random;

struct State {
    target: SocketAddr,
    random: Mutex<Random>,
    /// How many of a thousand connections are cut, and after how many bytes at most.
    cut_of_thousand: u64,
    most: u64,
    healed: AtomicBool,
    ended: AtomicBool,
    cuts: AtomicUsize,
}

/// A port in front of another; closed when dropped.
pub struct FaultyProxy {
    state: Arc<State>,
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl FaultyProxy {
    /// Listens on a free port of this machine for connections to `target`, of which so many in a thousand are cut after
    /// at most `most` bytes, in both directions together.
    pub fn start(
        target: SocketAddr,
        random: Random,
        cut_of_thousand: u64,
        most: u64,
    ) -> io::Result<FaultyProxy> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            target,
            random: Mutex::new(random),
            cut_of_thousand,
            most,
            healed: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            cuts: AtomicUsize::new(0),
        });
        let own = state.clone();
        let thread = Some(std::thread::spawn(move || own.serve(&listener)));
        Ok(FaultyProxy { state, address, thread })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Cuts no more connections.
    pub fn heal(&self) {
        self.state.healed.store(true, Ordering::Relaxed);
    }

    /// How many connections were cut.
    pub fn cuts(&self) -> usize {
        self.state.cuts.load(Ordering::Relaxed)
    }
}

impl Drop for FaultyProxy {
    fn drop(&mut self) {
        self.state.ended.store(true, Ordering::Relaxed);
        // Wakes the thread that listens.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl State {
    fn serve(self: Arc<Self>, listener: &TcpListener) {
        for near in listener.incoming() {
            if self.ended.load(Ordering::Relaxed) {
                return;
            }
            let (Ok(near), Ok(far)) = (near, TcpStream::connect(self.target)) else { continue };
            let _ = (near.set_nodelay(true), far.set_nodelay(true));
            let cut_after = {
                let mut random = self.random.lock();
                let cut = random.chance(self.cut_of_thousand);
                let after = random.below(self.most);
                (cut && !self.healed.load(Ordering::Relaxed)).then_some(after)
            };
            let moved = Arc::new(AtomicU64::new(0));
            for (from, to) in [(&near, &far), (&far, &near)] {
                let (Ok(from), Ok(to)) = (from.try_clone(), to.try_clone()) else { continue };
                let (state, moved) = (self.clone(), moved.clone());
                std::thread::spawn(move || state.carry(from, to, &moved, cut_after));
            }
        }
    }

    fn carry(
        &self,
        mut from: TcpStream,
        mut to: TcpStream,
        moved: &AtomicU64,
        cut_after: Option<u64>,
    ) {
        let mut buffer = vec![0; 16 << 10];
        loop {
            let read = from.read(&mut buffer).unwrap_or(0);
            if read == 0 {
                break;
            }
            let before = moved.fetch_add(read as u64, Ordering::Relaxed);
            let room = cut_after.map_or(read as u64, |cut| cut.saturating_sub(before));
            let passing = read.min(usize::try_from(room).unwrap_or(read));
            if to.write_all(&buffer[..passing]).is_err() {
                break;
            }
            if passing < read {
                self.cuts.fetch_add(1, Ordering::Relaxed);
                break;
            }
        }
        // One direction never outlives the other: a rank that leaves closes both.
        let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
    }
}
