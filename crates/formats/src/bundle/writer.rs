//! Writes a bundle: data first, then the index, each appearing whole.

use std::collections::BTreeMap;

use downpour_disk::{AtomicFile, Disk};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};
use downpour_wire::proto::{BundleEntryProto, BundleHeaderProto, TensorShapeProto, VersionDef};
use downpour_wire::{Message, shape_to_proto};

use super::{data_file, index_file, strings, variants};
use crate::checksum::mask;
use crate::slice::SliceSpec;
use crate::table::TableBuilder;

/// The version of the format we write; readers of version 0 and later understand it.
const BUNDLE_VERSION: i32 = 1;

/// Writes a bundle of one data file.
pub struct BundleWriter {
    disk: Disk,
    prefix: String,
    data: AtomicFile,
    entries: BTreeMap<Vec<u8>, BundleEntryProto>,
}

impl BundleWriter {
    /// Starts a bundle; nothing of it is to be seen before `finish`.
    pub fn create(prefix: &str) -> Result<BundleWriter> {
        BundleWriter::create_on(&Disk::default(), prefix)
    }

    /// The same on a disk that may have faults.
    pub fn create_on(disk: &Disk, prefix: &str) -> Result<BundleWriter> {
        let data = AtomicFile::create_on(disk, &data_file(prefix, 0, 1))?;
        let disk = disk.clone();
        Ok(BundleWriter { disk, prefix: prefix.to_string(), data, entries: BTreeMap::new() })
    }

    /// Adds a whole tensor; a name stands once in a bundle.
    pub fn add(&mut self, name: &str, tensor: &Tensor) -> Result<()> {
        let key = name.as_bytes().to_vec();
        if name.is_empty() || self.entries.contains_key(&key) {
            return Err(Status::invalid_argument(format!("Adding duplicate key: {name}")));
        }
        let entry = self.write(tensor)?;
        self.entries.insert(key, entry);
        Ok(())
    }

    /// Adds a part of a larger tensor.
    pub fn add_slice(
        &mut self,
        name: &str,
        full: &Shape,
        slice: &SliceSpec,
        tensor: &Tensor,
    ) -> Result<()> {
        if slice.shape(full) != *tensor.shape() {
            return Err(Status::invalid_argument(format!(
                "Slice of {name} has shape {} but its tensor has shape {}",
                slice.shape(full),
                tensor.shape()
            )));
        }
        let whole =
            self.entries.entry(name.as_bytes().to_vec()).or_insert_with(|| BundleEntryProto {
                dtype: tensor.dtype() as i32,
                shape: Some(shape_to_proto(full)),
                ..BundleEntryProto::default()
            });
        if whole.dtype != tensor.dtype() as i32 || whole.shape != Some(shape_to_proto(full)) {
            return Err(Status::invalid_argument(format!(
                "slices of {name} disagree on its dtype or full shape"
            )));
        }
        whole.slices.push(slice.to_proto());
        let entry = self.write(tensor)?;
        self.entries.insert(slice.key(name), entry);
        Ok(())
    }

    fn write(&mut self, tensor: &Tensor) -> Result<BundleEntryProto> {
        let offset = self.data.position();
        let crc = match tensor.dtype() {
            DataType::String => {
                let values = tensor.strings()?;
                let (lengths, crc) = strings::encode(values);
                self.data.write(&lengths)?;
                values.iter().try_for_each(|value| self.data.write(value))?;
                crc
            }
            DataType::Variant => {
                let (bytes, crc) = variants::encode(tensor.variants()?)?;
                self.data.write(&bytes)?;
                crc
            }
            dtype => {
                let bytes = tensor.bytes().ok_or_else(|| {
                    Status::unimplemented(format!(
                        "{dtype} tensors cannot be saved in a checkpoint"
                    ))
                })?;
                self.data.write(bytes)?;
                crc32c::crc32c(bytes)
            }
        };
        Ok(BundleEntryProto {
            dtype: tensor.dtype() as i32,
            shape: Some(if tensor.rank() == 0 {
                TensorShapeProto::default()
            } else {
                shape_to_proto(tensor.dims())
            }),
            shard_id: 0,
            offset: offset as i64,
            size: (self.data.position() - offset) as i64,
            crc32c: mask(crc),
            slices: Vec::new(),
        })
    }

    /// Makes the bundle visible.
    pub fn finish(self) -> Result<()> {
        self.data.commit()?;
        write_index(&self.disk, &self.prefix, 1, &self.entries)
    }
}

/// Writes an index of `shards` data files.
pub(super) fn write_index(
    disk: &Disk,
    prefix: &str,
    shards: u32,
    entries: &BTreeMap<Vec<u8>, BundleEntryProto>,
) -> Result<()> {
    let header = BundleHeaderProto {
        num_shards: shards as i32,
        version: Some(VersionDef { producer: BUNDLE_VERSION, ..VersionDef::default() }),
        ..BundleHeaderProto::default()
    };
    let mut table = TableBuilder::new();
    table.add(b"", &header.encode_to_vec());
    for (key, entry) in entries {
        table.add(key, &entry.encode_to_vec());
    }
    let mut file = AtomicFile::create_on(disk, &index_file(prefix))?;
    file.write(&table.finish())?;
    file.commit()
}
