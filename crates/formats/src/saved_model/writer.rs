//! Writes a SavedModel folder: variables and assets first, the file that makes it a model last.

use std::collections::HashSet;
use std::path::Path;

use downpour_disk::{AtomicFile, io_error};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::meta_graph_def::MetaInfoDef;
use downpour_wire::proto::{
    AssetFileDef, CollectionDef, MetaGraphDef, SavedModel, SignatureDef, TensorInfo, VersionDef,
    collection_def, tensor_info,
};
use downpour_wire::{Any, Message};

use super::nodes::source;
use super::{ASSETS, MODEL_FILE, Model, VARIABLES, saver};
use crate::bundle::BundleWriter;

/// The version of graphs that this writes, one every TensorFlow 2 reads.
const PRODUCER: i32 = 1087;
/// The largest message TensorFlow reads.
const MAX_BYTES: usize = i32::MAX as usize;
const INIT: &str = "__saved_model_init_op";

impl Model {
    /// Writes the model into a folder that has none yet. Devices are left out of the graph: it is to be
    /// served elsewhere.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let place = folder.join(MODEL_FILE);
        if place.exists() {
            return Err(Status::already_exists(format!(
                "{} is there already; choose another folder, or remove it first",
                place.display()
            )));
        }
        let meta_graph = self.meta_graph()?;
        let model = SavedModel { saved_model_schema_version: 1, meta_graphs: vec![meta_graph] };
        if model.encoded_len() > MAX_BYTES {
            return Err(Status::invalid_argument(
                "the graph takes more than 2 GB; large constants should be variables",
            ));
        }
        if !self.variables.is_empty() {
            let prefix = folder.join(VARIABLES);
            let prefix = prefix.to_str().ok_or_else(|| {
                Status::invalid_argument(format!("{} is not valid UTF-8", folder.display()))
            })?;
            let mut writer = BundleWriter::create(prefix)?;
            for (name, tensor) in &self.variables {
                writer.add(name, tensor)?;
            }
            writer.finish()?;
        }
        for asset in &self.assets {
            let to = folder.join(ASSETS).join(&asset.file_name);
            let bytes =
                std::fs::read(&asset.path).map_err(|e| io_error("read", &asset.path, &e))?;
            let mut file = AtomicFile::create(&to)?;
            file.write(&bytes)?;
            file.commit()?;
        }
        let mut file = AtomicFile::create(&place)?;
        file.write(&model.encode_to_vec())?;
        file.commit()
    }

    fn meta_graph(&self) -> Result<MetaGraphDef> {
        let mut graph = self.graph.clone();
        for node in &mut graph.node {
            node.device.clear();
        }
        graph.versions.get_or_insert(VersionDef { producer: PRODUCER, ..Default::default() });
        self.check_names(&graph)?;
        let mut meta = MetaGraphDef {
            meta_info_def: Some(MetaInfoDef {
                tags: self.tags.clone(),
                tensorflow_version: "2.21.0".into(),
                tensorflow_git_version: concat!("downpour ", env!("CARGO_PKG_VERSION")).into(),
                ..Default::default()
            }),
            ..Default::default()
        };
        if !self.variables.is_empty() {
            let (saver_def, described) = saver::add(&mut graph, &self.variables)?;
            meta.saver_def = Some(saver_def);
            let value = described.iter().map(|one| one.encode_to_vec().into()).collect();
            let list = collection_def::Kind::BytesList(collection_def::BytesList { value });
            let list = CollectionDef { kind: Some(list) };
            meta.collection_def.insert("variables".into(), list.clone());
            meta.collection_def.insert("trainable_variables".into(), list);
        }
        for (name, signature) in &self.signatures {
            meta.signature_def.insert(name.clone(), signature.to_proto());
        }
        if let Some(init) = &self.init_node {
            let nodes = collection_def::NodeList { value: vec![init.clone()] };
            let nodes = CollectionDef { kind: Some(collection_def::Kind::NodeList(nodes)) };
            meta.collection_def.insert("saved_model_main_op".into(), nodes);
            let info = TensorInfo {
                encoding: Some(tensor_info::Encoding::Name(init.clone())),
                ..Default::default()
            };
            let signature =
                SignatureDef { outputs: [(INIT.into(), info)].into(), ..Default::default() };
            meta.signature_def.insert(INIT.into(), signature);
        }
        if !self.assets.is_empty() {
            let files = self.assets.iter().map(|asset| AssetFileDef {
                tensor_info: Some(TensorInfo {
                    encoding: Some(tensor_info::Encoding::Name(asset.tensor.clone())),
                    ..Default::default()
                }),
                filename: asset.file_name.clone(),
            });
            meta.asset_file_def = files.collect();
            let value = meta.asset_file_def.iter().map(Any::pack).collect();
            let list = collection_def::Kind::AnyList(collection_def::AnyList { value });
            meta.collection_def
                .insert("saved_model_assets".into(), CollectionDef { kind: Some(list) });
        }
        meta.graph_def = Some(graph);
        Ok(meta)
    }

    /// Everything the model speaks of is in its graph.
    fn check_names(&self, graph: &downpour_wire::proto::GraphDef) -> Result<()> {
        let names: HashSet<&str> = graph.node.iter().map(|node| node.name.as_str()).collect();
        let check = |what: String, tensor: &str| {
            let node = source(tensor).0;
            names.contains(node).then_some(()).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "{what} is the tensor '{tensor}', which is not in the graph"
                ))
            })
        };
        for (key, signature) in &self.signatures {
            for (name, spec) in signature.inputs.iter().chain(&signature.outputs) {
                check(format!("'{name}' of the signature '{key}'"), &spec.name)?;
            }
        }
        for asset in &self.assets {
            if asset.file_name.is_empty()
                || asset.file_name.contains('/')
                || asset.file_name == ".."
            {
                return Err(Status::invalid_argument(format!(
                    "'{}' is no file name",
                    asset.file_name
                )));
            }
            check(format!("the asset '{}'", asset.file_name), &asset.tensor)?;
        }
        self.init_node.iter().try_for_each(|init| check("the initialization".into(), init))
    }
}
