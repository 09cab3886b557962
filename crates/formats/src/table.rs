//! LevelDB-style sorted tables: the index file of a checkpoint.
//!
//! Blocks of prefix-compressed entries, each followed by a type byte and a masked checksum; an index
//! block that names the data blocks; a 48-byte footer that ends in a magic number. Written without
//! compression, as TensorFlow does.

use downpour_tensor::{Charge, Result, Status};

use crate::checksum::{mask, unmask};

const MAGIC: u64 = 0xdb47_7524_8b80_fb57;
const FOOTER: usize = 48;
const TRAILER: usize = 5;
const BLOCK_SIZE: usize = 256 << 10;
const RESTART_INTERVAL: usize = 16;

/// Builds a table from keys in ascending order.
#[derive(Default)]
pub struct TableBuilder {
    out: Vec<u8>,
    block: Block,
    index: Block,
}

#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    restarts: Vec<u32>,
    last: Vec<u8>,
    since_restart: usize,
}

impl Block {
    fn add(&mut self, key: &[u8], value: &[u8]) {
        let mut shared = 0;
        if self.restarts.is_empty() || self.since_restart == RESTART_INTERVAL {
            self.restarts.push(self.bytes.len() as u32);
            self.since_restart = 0;
        } else {
            shared = self.last.iter().zip(key).take_while(|(a, b)| a == b).count();
        }
        write_varint(&mut self.bytes, shared as u64);
        write_varint(&mut self.bytes, (key.len() - shared) as u64);
        write_varint(&mut self.bytes, value.len() as u64);
        self.bytes.extend(&key[shared..]);
        self.bytes.extend(value);
        self.last = key.to_vec();
        self.since_restart += 1;
    }

    fn finish(mut self) -> Vec<u8> {
        if self.restarts.is_empty() {
            self.restarts.push(0);
        }
        for restart in &self.restarts {
            self.bytes.extend(restart.to_le_bytes());
        }
        self.bytes.extend((self.restarts.len() as u32).to_le_bytes());
        self.bytes
    }
}

impl TableBuilder {
    /// An empty table.
    pub fn new() -> TableBuilder {
        TableBuilder::default()
    }

    /// Adds an entry; keys must ascend.
    pub fn add(&mut self, key: &[u8], value: &[u8]) {
        self.block.add(key, value);
        if self.block.bytes.len() >= BLOCK_SIZE {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.block.restarts.is_empty() {
            return;
        }
        let block = std::mem::take(&mut self.block);
        let last = block.last.clone();
        let handle = self.write_block(block.finish());
        self.index.add(&last, &handle);
    }

    /// Appends a block with its trailer and returns its encoded handle.
    fn write_block(&mut self, contents: Vec<u8>) -> Vec<u8> {
        let mut handle = Vec::new();
        write_varint(&mut handle, self.out.len() as u64);
        write_varint(&mut handle, contents.len() as u64);
        let crc = crc32c::crc32c_append(crc32c::crc32c(&contents), &[0]);
        self.out.extend(contents);
        self.out.push(0);
        self.out.extend(mask(crc).to_le_bytes());
        handle
    }

    /// The whole table.
    pub fn finish(mut self) -> Vec<u8> {
        self.flush();
        let mut footer = self.write_block(Block::default().finish());
        let index = std::mem::take(&mut self.index);
        footer.extend(self.write_block(index.finish()));
        footer.resize(FOOTER - 8, 0);
        footer.extend(MAGIC.to_le_bytes());
        self.out.extend(footer);
        self.out
    }
}

/// How much larger than its file a table may be: keys share prefixes, and in a forged file entries of a
/// few bytes share a long one, or many handles name one block.
const MAX_GROWTH: usize = 100;

/// Keys and values.
pub(crate) type Entries = Vec<(Vec<u8>, Vec<u8>)>;

/// What a table may still take, and what it has taken of the memory limit.
struct Room {
    left: usize,
    charge: Charge,
}

impl Room {
    fn take(&mut self, bytes: usize) -> Result<()> {
        self.left = self.left.checked_sub(bytes).ok_or_else(|| {
            Status::data_loss(
                "not a valid table file: its entries are more than a hundred times as long as it",
            )
        })?;
        self.charge.grow(bytes)
    }
}

/// All entries of a table, in order. Every checksum is verified.
pub fn read_table(bytes: &[u8]) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
    Ok(read_counted_table(bytes)?.0)
}

