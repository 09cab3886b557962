//! safetensors files, which other frameworks exchange weights in.
//!
//! ```
//! use downpour_formats::safetensors;
//! use downpour_tensor::Tensor;
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("model.safetensors");
//! let tensors = [("w".to_string(), Tensor::vector(&[1.0f32, 2.0])?)].into();
//! safetensors::write(&path, &tensors, &Default::default())?;
//! assert_eq!(safetensors::read(&path)?["w"].as_slice::<f32>()?, [1.0, 2.0]);
//! # Ok::<(), downpour_tensor::Status>(())
//! ```

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use bytes::Bytes;
use downpour_disk::{AtomicFile, io_error};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};
use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};

/// What comes before the header: its length.
const LENGTH: u64 = 8;
/// The format's own limit.
const MAX_HEADER: u64 = 100_000_000;

/// A safetensors file that was opened: its header is read and checked, its tensors are not yet read.
pub struct SafetensorsReader {
    file: File,
    name: String,
    metadata: Metadata,
    data_start: u64,
}

impl SafetensorsReader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<SafetensorsReader> {
        let name = path.display().to_string();
        let bad =
            |what: String| Status::data_loss(format!("{name} is no safetensors file: {what}"));
        let file = File::open(path).map_err(|e| io_error("open", path, &e))?;
        let length = file.metadata().map_err(|e| io_error("read", path, &e))?.len();
        let mut header = [0; LENGTH as usize];
        if length < LENGTH {
            return Err(bad("it is too short".into()));
        }
        file.read_exact_at(&mut header, 0).map_err(|e| io_error("read", path, &e))?;
        let header = u64::from_le_bytes(header);
        // Checked before reserving memory for it.
        if header > MAX_HEADER || header > length - LENGTH {
            return Err(bad(format!("its header claims {header} bytes")));
        }
        let mut json = vec![0; header as usize];
        file.read_exact_at(&mut json, LENGTH).map_err(|e| io_error("read", path, &e))?;
        // Also checks that the tensors lie one behind the other, each as long as it must be.
        let metadata: Metadata = serde_json::from_slice(&json).map_err(|e| bad(e.to_string()))?;
        let data_start = LENGTH + header;
        if metadata.data_len() as u64 != length - data_start {
            return Err(bad(format!(
                "its tensors take {} bytes, but {} are there",
                metadata.data_len(),
                length - data_start
            )));
        }
        Ok(SafetensorsReader { file, name, metadata, data_start })
    }

    /// Names of all tensors, in the order in which they lie in the file.
    pub fn names(&self) -> Vec<String> {
        self.metadata.offset_keys()
    }

    /// Texts that are stored beside the tensors.
    pub fn texts(&self) -> BTreeMap<String, String> {
        let texts = self.metadata.metadata().iter().flatten();
        texts.map(|(key, text)| (key.clone(), text.clone())).collect()
    }

    /// Type and shape of a tensor.
    pub fn describe(&self, name: &str) -> Result<(DataType, Shape)> {
        let info = self.info(name)?;
        let dtype = from_theirs(info.dtype).ok_or_else(|| {
            Status::unimplemented(format!(
                "the tensor '{name}' in {} is of {:?}, which is not supported",
                self.name, info.dtype
            ))
        })?;
        Ok((dtype, Shape::new(&info.shape)))
    }

    /// Reads a tensor.
    pub fn read(&self, name: &str) -> Result<Tensor> {
        let (dtype, shape) = self.describe(name)?;
        let (start, end) = self.info(name)?.data_offsets;
        // Within the file, as `open` has checked.
        let mut bytes = vec![0; end - start];
        self.file
            .read_exact_at(&mut bytes, self.data_start + start as u64)
            .map_err(|e| io_error("read", Path::new(&self.name), &e))?;
        Tensor::from_bytes(dtype, shape, Bytes::from(bytes)).map_err(|e| e.context(name))
    }

    fn info(&self, name: &str) -> Result<&TensorInfo> {
        self.metadata.info(name).ok_or_else(|| {
            Status::not_found(format!("there is no tensor '{name}' in {}", self.name))
        })
    }
}

