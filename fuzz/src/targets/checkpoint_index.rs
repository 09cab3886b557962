//! Any bytes as a checkpoint's index, and as the contents of a block in one: entries, or an error.
//!
//! A mutated file fails its checksums; a block inside a well-made file gets past them.

use std::sync::LazyLock;

use downpour_formats::{BundleReader, masked_crc, read_table};

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    downpour_tensor::set_memory_limit(16 << 20);
    tempfile::tempdir().expect("a folder can be made")
});

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let _ = read_table(data);
    let table = table_of(data);
    if read_table(&table).is_err() {
        return;
    }
    let prefix = FOLDER.path().join("checkpoint").to_string_lossy().into_owned();
    std::fs::write(format!("{prefix}.index"), table).expect("the folder is ours");
    std::fs::write(format!("{prefix}.data-00000-of-00001"), data).expect("the folder is ours");
    let Ok(mut reader) = BundleReader::open(&prefix) else { return };
    for name in reader.names() {
        let _ = reader.read(&name);
    }
}

/// A file with `contents` as its only block of data.
fn table_of(contents: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let data = add_block(&mut file, contents);
    let mut index = vec![0, 0, data.len() as u8];
    index.extend(data);
    index.extend([0, 0, 0, 0, 1, 0, 0, 0]);
    let mut footer = add_block(&mut file, &[0, 0, 0, 0, 1, 0, 0, 0]);
    footer.extend(add_block(&mut file, &index));
    footer.resize(40, 0);
    footer.extend(0xdb47_7524_8b80_fb57u64.to_le_bytes());
    file.extend(footer);
    file
}

/// Appends a block with its trailer and returns its handle: offset and size as varints.
fn add_block(file: &mut Vec<u8>, contents: &[u8]) -> Vec<u8> {
    let mut handle = Vec::new();
    for mut value in [file.len(), contents.len()] {
        while value >= 0x80 {
            handle.push(value as u8 | 0x80);
            value >>= 7;
        }
        handle.push(value as u8);
    }
    file.extend(contents);
    file.push(0);
    let checksum = masked_crc(&file[file.len() - contents.len() - 1..]);
    file.extend(checksum.to_le_bytes());
    handle
}
