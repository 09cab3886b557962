//! Any bytes as a record file, plain and compressed, and as the contents of records of a well-made one:
//! records, or an error; the same in pieces as at once.

use downpour_formats::tfrecord::{Compression, ReadOptions, RecordReader, RecordWriter, TruncatedTail};

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let (options, file) = data.split_first().unwrap_or((&0, &[]));
    let options = ReadOptions {
        compression: [Compression::None, Compression::Gzip, Compression::Zlib][*options as usize % 3],
        truncated_tail: if options & 0x80 == 0 { TruncatedTail::Refuse } else { TruncatedTail::End },
        buffer_bytes: 1 + (*options as usize >> 2) % 32,
        max_record_bytes: 1 << 20,
    };
    let mut reader = RecordReader::decompress(std::io::Cursor::new(file.to_vec()), "fuzz", options.clone());
    let mut bytes = 0;
    while let Ok(Some(record)) = reader.next_record() {
        bytes += record.len();
        // A small file may be made of a great deal of nothing.
        if bytes > 1 << 22 {
            break;
        }
    }

    let records: Vec<&[u8]> = file.split(|byte| *byte == 0).collect();
    let mut writer = RecordWriter::new(Vec::new(), options.compression);
    for record in &records {
        writer.write(record).expect("memory takes everything");
    }
    let made = writer.finish().expect("memory takes everything");
    let mut reader = RecordReader::decompress(std::io::Cursor::new(made), "made", options);
    for record in records {
        assert_eq!(reader.next_record().expect("it is well made"), Some(record));
    }
    assert_eq!(reader.next_record().expect("it is well made"), None);
}