/// Reads all tensors of a file.
pub fn read(path: &Path) -> Result<BTreeMap<String, Tensor>> {
    let reader = SafetensorsReader::open(path)?;
    reader.names().into_iter().map(|name| Ok((name.clone(), reader.read(&name)?))).collect()
}

/// Writes tensors, and texts beside them, as a file that appears whole or not at all.
pub fn write(
    path: &Path,
    tensors: &BTreeMap<String, Tensor>,
    texts: &BTreeMap<String, String>,
) -> Result<()> {
    let mut ordered = Vec::with_capacity(tensors.len());
    for (name, tensor) in tensors {
        let dtype = to_theirs(tensor.dtype()).ok_or_else(|| {
            Status::invalid_argument(format!(
                "the tensor '{name}' is of {}, for which safetensors has no type; leave it out",
                tensor.dtype()
            ))
        })?;
        if name == "__metadata__" {
            return Err(Status::invalid_argument("no tensor can be called '__metadata__'"));
        }
        let bytes = tensor.bytes().ok_or_else(|| {
            Status::invalid_argument(format!("the tensor '{name}' has no plain elements"))
        })?;
        ordered.push((name, tensor, dtype, bytes));
    }
    // The widest first, so that all are aligned.
    ordered.sort_by_key(|(name, _, dtype, _)| (std::cmp::Reverse(dtype.bitsize()), *name));
    let mut start = 0;
    let infos = ordered.iter().map(|(name, tensor, dtype, bytes)| {
        let data_offsets = (start, start + bytes.len());
        start += bytes.len();
        let info = TensorInfo { dtype: *dtype, shape: tensor.dims().to_vec(), data_offsets };
        (name.to_string(), info)
    });
    let infos = infos.collect();
    let texts = (!texts.is_empty()).then(|| texts.clone().into_iter().collect());
    let failed =
        |what: String| Status::internal(format!("cannot write {}: {what}", path.display()));
    let metadata = Metadata::new(texts, infos).map_err(|e| failed(e.to_string()))?;
    let mut header = serde_json::to_vec(&metadata).map_err(|e| failed(e.to_string()))?;
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut file = AtomicFile::create(path)?;
    file.write(&(header.len() as u64).to_le_bytes())?;
    file.write(&header)?;
    for (_, _, _, bytes) in &ordered {
        file.write(bytes)?;
    }
    file.commit()
}

const TYPES: [(DataType, Dtype); 16] = [
    (DataType::Bool, Dtype::BOOL),
    (DataType::UInt8, Dtype::U8),
    (DataType::Int8, Dtype::I8),
    (DataType::UInt16, Dtype::U16),
    (DataType::Int16, Dtype::I16),
    (DataType::UInt32, Dtype::U32),
    (DataType::Int32, Dtype::I32),
    (DataType::UInt64, Dtype::U64),
    (DataType::Int64, Dtype::I64),
    (DataType::Half, Dtype::F16),
    (DataType::BFloat16, Dtype::BF16),
    (DataType::Float, Dtype::F32),
    (DataType::Double, Dtype::F64),
    (DataType::Complex64, Dtype::C64),
    (DataType::Float8E5M2, Dtype::F8_E5M2),
    (DataType::Float8E4M3FN, Dtype::F8_E4M3),
];

fn from_theirs(dtype: Dtype) -> Option<DataType> {
    TYPES.iter().find(|(_, theirs)| *theirs == dtype).map(|(ours, _)| *ours)
}