/// The same, with what the entries take, which counts against the memory limit from the first on.
pub(crate) fn read_counted_table(bytes: &[u8]) -> Result<(Entries, Charge)> {
    let bad = |what: &str| Status::data_loss(format!("not a valid table file: {what}"));
    let footer_start = bytes.len().checked_sub(FOOTER).ok_or_else(|| bad("too short"))?;
    let footer = &bytes[footer_start..];
    if footer[FOOTER - 8..] != MAGIC.to_le_bytes() {
        return Err(bad("bad magic number"));
    }
    let mut rest = &footer[..FOOTER - 8];
    read_handle(&mut rest).ok_or_else(|| bad("bad footer"))?;
    let index = read_handle(&mut rest).ok_or_else(|| bad("bad footer"))?;
    let mut room = Room { left: bytes.len().saturating_mul(MAX_GROWTH), charge: Charge::default() };
    let mut entries = Vec::new();
    for (_, handle) in read_block(bytes, index, &mut room)? {
        let handle = read_handle(&mut &handle[..]).ok_or_else(|| bad("bad block handle"))?;
        entries.extend(read_block(bytes, handle, &mut room)?);
    }
    Ok((entries, room.charge))
}

fn read_handle(rest: &mut &[u8]) -> Option<(usize, usize)> {
    let offset = usize::try_from(read_varint(rest)?).ok()?;
    let size = usize::try_from(read_varint(rest)?).ok()?;
    Some((offset, size))
}

/// The entries of one block; what they and the block take is taken from `room`.
fn read_block(bytes: &[u8], (offset, size): (usize, usize), room: &mut Room) -> Result<Entries> {
    let bad = |what: &str| Status::data_loss(format!("not a valid table file: {what} in a block"));
    let end = offset.checked_add(size).and_then(|e| e.checked_add(TRAILER));
    let block = end.and_then(|e| bytes.get(offset..e)).ok_or_else(|| bad("a range outside"))?;
    room.take(block.len())?;
    let (contents, trailer) = block.split_at(size);
    let stored = u32::from_le_bytes([trailer[1], trailer[2], trailer[3], trailer[4]]);
    let crc = crc32c::crc32c_append(crc32c::crc32c(contents), &trailer[..1]);
    if unmask(stored) != crc {
        return Err(bad("a wrong checksum"));
    }
    if trailer[0] != 0 {
        return Err(Status::unimplemented(format!(
            "a checkpoint index with compression type {} is not supported; TensorFlow writes none",
            trailer[0]
        )));
    }
    let mut rest = entry_bytes(contents).ok_or_else(|| bad("a broken entry"))?;
    let mut entries: Entries = Vec::new();
    while !rest.is_empty() {
        let last = entries.last().map_or(&[][..], |(last, _)| last);
        let entry = Entry::read(&mut rest, last).ok_or_else(|| bad("a broken entry"))?;
        room.take(entry.length())?;
        let entry = entry.copied();
        entries.push(entry);
    }
    Ok(entries)
}

/// An entry whose key begins with a part of the one before.
struct Entry<'a> {
    shared: &'a [u8],
    own: &'a [u8],
    value: &'a [u8],
}

impl<'a> Entry<'a> {
    fn read<'b: 'a>(rest: &mut &'b [u8], last: &'a [u8]) -> Option<Entry<'a>> {
        let shared = read_varint(rest)? as usize;
        let own = read_varint(rest)? as usize;
        let length = read_varint(rest)? as usize;
        let shared = last.get(..shared)?;
        let (own, after) = rest.split_at_checked(own)?;
        let (value, after) = after.split_at_checked(length)?;
        *rest = after;
        Some(Entry { shared, own, value })
    }

    /// What a copy takes, with its places in a list that grows by doubling.
    fn length(&self) -> usize {
        let places = 2 * size_of::<(Vec<u8>, Vec<u8>)>();
        self.shared.len() + self.own.len() + self.value.len() + places
    }

    fn copied(&self) -> (Vec<u8>, Vec<u8>) {
        ([self.shared, self.own].concat(), self.value.to_vec())
    }
}

