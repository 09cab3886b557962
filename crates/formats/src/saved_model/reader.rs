//! Reads SavedModel folders, TensorFlow's too.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use downpour_disk::io_error;
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::Message;
use downpour_wire::proto::{MetaGraphDef, SavedModel as Proto, collection_def, tensor_info};

use super::restore_map::restored_from;
use super::{ASSETS, Asset, MODEL_FILE, Model, Signature, VARIABLES};
use crate::bundle::BundleReader;

/// A SavedModel folder that was opened.
#[derive(Debug)]
pub struct SavedModel {
    folder: PathBuf,
    proto: Proto,
}

impl SavedModel {
    /// Reads a folder's graphs; the values of variables are read later.
    pub fn open(folder: &Path) -> Result<SavedModel> {
        let path = folder.join(MODEL_FILE);
        let bytes = std::fs::read(&path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => Status::not_found(format!(
                "{} is no SavedModel: there is no {MODEL_FILE} in it",
                folder.display()
            )),
            _ => io_error("read", &path, &e),
        })?;
        SavedModel::decode(folder, bytes.into()).map_err(|e| e.context(path.display()))
    }

    /// The same from the bytes of its file.
    pub fn decode(folder: &Path, bytes: bytes::Bytes) -> Result<SavedModel> {
        let proto = Proto::decode(bytes)
            .map_err(|e| Status::data_loss(format!("it cannot be read as a SavedModel: {e}")))?;
        if proto.saved_model_schema_version > 1 {
            return Err(Status::unimplemented(format!(
                "it is a SavedModel of version {}, of which nothing is known here",
                proto.saved_model_schema_version
            )));
        }
        Ok(SavedModel { folder: folder.into(), proto })
    }

    /// The tags of its graphs.
    pub fn tags(&self) -> Vec<Vec<String>> {
        let tags = |meta: &MetaGraphDef| {
            meta.meta_info_def.as_ref().map(|info| info.tags.clone()).unwrap_or_default()
        };
        self.proto.meta_graphs.iter().map(tags).collect()
    }

    /// The graph with exactly these tags, whole.
    pub fn meta_graph(&self, tags: &[&str]) -> Result<&MetaGraphDef> {
        let all = self.tags();
        let wanted = all.iter().position(|theirs| {
            theirs.len() == tags.len() && tags.iter().all(|tag| theirs.iter().any(|t| t == tag))
        });
        wanted.and_then(|i| self.proto.meta_graphs.get(i)).ok_or_else(|| {
            Status::not_found(format!(
                "{} has no graph with the tags {tags:?}; it has {all:?}",
                self.folder.display()
            ))
        })
    }

    /// The signatures of a graph. Those with tensors that are not dense are left out.
    pub fn signatures(&self, tags: &[&str]) -> Result<BTreeMap<String, Signature>> {
        let signatures = self.meta_graph(tags)?.signature_def.iter();
        let dense = signatures
            .filter(|(name, _)| !name.starts_with("__saved_model"))
            .filter_map(|(name, proto)| Some((name.clone(), Signature::from_proto(proto).ok()?)));
        Ok(dense.collect())
    }

    /// The bundle with its variables; `None` if it has none.
    pub fn bundle(&self) -> Result<Option<BundleReader>> {
        let prefix = self.folder.join(VARIABLES);
        let prefix = prefix.to_str().ok_or_else(|| {
            Status::invalid_argument(format!("{} is not valid UTF-8", self.folder.display()))
        })?;
        crate::bundle::index_file(prefix).exists().then(|| BundleReader::open(prefix)).transpose()
    }

    /// The values of a graph's variables, by the names of their nodes.
    pub fn variables(&self, tags: &[&str]) -> Result<BTreeMap<String, Tensor>> {
        let meta = self.meta_graph(tags)?;
        let Some(mut bundle) = self.bundle()? else { return Ok(BTreeMap::new()) };
        let mut values = BTreeMap::new();
        for (variable, key) in restored_from(meta)? {
            // What TensorFlow keeps besides, such as save counters, may be no variable of the graph.
            if bundle.contains(&key) {
                values.insert(variable, bundle.read(&key)?);
            }
        }
        Ok(values)
    }

    /// Everything of one graph.
    pub fn model(&self, tags: &[&str]) -> Result<Model> {
        let meta = self.meta_graph(tags)?;
        let node = |info: &downpour_wire::proto::TensorInfo| match &info.encoding {
            Some(tensor_info::Encoding::Name(name)) => Some(name.clone()),
            _ => None,
        };
        let assets = meta.asset_file_def.iter().filter_map(|asset| {
            // A name with a path in it could lead anywhere.
            let name = Path::new(&asset.filename).file_name()?.to_str()?;
            Some(Asset {
                file_name: name.into(),
                path: self.folder.join(ASSETS).join(name),
                tensor: node(asset.tensor_info.as_ref()?)?,
            })
        });
        let main = meta.collection_def.get("saved_model_main_op");
        let main = main.and_then(|collection| match &collection.kind {
            Some(collection_def::Kind::NodeList(nodes)) => nodes.value.first().cloned(),
            _ => None,
        });
        let init = meta.signature_def.get("__saved_model_init_op");
        let init = main.or_else(|| node(init?.outputs.values().next()?));
        Ok(Model {
            graph: meta.graph_def.clone().unwrap_or_default(),
            signatures: self.signatures(tags)?,
            variables: self.variables(tags)?,
            assets: assets.collect(),
            init_node: init,
            tags: tags.iter().map(|tag| tag.to_string()).collect(),
        })
    }
}
