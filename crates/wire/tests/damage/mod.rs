//! Random damage to a valid message: bytes changed, the end cut off, a part moved or repeated.

use proptest::prelude::*;
use proptest::sample::Index;

#[derive(Clone, Debug)]
pub enum Damage {
    Set(Index, u8),
    Cut(Index),
    /// Copies the bytes from the first to the second place, to the third.
    Splice(Index, Index, Index),
}

pub fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let place = any::<Index>;
    let one = prop_oneof![
        6 => (place(), any::<u8>()).prop_map(|(at, value)| Damage::Set(at, value)),
        1 => place().prop_map(Damage::Cut),
        2 => (place(), place(), place()).prop_map(|(from, to, at)| Damage::Splice(from, to, at)),
    ];
    prop::collection::vec(one, 1..6)
}

pub fn apply(bytes: &[u8], damages: &[Damage]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for damage in damages {
        let place = |index: &Index| index.index(bytes.len() + 1);
        match damage {
            Damage::Set(at, value) => {
                let at = place(at);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = *value;
                }
            }
            Damage::Cut(at) => bytes.truncate(place(at)),
            Damage::Splice(from, to, at) => {
                let (a, b, at) = (place(from), place(to), place(at));
                let part = bytes[a.min(b)..a.max(b)].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    bytes
}