/// The bytes of a block before its restart points.
fn entry_bytes(contents: &[u8]) -> Option<&[u8]> {
    let restarts_end = contents.len().checked_sub(4)?;
    let restarts = u32::from_le_bytes(contents[restarts_end..].try_into().ok()?) as usize;
    let data_end = restarts_end.checked_sub(restarts.checked_mul(4)?)?;
    Some(&contents[..data_end])
}

pub(crate) fn write_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(crate) fn read_varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, tail) = rest.split_first()?;
        *rest = tail;
        value |= ((byte & 0x7f) as u64).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn what_was_written_is_read(
            entries in prop::collection::btree_map(
                prop::collection::vec(any::<u8>(), 0..12),
                prop::collection::vec(any::<u8>(), 0..40),
                0..60,
            )
        ) {
            let mut builder = TableBuilder::new();
            entries.iter().for_each(|(k, v)| builder.add(k, v));
            let read: BTreeMap<_, _> = read_table(&builder.finish()).unwrap().into_iter().collect();
            prop_assert_eq!(read, entries);
        }

        #[test]
        fn damage_is_an_error_or_harmless_never_a_panic(
            at in any::<prop::sample::Index>(), flip in 1u8..,
        ) {
            let mut builder = TableBuilder::new();
            builder.add(b"key", b"value");
            builder.add(b"keys", b"other");
            let mut bytes = builder.finish();
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            if let Ok(entries) = read_table(&bytes) {
                prop_assert!(entries.iter().all(|(k, _)| k.starts_with(b"key")));
            }
        }

        /// Behind a right checksum: nothing but the parser stands between the bytes and us.
        #[test]
        fn forged_blocks_are_read_or_refused(
            flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
            cut in any::<prop::sample::Index>(),
            again in any::<prop::sample::Index>(),
        ) {
            let mut block = Block::default();
            for i in 0..40 {
                block.add(format!("layer/{i:02}/weights").as_bytes(), &[i; 9]);
            }
            let mut contents = block.finish();
            for (at, value) in flips {
                let at = at.index(contents.len());
                contents[at] = value;
            }
            // Half of the cases stay whole, the others lose their end or hold a part twice.
            let cut = cut.index(2 * contents.len());
            let again = again.index(2 * contents.len());
            if cut < contents.len() {
                let tail = contents.split_off(cut);
                if again < cut {
                    contents.extend_from_within(again..);
                    contents.extend(tail);
                }
            }
            if let Ok(entries) = read_table(&table_of(contents, 1)) {
                prop_assert!(entries.iter().all(|(k, v)| k.len() + v.len() < 10_000));
            }
        }
    }

    /// A table whose index names the block `contents` so many times.
    fn table_of(contents: Vec<u8>, times: usize) -> Vec<u8> {
        let mut builder = TableBuilder::new();
        let handle = builder.write_block(contents);
        for _ in 0..times {
            builder.index.add(b"", &handle);
        }
        builder.finish()
    }

    #[test]
    fn a_small_file_cannot_claim_a_huge_table() {
        let mut one_prefix = Vec::new();
        let name = vec![b'a'; 50_000];
        write_varint(&mut one_prefix, 0);
        write_varint(&mut one_prefix, name.len() as u64);
        write_varint(&mut one_prefix, 0);
        one_prefix.extend(&name);
        for _ in 0..10_000 {
            write_varint(&mut one_prefix, name.len() as u64);
            one_prefix.extend([0, 0]);
        }
        one_prefix.extend([0; 4]);
        assert!(read_table(&table_of(one_prefix, 1)).is_err(), "500 MB of keys in 100 kB");

        let mut many_entries = vec![0; 3 * 10_000];
        many_entries.extend([0; 4]);
        let (entries, charge) = read_counted_table(&table_of(many_entries.clone(), 1)).unwrap();
        assert_eq!(entries.len(), 10_000);
        assert!(charge.bytes() >= entries.len() * size_of::<(Vec<u8>, Vec<u8>)>());
        assert!(read_table(&table_of(many_entries, 20_000)).is_err(), "one block 20 000 times");
    }
}
