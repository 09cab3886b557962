//! The bytes of a log file: a header, then frames, each with its length and checksum.
//!
//! ```text
//! "downpour-coord-1"  then frames:  marker u32 | length u32 | crc32c u32 | kind u8 | term u64 | payload
//! ```
//!
//! Numbers are little-endian; the checksum covers everything of the frame but the marker and itself. A process that
//! dies while it writes leaves the beginning of a frame at the end of the file, or sectors of zeros where the file has
//! grown and the bytes have not arrived: that is cut off. Everything else is damage, which nobody may cut off unasked: a
//! bad frame with a good one after it (work that was reported complete could be behind it), a last frame that is all
//! there and whose checksum is wrong, and a file without a header.

use downpour_tensor::{Result, Status};

use super::Stored;

pub const FILE_HEADER: &[u8; 16] = b"downpour-coord-1";
const MARKER: [u8; 4] = [0xd0, 0x0c, 0x0f, 0x9e];
const FRAME_HEADER: usize = 21;
/// Longest payload: a snapshot of very many units.
pub const MAX_PAYLOAD: usize = 1 << 30;
/// Disks write so many bytes as a whole.
const SECTOR: usize = 512;
/// So many bytes are looked through for a good frame behind a bad one.
const SEARCH_BYTES: usize = 64 << 20;

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// An owner takes the file.
    Claim = 1,
    /// Everything so far.
    Snapshot = 2,
    /// A record.
    Record = 3,
}

/// What a file holds.
#[derive(Debug, Default)]
pub struct Read {
    pub stored: Stored,
    /// The latest term.
    pub term: u64,
    /// Bytes that are whole.
    pub whole: usize,
}

/// The bytes of a frame.
pub fn write(kind: Kind, term: u64, payload: &[u8]) -> Result<Vec<u8>> {
    if payload.len() > MAX_PAYLOAD {
        return Err(Status::resource_exhausted(format!(
            "a record of {} bytes: the coordinator's log takes at most {MAX_PAYLOAD}",
            payload.len()
        )));
    }
    let length = (payload.len() as u32).to_le_bytes();
    let mut bytes = Vec::with_capacity(FRAME_HEADER + payload.len());
    bytes.extend_from_slice(&MARKER);
    bytes.extend_from_slice(&length);
    bytes.extend_from_slice(&[0; 4]);
    bytes.push(kind as u8);
    bytes.extend_from_slice(&term.to_le_bytes());
    bytes.extend_from_slice(payload);
    let crc = checksum(length, &bytes[12..]);
    bytes[8..12].copy_from_slice(&crc.to_le_bytes());
    Ok(bytes)
}

/// Reads a whole file; `name` is for messages.
pub fn read_all(bytes: &[u8], name: &str) -> Result<Read> {
    let mut read = Read::default();
    if !bytes.starts_with(FILE_HEADER) {
        let what = match FILE_HEADER.starts_with(bytes) {
            true => format!("ends after {} bytes, before its first record", bytes.len()),
            false => "is not a coordinator's log, or of another version, or damaged".to_string(),
        };
        return Err(Status::data_loss(format!(
            "{name} {what}. Put back a copy of the file; or remove it to begin without what it held: all data is gone \
             through again"
        )));
    }
    read.whole = FILE_HEADER.len();
    while let Some((kind, term, payload)) = frame_at(bytes, read.whole) {
        // Terms only grow: an older one is the last word of an owner that was replaced.
        if term >= read.term {
            read.term = term;
            match kind {
                Kind::Claim => {}
                Kind::Snapshot => {
                    read.stored = Stored { snapshot: Some(payload.to_vec()), records: Vec::new() };
                }
                Kind::Record => read.stored.records.push(payload.to_vec()),
            }
        }
        read.whole += FRAME_HEADER + payload.len();
    }
    let rest = &bytes[read.whole..];
    let searched = &rest[..rest.len().min(SEARCH_BYTES)];
    let mut budget = SEARCH_BYTES;
    let mut starts = (1..searched.len()).filter(|at| searched[*at..].starts_with(&MARKER));
    let behind = starts.any(|at| {
        budget = budget.saturating_sub(claimed_length(searched, at));
        // When we cannot afford to know, we do not cut.
        budget == 0 || frame_at(searched, at).is_some()
    });
    let what = match behind {
        true => "and has good records behind it",
        false if is_torn(rest, read.whole) => return Ok(read),
        false => "in its last record, which had been written to its end",
    };
    Err(Status::data_loss(format!(
        "{name} is damaged at byte {} {what}. Put back a copy of the file; or cut it there (truncate -s {} {name}) to go on \
         without: data since then is gone through again",
        read.whole, read.whole
    )))
}

