//! Reads a bundle; every checksum is verified.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use downpour_disk::io_error;
use downpour_tensor::{
    Buffer, Charge, Code, DataType, Result, Shape, Status, StringWriter, Tensor,
};
use downpour_wire::Message;
use downpour_wire::proto::{BundleEntryProto, BundleHeaderProto};

use super::{data_file, index_file, strings, variants};
use crate::checksum::unmask;
use crate::regular_file::{open_regular, read_regular};
use crate::slice::{SliceSpec, copy_overlap};
use crate::table::read_counted_table;

/// Reads tensors of a bundle by name.
pub struct BundleReader {
    prefix: String,
    pub(super) shards: u32,
    pub(super) entries: BTreeMap<Vec<u8>, BundleEntryProto>,
    files: HashMap<u32, File>,
    /// For the entries.
    _charge: Charge,
}

impl BundleReader {
    /// Reads the index of the bundle at `prefix`.
    pub fn open(prefix: &str) -> Result<BundleReader> {
        let path = index_file(prefix);
        let bytes = read_regular(&path, || Ok(())).map_err(|e| match e.code() {
            Code::NotFound => Status::not_found(format!(
                "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for \
                 {prefix}"
            )),
            _ => e,
        })?;
        let damaged =
            |what: &str| Status::data_loss(format!("the checkpoint {prefix} is damaged: {what}"));
        let (table, charge) = read_counted_table(&bytes).map_err(|e| e.context(path.display()))?;
        let mut entries = BTreeMap::new();
        let mut shards = None;
        for (key, value) in table {
            if key.is_empty() {
                let header = BundleHeaderProto::decode(&value[..])
                    .map_err(|_| damaged("its header cannot be read"))?;
                if header.endianness != 0 {
                    return Err(Status::unimplemented(format!(
                        "the checkpoint {prefix} was written big-endian, which is not supported"
                    )));
                }
                shards = u32::try_from(header.num_shards).ok();
            } else {
                let entry = BundleEntryProto::decode(&value[..])
                    .map_err(|_| damaged("an entry cannot be read"))?;
                entries.insert(key, entry);
            }
        }
        let shards = shards.ok_or_else(|| damaged("it has no header"))?;
        Ok(BundleReader {
            prefix: prefix.to_string(),
            shards,
            entries,
            files: HashMap::new(),
            _charge: charge,
        })
    }

