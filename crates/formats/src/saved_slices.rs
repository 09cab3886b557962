//! Checkpoints of the first format (V1): one table of slices, each a message with its values.
//!
//! The first entry, under the empty key, lists the tensors and their slices. Programs still write this format with
//! `tf.train.Saver(write_version=tf.train.SaverDef.V1)`.

use std::collections::BTreeMap;
use std::path::Path;

use downpour_disk::AtomicFile;
use downpour_tensor::{Charge, DataType, Result, Shape, Status, Tensor, bf16, f16};
use downpour_wire::proto::{
    SavedSlice, SavedSliceMeta, SavedTensorSliceMeta, SavedTensorSlices, TensorProto, VersionDef,
};
use downpour_wire::{Message, shape_to_proto, tensor_from_proto};

use crate::regular_file::read_regular;
use crate::slice::{SliceSpec, copy_overlap};
use crate::table::{TableBuilder, read_table};

/// The version that TensorFlow gives such files.
const VERSION: i32 = 1;

/// Collects slices and writes them into one file.
#[derive(Default)]
pub struct SlicesWriter {
    tensors: BTreeMap<String, SavedSliceMeta>,
    entries: BTreeMap<Vec<u8>, Vec<u8>>,
    charge: Charge,
}

impl SlicesWriter {
    /// Begins without slices.
    pub fn new() -> SlicesWriter {
        SlicesWriter::default()
    }

    /// Adds a part of a tensor of the shape `full`.
    pub fn add(
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
        let meta = self.tensors.entry(name.to_owned()).or_insert_with(|| SavedSliceMeta {
            name: name.to_owned(),
            shape: Some(shape_to_proto(full)),
            r#type: tensor.dtype() as i32,
            slice: Vec::new(),
        });
        if meta.shape != Some(shape_to_proto(full)) || meta.r#type != tensor.dtype() as i32 {
            return Err(Status::invalid_argument(format!(
                "slices of {name} disagree on its dtype or full shape"
            )));
        }
        let key = slice.key(name);
        if self.entries.contains_key(&key) {
            return Err(Status::invalid_argument(format!("a slice of {name} is saved twice")));
        }
        meta.slice.push(slice.to_proto());
        // Once as a message, once encoded, and once in the file.
        self.charge.grow(tensor.byte_len().saturating_mul(2))?;
        let _message = Charge::new(tensor.byte_len().saturating_mul(8))?;
        let data = Some(values(tensor)?);
        let data = SavedSlice { name: name.to_owned(), slice: Some(slice.to_proto()), data };
        let entry = SavedTensorSlices { meta: None, data: Some(data) };
        self.entries.insert(key, entry.encode_to_vec());
        Ok(())
    }

    /// Writes the file.
    pub fn finish(self, path: &Path) -> Result<()> {
        let versions = Some(VersionDef { producer: VERSION, ..VersionDef::default() });
        let tensor = self.tensors.into_values().collect();
        let meta = Some(SavedTensorSliceMeta { tensor, versions });
        let mut table = TableBuilder::new();
        table.add(b"", &SavedTensorSlices { meta, data: None }.encode_to_vec());
        for (key, entry) in &self.entries {
            table.add(key, entry);
        }
        let mut file = AtomicFile::create(path)?;
        file.write(&table.finish())?;
        file.commit()
    }
}

/// Returns a tensor's values in the lists of its type: readers of this format know no other form.
fn values(tensor: &Tensor) -> Result<TensorProto> {
    use DataType::*;
    let mut proto = TensorProto::default();
    match tensor.dtype() {
        Float => proto.float_val = tensor.as_slice::<f32>()?.to_vec(),
        Double => proto.double_val = tensor.as_slice::<f64>()?.to_vec(),
        Int32 => proto.int_val = tensor.as_slice::<i32>()?.to_vec(),
        Int16 => proto.int_val = tensor.as_slice::<i16>()?.iter().map(|&v| v.into()).collect(),
        Int8 => proto.int_val = tensor.as_slice::<i8>()?.iter().map(|&v| v.into()).collect(),
        UInt8 => proto.int_val = tensor.as_slice::<u8>()?.iter().map(|&v| v.into()).collect(),
        UInt16 => proto.int_val = tensor.as_slice::<u16>()?.iter().map(|&v| v.into()).collect(),
        Int64 => proto.int64_val = tensor.as_slice::<i64>()?.to_vec(),
        Bool => proto.bool_val = tensor.as_slice::<bool>()?.to_vec(),
        Half => {
            let bits = |v: &f16| i32::from(v.to_bits());
            proto.half_val = tensor.as_slice::<f16>()?.iter().map(bits).collect();
        }
        BFloat16 => {
            let bits = |v: &bf16| i32::from(v.to_bits());
            proto.half_val = tensor.as_slice::<bf16>()?.iter().map(bits).collect();
        }
        Complex64 => {
            let values = tensor.as_slice::<downpour_tensor::Complex64>()?.iter();
            proto.scomplex_val = values.flat_map(|v| [v.re, v.im]).collect();
        }
        Complex128 => {
            let values = tensor.as_slice::<downpour_tensor::Complex128>()?.iter();
            proto.dcomplex_val = values.flat_map(|v| [v.re, v.im]).collect();
        }
        String => proto.string_val = tensor.strings()?.iter().map(|v| v.to_bytes()).collect(),
        dtype => {
            return Err(Status::unimplemented(format!(
                "{dtype} tensors cannot be saved in a checkpoint of the first format"
            )));
        }
    }
    Ok(proto)
}

/// The slices of some files of this format.
#[derive(Default)]
pub struct SlicesReader {
    tensors: BTreeMap<String, SavedSliceMeta>,
    entries: BTreeMap<Vec<u8>, Vec<u8>>,
    charges: Charge,
}