/// Whether bytes that are no good frame can be what is left of one whose writing did not end: some of it is missing.
fn is_torn(rest: &[u8], at: usize) -> bool {
    // What did not arrive where the file has grown already are whole sectors of zeros.
    let mut start = 0;
    while start < rest.len() {
        let next = ((at + start) / SECTOR + 1) * SECTOR - at;
        if rest[start..next.min(rest.len())].iter().all(|byte| *byte == 0) {
            return true;
        }
        start = next;
    }
    // With another length it would be whole: the length was damaged, and nothing is missing.
    if let Some(length) = rest.len().checked_sub(FRAME_HEADER)
        && let Ok(length) = u32::try_from(length)
        && checksum(length.to_le_bytes(), &rest[12..]).to_le_bytes() == rest[8..12]
    {
        return false;
    }
    let announced = rest.get(4..8).and_then(|length| length.try_into().ok());
    let announced = announced.map(|length| u32::from_le_bytes(length) as usize + FRAME_HEADER);
    let ends_early = announced.is_none_or(|end| end > rest.len());
    ends_early && rest.iter().zip(&MARKER).all(|(byte, marker)| byte == marker)
}

fn frame_at(bytes: &[u8], at: usize) -> Option<(Kind, u64, &[u8])> {
    let rest = bytes.get(at..)?;
    let header = rest.get(..FRAME_HEADER)?;
    if header[..4] != MARKER {
        return None;
    }
    let length: [u8; 4] = header[4..8].try_into().ok()?;
    let crc = u32::from_le_bytes(header[8..12].try_into().ok()?);
    let end = FRAME_HEADER.checked_add(u32::from_le_bytes(length) as usize)?;
    let body = rest.get(12..end)?;
    if checksum(length, body) != crc {
        return None;
    }
    let kind = match body[0] {
        1 => Kind::Claim,
        2 => Kind::Snapshot,
        3 => Kind::Record,
        _ => return None,
    };
    let term = u64::from_le_bytes(body[1..9].try_into().ok()?);
    Some((kind, term, &body[9..]))
}

/// What reading a frame there would cost.
fn claimed_length(bytes: &[u8], at: usize) -> usize {
    let length = bytes.get(at + 4..at + 8).and_then(|length| length.try_into().ok());
    let length = length.map_or(0, |length| u32::from_le_bytes(length) as usize);
    if bytes.len() - at >= length { length } else { 0 }
}

fn checksum(length: [u8; 4], body: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(&length), body)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(records: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = FILE_HEADER.to_vec();
        bytes.extend(write(Kind::Claim, 1, &[]).unwrap());
        for record in records {
            bytes.extend(write(Kind::Record, 1, record).unwrap());
        }
        bytes
    }

    proptest! {
        #[test]
        fn a_file_cut_anywhere_holds_the_records_that_were_whole(
            records in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..9), cut in any::<prop::sample::Index>(),
            zeros in 0usize..400) {
            let bytes = file(&records);
            let mut cut = cut.index(bytes.len() + 1);
            if zeros > 0 && cut >= SECTOR {
                // What did not arrive begins with a sector.
                cut -= cut % SECTOR;
            }
            let mut torn = bytes[..cut].to_vec();
            if cut >= SECTOR {
                torn.resize(cut + zeros, 0);
            }
            // Zeros may be just what was missing.
            let cut = bytes.iter().zip(&torn).take_while(|(a, b)| a == b).count();
            if cut < FILE_HEADER.len() {
                prop_assert!(read_all(&torn, "test").is_err());
                return Ok(());
            }
            let read = read_all(&torn, "test").unwrap();
            let mut whole = FILE_HEADER.len();
            let mut expected = Vec::new();
            if cut >= FILE_HEADER.len() + FRAME_HEADER {
                whole += FRAME_HEADER;
                for record in &records {
                    if whole + FRAME_HEADER + record.len() > cut {
                        break;
                    }
                    whole += FRAME_HEADER + record.len();
                    expected.push(record.clone());
                }
            }
            prop_assert_eq!(read.whole, whole);
            prop_assert_eq!(read.stored.records, expected);
        }

        #[test]
        fn a_bit_that_flips_is_found(records in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..30), 1..6),
                                     at in any::<prop::sample::Index>(), bit in 0u8..8) {
            let mut bytes = file(&records);
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            let refused = read_all(&bytes, "test").unwrap_err();
            prop_assert_eq!(refused.code(), downpour_tensor::Code::DataLoss);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read_all(&bytes, "test");
            let _ = read_all(&[&FILE_HEADER[..], &bytes].concat(), "test");
        }
    }
}