    /// Whether there is a tensor of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.entries.contains_key(name.as_bytes())
    }

    /// Names of all tensors, sorted; keys of slices are left out.
    pub fn names(&self) -> Vec<String> {
        let names = self.entries.keys().filter(|k| k.first() != Some(&0));
        names.map(|k| String::from_utf8_lossy(k).into_owned()).collect()
    }

    /// Type and full shape of a tensor.
    pub fn describe(&self, name: &str) -> Result<(DataType, Shape)> {
        describe(self.entry(name)?)
    }

    fn entry(&self, name: &str) -> Result<&BundleEntryProto> {
        self.entries.get(name.as_bytes()).ok_or_else(|| {
            Status::not_found(format!("Key {name} not found in checkpoint {}", self.prefix))
        })
    }

    /// A whole tensor, put together from its slices if it was saved in parts.
    pub fn read(&mut self, name: &str) -> Result<Tensor> {
        let entry = self.entry(name)?.clone();
        let (_, shape) = describe(&entry)?;
        if entry.slices.is_empty() {
            return self.read_entry(name, &entry);
        }
        self.assemble(name, &entry, &SliceSpec::whole(shape.rank()))
    }

    /// A part of a tensor, however it was saved.
    pub fn read_slice(&mut self, name: &str, full: &Shape, slice: &SliceSpec) -> Result<Tensor> {
        let entry = self.entry(name)?.clone();
        let (_, stored) = describe(&entry)?;
        if stored != *full {
            return Err(Status::invalid_argument(format!(
                "tensor_name = {name}; expected shape {full} is incompatible with stored shape {stored}"
            )));
        }
        if slice.is_whole() {
            return self.read(name);
        }
        self.assemble(name, &entry, slice)
    }

    /// Bytes a tensor takes in the data files, its slices included.
    pub fn stored_bytes(&self, name: &str) -> Result<u64> {
        let entry = self.entry(name)?;
        let slices = entry
            .slices
            .iter()
            .filter_map(|proto| self.entries.get(&SliceSpec::from_proto(proto).ok()?.key(name)));
        let sizes = slices.chain(Some(entry)).map(|entry| u64::try_from(entry.size).unwrap_or(0));
        Ok(sizes.fold(0, u64::saturating_add))
    }

    /// In how many data files the tensors are.
    pub fn data_files(&self) -> u32 {
        self.shards
    }

    /// Reads everything and checks every checksum.
    pub fn verify(&mut self) -> Result<()> {
        for name in self.names() {
            self.read(&name)?;
        }
        Ok(())
    }

    fn assemble(
        &mut self,
        name: &str,
        entry: &BundleEntryProto,
        wanted: &SliceSpec,
    ) -> Result<Tensor> {
        let (dtype, full) = describe(entry)?;
        let mut out = Tensor::zeros(dtype, wanted.shape(&full))?;
        let expected = out.len();
        let mut copied = 0;
        if entry.slices.is_empty() {
            let whole = self.read_entry(name, entry)?;
            copied = copy_overlap(&full, &whole, &SliceSpec::whole(full.rank()), &mut out, wanted)?;
        }
        for proto in &entry.slices {
            let stored = SliceSpec::from_proto(proto)?;
            let fits = stored.0.len() == full.rank()
                && stored
                    .ranges(&full)
                    .iter()
                    .zip(full.iter())
                    .all(|((s, l), d)| s.checked_add(*l).is_some_and(|end| end <= *d));
            let key = stored.key(name);
            let part = self.entries.get(&key).cloned().filter(|_| fits).ok_or_else(|| {
                Status::data_loss(format!("a slice of {name} is missing in {}", self.prefix))
            })?;
            let tensor = self.read_entry(name, &part)?;
            if tensor.dtype() != dtype || *tensor.shape() != stored.shape(&full) {
                return Err(Status::data_loss(format!(
                    "a slice of {name} does not fit its tensor"
                )));
            }
            copied += copy_overlap(&full, &tensor, &stored, &mut out, wanted)?;
        }
        if copied < expected {
            return Err(Status::not_found(format!(
                "the checkpoint {} holds only {copied} of the {expected} elements asked of {name}",
                self.prefix
            )));
        }
        Ok(out)
    }

    fn read_entry(&mut self, name: &str, entry: &BundleEntryProto) -> Result<Tensor> {
        let (dtype, shape) = describe(entry)?;
        let damaged = |what: &str| {
            Status::data_loss(format!("tensor {name} in the checkpoint is damaged: {what}"))
        };
        let size = usize::try_from(entry.size).map_err(|_| damaged("a negative size"))?;
        let offset = u64::try_from(entry.offset).map_err(|_| damaged("a negative offset"))?;
        let data = self.data(entry.shard_id, offset, size).map_err(|e| e.context(name))?;
        if dtype == DataType::String {
            let mut bytes = StringWriter::new();
            bytes.fill_with(size, |place| data.read(place).map(|()| size))?;
            let values = strings::decode(&bytes.finish(), shape.elements(), entry.crc32c)
                .map_err(|e| e.context(name))?;
            return Tensor::from_counted(shape, values);
        }
        let mut buffer = Buffer::allocate(size)?;
        data.read(buffer.as_mut().expect("a new buffer has one owner"))?;
        let bytes = buffer.to_bytes();
        if dtype == DataType::Variant {
            let values = variants::decode(&bytes, shape.elements(), entry.crc32c)
                .map_err(|e| e.context(name))?;
            return Tensor::from_variants(shape, values);
        }
        if crc32c::crc32c(&bytes) != unmask(entry.crc32c) {
            return Err(damaged("its checksum does not match"));
        }
        Tensor::from_bytes(dtype, shape, bytes).map_err(|_| damaged("its size does not match"))
    }

    /// Finds `size` bytes of a data file, and that it has them: a forged size must not make us allocate it.
    fn data(&mut self, shard: i32, offset: u64, size: usize) -> Result<Part<'_>> {
        let shard = u32::try_from(shard)
            .ok()
            .filter(|s| *s < self.shards)
            .ok_or_else(|| Status::data_loss("it names a data file that cannot exist"))?;
        let path = data_file(&self.prefix, shard, self.shards);
        let file = match self.files.entry(shard) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                entry.insert(open_regular(&path).map_err(|e| io_error("open", &path, &e))?)
            }
        };
        let length = file.metadata().map_err(|e| io_error("read", &path, &e))?.len();
        if offset.checked_add(size as u64).is_none_or(|end| end > length) {
            return Err(Status::data_loss(format!("{} is too short", path.display())));
        }
        Ok(Part { file, path, offset })
    }
}

/// A place in a data file.
struct Part<'a> {
    file: &'a File,
    path: PathBuf,
    offset: u64,
}

impl Part<'_> {
    fn read(&self, place: &mut [u8]) -> Result<()> {
        let read = self.file.read_exact_at(place, self.offset);
        read.map_err(|e| io_error("read", &self.path, &e))
    }
}

fn describe(entry: &BundleEntryProto) -> Result<(DataType, Shape)> {
    let dtype = DataType::from_i32(entry.dtype).ok_or_else(|| {
        Status::data_loss(format!("the checkpoint has an unknown dtype {}", entry.dtype))
    })?;
    let dims: Vec<i64> = entry.shape.iter().flat_map(|s| &s.dim).map(|d| d.size).collect();
    let shape = Shape::from_i64(&dims).map_err(|e| {
        Status::data_loss(format!("the checkpoint has a bad shape: {}", e.message()))
    })?;
    Ok((dtype, shape))
}