impl SlicesReader {
    /// Begins without files.
    pub fn new() -> SlicesReader {
        SlicesReader::default()
    }

    /// Adds the slices of a file; `stop` is asked now and then whether somebody still waits.
    pub fn add_file(&mut self, path: &Path, stop: impl Fn() -> Result<()>) -> Result<()> {
        let bytes = read_regular(path, stop)?;
        let damaged = |what: &str| Status::data_loss(format!("{}: {what}", path.display()));
        self.charges.grow(bytes.len().saturating_mul(2))?;
        for (key, value) in read_table(&bytes).map_err(|e| e.context(path.display()))? {
            if !key.is_empty() {
                self.entries.insert(key, value);
                continue;
            }
            let slices = SavedTensorSlices::decode(&value[..])
                .map_err(|_| damaged("the list of its tensors cannot be read"))?;
            for meta in slices.meta.unwrap_or_default().tensor {
                match self.tensors.get_mut(&meta.name) {
                    None => drop(self.tensors.insert(meta.name.clone(), meta)),
                    Some(known) if known.shape == meta.shape && known.r#type == meta.r#type => {
                        known.slice.extend(meta.slice);
                    }
                    Some(_) => {
                        return Err(damaged(&format!(
                            "tensor {} is of another type or shape than in another file",
                            meta.name
                        )));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns a tensor's type and shape, if it was saved.
    pub fn describe(&self, name: &str) -> Result<Option<(DataType, Shape)>> {
        let Some(meta) = self.tensors.get(name) else { return Ok(None) };
        let unreadable = || Status::data_loss(format!("tensor {name} has a damaged description"));
        let dtype = DataType::from_i32(meta.r#type).ok_or_else(unreadable)?;
        let dims = meta.shape.as_ref().map(|shape| shape.dim.iter().map(|dim| dim.size));
        let dims: Vec<i64> = dims.into_iter().flatten().collect();
        Ok(Some((dtype, Shape::from_i64(&dims).map_err(|_| unreadable())?)))
    }

    /// Reads a part of a tensor.
    pub fn read(&self, name: &str, wanted: &SliceSpec) -> Result<Tensor> {
        let missing =
            || Status::not_found(format!("Tensor name \"{name}\" not found in checkpoint files"));
        let (dtype, full) = self.describe(name)?.ok_or_else(missing)?;
        let meta = self.tensors.get(name).ok_or_else(missing)?;
        if !wanted.fits(&full) {
            return Err(Status::invalid_argument(format!(
                "the slice asked of tensor {name} is no part of its shape {full}"
            )));
        }
        let mut out = Tensor::zeros(dtype, wanted.shape(&full))?;
        let mut copied = 0;
        for slice in &meta.slice {
            let slice = SliceSpec::from_proto(slice)?;
            let entry = self.entries.get(&slice.key(name)).filter(|_| slice.fits(&full));
            let entry = entry.ok_or_else(|| {
                Status::data_loss(format!("a slice of tensor {name} is listed but not there"))
            })?;
            let part = self.slice(name, dtype, &slice.shape(&full), entry)?;
            copied += copy_overlap(&full, &part, &slice, &mut out, wanted)?;
        }
        if copied < out.len() {
            return Err(Status::not_found(format!(
                "the checkpoint has only some slices of tensor {name}: {copied} of {} elements asked for",
                out.len()
            )));
        }
        Ok(out)
    }

    fn slice(&self, name: &str, dtype: DataType, shape: &Shape, entry: &[u8]) -> Result<Tensor> {
        let damaged = || Status::data_loss(format!("a slice of tensor {name} cannot be read"));
        let _message = Charge::new(entry.len().saturating_mul(8))?;
        let entry = SavedTensorSlices::decode(entry).map_err(|_| damaged())?;
        let mut proto = entry.data.and_then(|slice| slice.data).ok_or_else(damaged)?;
        proto.dtype = dtype as i32;
        proto.tensor_shape = Some(shape_to_proto(shape));
        tensor_from_proto(&proto)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slice::parse_shape_and_slice;

    fn slice(text: &str) -> (Shape, SliceSpec) {
        parse_shape_and_slice(text).unwrap().unwrap()
    }

    #[test]
    fn slices_of_several_files_are_one_tensor() {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path().join("a"), folder.path().join("b")];
        for (i, path) in paths.iter().enumerate() {
            let (full, part) = slice(&format!("2 3 {i},1:-"));
            let mut writer = SlicesWriter::new();
            let row = Tensor::from_vec([1, 3], vec![10 * i as i32; 3]).unwrap();
            writer.add("v", &full, &part, &row).unwrap();
            assert!(writer.add("v", &full, &part, &row).is_err(), "twice the same");
            if i == 0 {
                let text = Tensor::string("text");
                writer.add("s", text.shape(), &SliceSpec::whole(0), &text).unwrap();
            }
            writer.finish(path).unwrap();
        }
        let mut reader = SlicesReader::new();
        reader.add_file(&paths[0], || Ok(())).unwrap();
        assert_eq!(reader.read("s", &SliceSpec::whole(0)).unwrap().strings().unwrap()[0], "text");
        assert!(reader.read("v", &SliceSpec::whole(2)).is_err(), "half of it is elsewhere");
        reader.add_file(&paths[1], || Ok(())).unwrap();
        let column = slice("2 3 -:1,2").1;
        let read = reader.read("v", &column).unwrap();
        assert_eq!(read.as_slice::<i32>().unwrap(), [0, 0, 10, 10]);
        assert!(reader.describe("none").unwrap().is_none());
        assert!(reader.read("none", &SliceSpec::whole(0)).is_err());
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, b"not a table").unwrap();
        assert!(SlicesReader::new().add_file(&path, || Ok(())).is_err());
    }
}