fn to_theirs(dtype: DataType) -> Option<Dtype> {
    TYPES.iter().find(|(ours, _)| *ours == dtype).map(|(_, theirs)| *theirs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_tensor::{Code, bf16, f16};
    use proptest::prelude::*;

    #[test]
    fn every_type_survives() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.safetensors");
        let mut tensors = BTreeMap::new();
        for (dtype, _) in TYPES {
            tensors.insert(dtype.to_string(), Tensor::zeros(dtype, [3, 2]).unwrap());
        }
        let half = Tensor::vector(&[f16::from_f32(1.5), f16::from_f32(-2.0)]).unwrap();
        let brain = Tensor::scalar(bf16::from_f32(0.25));
        tensors.insert("h".into(), half);
        tensors.insert("b".into(), brain);
        tensors.insert("empty".into(), Tensor::zeros(DataType::Float, [0, 4]).unwrap());
        let texts = [("format".to_string(), "tf".to_string())].into();
        write(&path, &tensors, &texts).unwrap();
        let back = read(&path).unwrap();
        assert_eq!(back.len(), tensors.len());
        for (name, tensor) in &tensors {
            assert_eq!(back[name].shape(), tensor.shape());
            assert_eq!(back[name].bytes(), tensor.bytes());
        }
        let reader = SafetensorsReader::open(&path).unwrap();
        assert_eq!(reader.texts(), texts);
        assert_eq!(reader.read("nothing").unwrap_err().code(), Code::NotFound);
        // The format's own crate agrees.
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(::safetensors::SafeTensors::deserialize(&bytes).unwrap().len(), tensors.len());
        let words = [("s".to_string(), Tensor::string("x"))].into();
        assert!(write(&path, &words, &texts).unwrap_err().message().contains("leave it out"));
    }

    #[test]
    fn hostile_headers_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad");
        let with_header = |json: &str, data: usize| {
            let mut file = (json.len() as u64).to_le_bytes().to_vec();
            file.extend(json.bytes());
            file.resize(file.len() + data, 0);
            file
        };
        let info = |shape: &str, range: &str| {
            format!(r#"{{"a":{{"dtype":"F32","shape":{shape},"data_offsets":{range}}}}}"#)
        };
        let files = [
            vec![],
            vec![1, 2, 3],
            u64::MAX.to_le_bytes().to_vec(),
            99_999_999u64.to_le_bytes().to_vec(),
            with_header("[]", 0),
            with_header(&"[".repeat(100_000), 0),
            with_header(&info("[1]", "[0,4]"), 3),
            with_header(&info("[1]", "[0,4]"), 5),
            with_header(&info("[2]", "[0,4]"), 4),
            with_header(&info("[1]", "[4,8]"), 8),
            with_header(&info("[1]", "[8,4]"), 8),
            with_header(&info("[18446744073709551615,4]", "[0,4]"), 4),
            with_header(&info("[4611686018427387904,4]", "[0,0]"), 0),
            with_header(&info("[-1]", "[0,4]"), 4),
            with_header(r#"{"a":{"dtype":"Q9","shape":[],"data_offsets":[0,4]}}"#, 4),
        ];
        for (i, file) in files.iter().enumerate() {
            std::fs::write(&path, file).unwrap();
            let error = read(&path).unwrap_err();
            assert_eq!(error.code(), Code::DataLoss, "file {i}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_values_survive(values in prop::collection::btree_map(".{0,8}", prop::collection::vec(any::<i16>(), 0..9), 0..5)) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("t");
            let values: BTreeMap<String, Vec<i16>> = values;
            let tensors: BTreeMap<String, Tensor> =
                values.iter().map(|(k, v)| (k.clone(), Tensor::vector(v).unwrap())).collect();
            write(&path, &tensors, &BTreeMap::new()).unwrap();
            let back = read(&path).unwrap();
            prop_assert_eq!(back.len(), values.len());
            for (name, expected) in &values {
                prop_assert_eq!(back[name].as_slice::<i16>().unwrap(), &expected[..]);
            }
        }
    }
}
