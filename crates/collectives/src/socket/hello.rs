//! The first words on a connection: who calls whom, for which group, and what the called one thinks of it.
//!
//! | bytes | hello | answer |
//! | --- | --- | --- |
//! | 0..6 | `dpmesh` | `dpmesh` |
//! | 6..8 | version | version |
//! | 8..24 | group | incarnation, verdict (8..16, 16..20) |
//! | 24..32 | incarnation | |
//! | 32..44 | ranks in all, from, to | |

use downpour_tensor::fingerprint::fingerprint64;

const MAGIC: [u8; 6] = *b"dpmesh";
const VERSION: u16 = 1;

/// Bytes of a hello.
pub(super) const HELLO: usize = 44;
/// Bytes of an answer.
pub(super) const ANSWER: usize = 20;

/// Which group a connection is for. Whoever knows it can join: make it hard to guess where that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupId([u8; 16]);

impl GroupId {
    /// A group by its number.
    pub fn from_number(number: u128) -> GroupId {
        GroupId(number.to_le_bytes())
    }

    /// A group by its name.
    pub fn from_name(name: &str) -> GroupId {
        let low = fingerprint64(name.as_bytes());
        let high = fingerprint64(format!("{name}/{low}").as_bytes());
        GroupId::from_number(u128::from(high) << 64 | u128::from(low))
    }

    /// Another group that belongs to this one.
    pub(crate) fn beside(self, number: u8) -> GroupId {
        GroupId(self.0.map(|byte| byte.wrapping_mul(167).wrapping_add(number)))
    }
}

/// What the higher rank says first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hello {
    pub group: GroupId,
    pub incarnation: u64,
    pub size: u32,
    pub from: u32,
    pub to: u32,
}

/// What the lower rank thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Welcome,
    /// The group is not known here, or not yet.
    Later,
    /// The group goes on with a newer incarnation.
    Over,
    /// Ranks or sizes do not fit.
    Unfit,
    /// Another version of this protocol.
    Version,
}

fn word<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut word = [0; N];
    word.copy_from_slice(&bytes[at..at + N]);
    word
}

fn begins_well(bytes: &[u8]) -> bool {
    bytes[..6] == MAGIC
}

fn version(bytes: &[u8]) -> u16 {
    u16::from_le_bytes(word(bytes, 6))
}

impl Hello {
    pub fn to_bytes(self) -> [u8; HELLO] {
        let mut bytes = [0; HELLO];
        bytes[..6].copy_from_slice(&MAGIC);
        bytes[6..8].copy_from_slice(&VERSION.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.group.0);
        bytes[24..32].copy_from_slice(&self.incarnation.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.size.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.from.to_le_bytes());
        bytes[40..].copy_from_slice(&self.to.to_le_bytes());
        bytes
    }

    /// `None` for what is no hello at all, and a verdict for one that cannot be read further.
    pub fn parse(bytes: &[u8; HELLO]) -> Option<Result<Hello, Verdict>> {
        if !begins_well(bytes) {
            return None;
        }
        if version(bytes) != VERSION {
            return Some(Err(Verdict::Version));
        }
        Some(Ok(Hello {
            group: GroupId(word(bytes, 8)),
            incarnation: u64::from_le_bytes(word(bytes, 24)),
            size: u32::from_le_bytes(word(bytes, 32)),
            from: u32::from_le_bytes(word(bytes, 36)),
            to: u32::from_le_bytes(word(bytes, 40)),
        }))
    }
}

impl Verdict {
    const ALL: [Verdict; 5] =
        [Verdict::Welcome, Verdict::Later, Verdict::Over, Verdict::Unfit, Verdict::Version];

    /// As an answer, with the incarnation of who answers.
    pub fn to_bytes(self, incarnation: u64) -> [u8; ANSWER] {
        let mut bytes = [0; ANSWER];
        bytes[..6].copy_from_slice(&MAGIC);
        bytes[6..8].copy_from_slice(&VERSION.to_le_bytes());
        bytes[8..16].copy_from_slice(&incarnation.to_le_bytes());
        bytes[16..].copy_from_slice(&(self as u32).to_le_bytes());
        bytes
    }

    /// The verdict and the incarnation in an answer, if it is one.
    pub fn parse(bytes: &[u8; ANSWER]) -> Option<(Verdict, u64)> {
        let verdict = u32::from_le_bytes(word(bytes, 16));
        let verdict = *Verdict::ALL.get(usize::try_from(verdict).ok()?)?;
        begins_well(bytes).then(|| (verdict, u64::from_le_bytes(word(bytes, 8))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn hellos_come_back(group: u128, incarnation: u64, size: u32, from: u32, to: u32) {
            let group = GroupId::from_number(group);
            let hello = Hello { group, incarnation, size, from, to };
            prop_assert_eq!(Hello::parse(&hello.to_bytes()), Some(Ok(hello)));
        }

        #[test]
        fn nonsense_is_no_hello(bytes: [u8; 32]) {
            let mut whole = [0; HELLO];
            whole[..32].copy_from_slice(&bytes);
            prop_assert!(bytes.starts_with(&MAGIC) || Hello::parse(&whole).is_none());
            let mut answer = [0; ANSWER];
            answer.copy_from_slice(&bytes[..ANSWER]);
            prop_assert!(bytes.starts_with(&MAGIC) || Verdict::parse(&answer).is_none());
        }
    }

    #[test]
    fn verdicts_come_back() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::parse(&verdict.to_bytes(9)), Some((verdict, 9)));
        }
        let mut newer =
            Hello { group: GroupId::from_name("a"), incarnation: 1, size: 2, from: 1, to: 0 }
                .to_bytes();
        newer[6] = 200;
        assert_eq!(Hello::parse(&newer), Some(Err(Verdict::Version)));
        assert_ne!(GroupId::from_name("a"), GroupId::from_name("b"));
        assert_ne!(GroupId::from_name("a").beside(1), GroupId::from_name("a"));
    }
}
