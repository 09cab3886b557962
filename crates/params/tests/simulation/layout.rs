//! Which shard is on which server.

use bytes::Bytes;
use downpour_params::{Assembly, Definition, Mode, Move, Piece, Placed};

/// How many there are.
pub const SHARDS: usize = 4;

/// Of each shard its server.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub epoch: u64,
    places: Vec<usize>,
    servers: usize,
}

pub fn shard_number(name: &str) -> Option<usize> {
    name.strip_prefix("shard/")?.parse().ok()
}

impl Layout {
    /// As servers keep it; the first has no bytes.
    pub fn read(placed: &Placed, servers: usize) -> Layout {
        let places = match placed.layout.is_empty() {
            true => (0..SHARDS).map(|shard| shard % servers).collect(),
            false => placed.layout.iter().map(|place| usize::from(*place)).collect(),
        };
        Layout { epoch: placed.epoch, places, servers }
    }

    pub fn names_on(&self, server: usize) -> impl Iterator<Item = String> + '_ {
        let there = self.places.iter().enumerate().filter(move |(_, place)| **place == server);
        there.map(|(shard, _)| format!("shard/{shard}"))
    }

    /// What each server trains: as real programs, it names what is there.
    fn program(&self, server: usize) -> Bytes {
        Bytes::from(self.names_on(server).collect::<Vec<_>>().join(" "))
    }

    pub fn definitions(&self, mode: Mode) -> Vec<Definition> {
        let definition = |server| Definition { program: self.program(server), mode };
        (0..self.servers).map(definition).collect()
    }

    /// To other places.
    pub fn to(&self, places: &[usize]) -> Move {
        let next = Layout { epoch: self.epoch + 1, places: places.to_vec(), servers: self.servers };
        let mut values = vec![Vec::new(); self.servers];
        let mut leaving = vec![Vec::new(); self.servers];
        for (shard, (&from, &to)) in self.places.iter().zip(places).enumerate() {
            if from != to {
                let name = format!("shard/{shard}");
                leaving[from].push(name.clone());
                values[to]
                    .push(Assembly { name, pieces: vec![Piece { server: from, rows: None }] });
            }
        }
        Move {
            layout: places.iter().map(|place| *place as u8).collect(),
            programs: (0..self.servers).map(|server| next.program(server)).collect(),
            values,
            leaving,
        }
    }
}
