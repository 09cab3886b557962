//! Where an iterator stands, as a few numbers that fit into a checkpoint.
//!
//! Every stage of a pipeline describes itself by counters and by the states of its inputs, taken at
//! the moment from which it can go on. Data is never saved: a stage that holds elements back (a
//! shuffle buffer, a prefetch queue) names the moment before it read them and reads them again.

use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};

/// The state of one stage: its counters, and the states of the stages it reads from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Counters whose meaning only the stage knows.
    pub numbers: Vec<u64>,
    /// States of its inputs.
    pub inputs: Vec<State>,
}

impl State {
    /// The state of a stage without inputs.
    pub fn of(numbers: impl Into<Vec<u64>>) -> State {
        State { numbers: numbers.into(), inputs: Vec::new() }
    }

    /// The same with inputs.
    pub fn with(mut self, inputs: impl Into<Vec<State>>) -> State {
        self.inputs = inputs.into();
        self
    }

    /// Exactly `N` counters, or an error: positions come from files.
    pub fn expect<const N: usize>(&self) -> Result<[u64; N]> {
        self.numbers.as_slice().try_into().map_err(|_| malformed())
    }

    /// The state of an input.
    pub fn input(&self, index: usize) -> Result<&State> {
        self.inputs.get(index).ok_or_else(malformed)
    }
}

pub(crate) fn malformed() -> Status {
    Status::data_loss(
        "a saved dataset position does not fit the pipeline's stages; it is damaged or was saved by another version",
    )
}

/// Where an iterator stands: everything before it was delivered, nothing after it was.
///
/// Compact (tens of bytes for ordinary pipelines), serialisable with `serde` or as bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The stages of the pipeline it belongs to, as text.
    pub(crate) pipeline: String,
    pub(crate) epoch: u64,
    pub(crate) state: State,
}

const MAGIC: &[u8; 4] = b"DPP1";
/// A pipeline is as deep as it has stages; a forged one must not exhaust the stack.
const DEEPEST: usize = 4000;

impl Position {
    /// The position as bytes for a checkpoint, with a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        put(&mut out, self.epoch);
        put(&mut out, self.pipeline.len() as u64);
        out.extend_from_slice(self.pipeline.as_bytes());
        put_state(&mut out, &self.state);
        let sum = crc32c::crc32c(&out);
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }

    /// What `to_bytes` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Position> {
        let damaged = || Status::data_loss("the bytes of a saved dataset position are damaged");
        let (body, sum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        if crc32c::crc32c(body) != u32::from_le_bytes(*sum) {
            return Err(damaged());
        }
        let mut rest = body.strip_prefix(MAGIC).ok_or_else(damaged)?;
        let epoch = get(&mut rest).ok_or_else(damaged)?;
        let length = get(&mut rest).ok_or_else(damaged)?;
        let length = usize::try_from(length).ok().filter(|&l| l <= rest.len());
        let (text, mut rest) = rest.split_at(length.ok_or_else(damaged)?);
        let pipeline = String::from_utf8(text.to_vec()).map_err(|_| damaged())?;
        let state = get_state(&mut rest, 0).filter(|_| rest.is_empty()).ok_or_else(damaged)?;
        Ok(Position { pipeline, epoch, state })
    }
}

fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn get(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, later) = rest.split_first()?;
        *rest = later;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn put_state(out: &mut Vec<u8>, state: &State) {
    put(out, state.numbers.len() as u64);
    state.numbers.iter().for_each(|&n| put(out, n));
    put(out, state.inputs.len() as u64);
    state.inputs.iter().for_each(|s| put_state(out, s));
}

fn get_state(rest: &mut &[u8], depth: usize) -> Option<State> {
    if depth > DEEPEST {
        return None;
    }
    // Each entry takes at least a byte, so a forged count cannot ask for much memory.
    let count = get(rest).filter(|&n| n <= rest.len() as u64)?;
    let numbers = (0..count).map(|_| get(rest)).collect::<Option<_>>()?;
    let count = get(rest).filter(|&n| n <= rest.len() as u64)?;
    let inputs = (0..count).map(|_| get_state(rest, depth + 1)).collect::<Option<_>>()?;
    Some(State { numbers, inputs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn state() -> impl Strategy<Value = State> {
        let numbers = prop::collection::vec(any::<u64>(), 0..4);
        let leaf = numbers.clone().prop_map(State::of);
        leaf.prop_recursive(4, 16, 3, move |inner| {
            (numbers.clone(), prop::collection::vec(inner, 0..3))
                .prop_map(|(n, i)| State::of(n).with(i))
        })
    }

    proptest! {
        #[test]
        fn bytes_and_json_round_trip(state in state(), epoch in any::<u64>(), pipeline in ".{0,40}") {
            let position = Position { pipeline, epoch, state };
            prop_assert_eq!(&Position::from_bytes(&position.to_bytes()).unwrap(), &position);
            let json = serde_json::to_string(&position).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Position>(&json).unwrap(), &position);
        }

        #[test]
        fn any_bytes_are_a_position_or_an_error(mut bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Position::from_bytes(&bytes);
            bytes.splice(0..0, MAGIC.iter().copied());
            let sum = crc32c::crc32c(&bytes);
            bytes.extend_from_slice(&sum.to_le_bytes());
            let _ = Position::from_bytes(&bytes);
        }
    }

    #[test]
    fn a_flipped_bit_is_noticed() {
        let position =
            Position { pipeline: "range".into(), epoch: 0, state: State::of([7, 1 << 40]) };
        let bytes = position.to_bytes();
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Position::from_bytes(&damaged).is_err());
        }
    }
}
