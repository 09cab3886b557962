use std::io::{self, Read};

use downpour_tensor::Code;
use proptest::prelude::*;

use super::*;

fn file_of(records: &[&[u8]], compression: Compression) -> Vec<u8> {
    let mut writer = RecordWriter::new(Vec::new(), compression);
    for record in records {
        writer.write(record).unwrap();
    }
    writer.finish().unwrap()
}

fn read_all<R: Read>(reader: &mut RecordReader<R>) -> downpour_tensor::Result<Vec<Vec<u8>>> {
    let mut records = Vec::new();
    while let Some(record) = reader.next_record()? {
        records.push(record.to_vec());
    }
    Ok(records)
}

/// Gives a few bytes at a time, and is interrupted in between.
struct Slow<'a>(&'a [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.1 += 1;
        if self.1.is_multiple_of(3) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = into.len().min(5).min(self.0.len());
        into[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[test]
fn bytes_are_tensorflows() {
    // What tf.io.TFRecordWriter writes for b"abc".
    let expected =
        [3, 0, 0, 0, 0, 0, 0, 0, 0xb0, 0x99, 0x49, 0x0e, b'a', b'b', b'c', 0x6e, 0x57, 0xf1, 0x21];
    assert_eq!(file_of(&[b"abc"], Compression::None), expected);
}

#[test]
fn a_cut_file_is_not_a_damaged_one() {
    let file = file_of(&[b"first", b"second"], Compression::None);
    let second = 12 + 5 + 4;
    for cut in second + 1..file.len() {
        let mut reader = RecordReader::new(&file[..cut], "cut", ReadOptions::default());
        assert_eq!(reader.next_record().unwrap(), Some(&b"first"[..]));
        let error = reader.next_record().unwrap_err();
        assert_eq!(error.code(), Code::DataLoss);
        assert!(error.message().contains("cut: the file ends"), "{error}");
        assert!(error.message().contains(&format!("byte {second}")), "{error}");
        assert_eq!(reader.truncated_at(), Some(second as u64));

        let live = ReadOptions { truncated_tail: TruncatedTail::End, ..Default::default() };
        let mut reader = RecordReader::new(&file[..cut], "live", live);
        assert_eq!(read_all(&mut reader).unwrap().len(), 1);
        assert_eq!(reader.truncated_at(), Some(second as u64));
    }
    let mut reader = RecordReader::new(&file[..second], "whole", ReadOptions::default());
    assert_eq!(read_all(&mut reader).unwrap().len(), 1);
    assert_eq!(reader.truncated_at(), None);
}

#[test]
fn a_file_that_grows_is_read_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("growing");
    let file = file_of(&[b"first", b"second"], Compression::None);
    std::fs::write(&path, &file[..25]).unwrap();
    let live = ReadOptions { truncated_tail: TruncatedTail::End, ..Default::default() };
    let mut reader = RecordReader::open(&path, live).unwrap();
    assert_eq!(read_all(&mut reader).unwrap(), [b"first"]);
    let mut handle = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    io::Write::write_all(&mut handle, &file[25..]).unwrap();
    assert_eq!(read_all(&mut reader).unwrap(), [b"second"]);
    assert_eq!(reader.truncated_at(), None);
}

#[test]
fn every_flipped_bit_is_found() {
    let file = file_of(&[b"first", b"second"], Compression::None);
    for bit in 0..file.len() * 8 {
        let mut damaged = file.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let mut reader = RecordReader::new(&damaged[..], "bits", ReadOptions::default());
        let error = read_all(&mut reader).unwrap_err();
        assert_eq!(error.code(), Code::DataLoss);
        assert!(error.message().contains("corrupted record at byte"), "{error}");
    }
}

#[test]
fn a_forged_length_costs_nothing() {
    let length = (1u64 << 30).to_le_bytes();
    let file = [&length[..], &crate::masked_crc(&length).to_le_bytes(), b"few"].concat();
    let mut reader = RecordReader::new(&file[..], "forged", ReadOptions::default());
    assert!(reader.next_record().unwrap_err().message().contains("the file ends"));
    assert!(reader.buffer_capacity() <= 4 << 20);
    let length = u64::MAX.to_le_bytes();
    let file = [&length[..], &crate::masked_crc(&length).to_le_bytes()].concat();
    let mut reader = RecordReader::new(&file[..], "forged", ReadOptions::default());
    assert!(reader.next_record().unwrap_err().message().contains("claims"));
}

#[test]
fn batches_come_before_the_error_behind_them() {
    let mut file = file_of(&[b"a", b"bb", b"ccc", b"dddd"], Compression::None);
    let last = file.len() - 1;
    file[last] ^= 1;
    let mut reader = RecordReader::new(&file[..], "batches", ReadOptions::default());
    assert_eq!(reader.read_batch(2, 1 << 20).unwrap(), [&b"a"[..], b"bb"]);
    assert_eq!(reader.read_batch(5, 1 << 20).unwrap(), [&b"ccc"[..]]);
    assert!(reader.read_batch(5, 1 << 20).is_err());
    let mut reader = RecordReader::new(&file[..], "batches", ReadOptions::default());
    assert_eq!(reader.read_batch(5, 3).unwrap().len(), 2);
    assert_eq!(reader.skip_records(1).unwrap(), 1);
    assert_eq!(reader.offset(), 3 * 16 + 6);
}

#[test]
fn compression_is_seen_and_damage_in_it_named() {
    let folder = tempfile::tempdir().unwrap();
    let records: Vec<Vec<u8>> = (0..200u32).map(|i| i.to_le_bytes().repeat(50)).collect();
    for compression in [Compression::None, Compression::Gzip, Compression::Zlib] {
        let path = folder.path().join(format!("{compression:?}"));
        let mut writer = RecordWriter::create(&path, compression).unwrap();
        for record in &records {
            writer.write(record).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(Compression::of_file(&path).unwrap(), compression);
        let options = ReadOptions { compression, ..Default::default() };
        let mut reader = RecordReader::open(&path, options.clone()).unwrap();
        assert_eq!(read_all(&mut reader).unwrap(), records);

        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() / 2 + 1]).unwrap();
        let mut reader = RecordReader::open(&path, options.clone()).unwrap();
        assert!(read_all(&mut reader).unwrap_err().message().contains("the file ends"));
        assert!(reader.truncated_at().is_some());

        let mut damaged = whole.clone();
        damaged[whole.len() / 3] ^= 0xff;
        std::fs::write(&path, &damaged).unwrap();
        let mut reader = RecordReader::open(&path, options).unwrap();
        assert!(read_all(&mut reader).unwrap_err().message().contains("corrupted record"));
        assert_eq!(
            RecordReader::open_at(&path, 0, ReadOptions { compression, ..Default::default() })
                .is_ok(),
            compression == Compression::None
        );
    }
}

proptest! {
    #[test]
    fn records_survive(
        records in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..20),
        buffer_bytes in 1usize..200,
        skip in 0usize..20,
    ) {
        let slices: Vec<&[u8]> = records.iter().map(Vec::as_slice).collect();
        let file = file_of(&slices, Compression::None);
        let options = ReadOptions { buffer_bytes, ..Default::default() };
        let mut reader = RecordReader::new(Slow(&file, 0), "slow", options.clone());
        prop_assert_eq!(&read_all(&mut reader).unwrap(), &records);
        prop_assert_eq!(reader.offset(), file.len() as u64);
        let mut reader = RecordReader::new(&file[..], "skipped", options);
        let skipped = reader.skip_records(skip as u64).unwrap() as usize;
        prop_assert_eq!(skipped, skip.min(records.len()));
        prop_assert_eq!(&read_all(&mut reader).unwrap(), &records[skipped..]);
    }

    #[test]
    fn any_bytes_are_records_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut reader = RecordReader::new(&bytes[..], "any", ReadOptions::default());
        let _ = read_all(&mut reader);
    }
}
