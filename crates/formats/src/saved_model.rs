//! SavedModel folders: a graph, its signatures and the values of its variables, as serving systems and
//! TensorFlow load them; and frozen graphs, in which the variables have become constants.
//!
//! ```no_run
//! use downpour_formats::saved_model::{Model, Signature, SavedModel};
//! # use downpour_tensor::{DataType, Tensor};
//! # let graph = downpour_wire::proto::GraphDef::default();
//! let mut model = Model { graph, ..Model::default() };
//! model.variables.insert("w".into(), Tensor::vector(&[1.0f32])?);
//! let signature = Signature::default()
//!     .input("x", "x:0", DataType::Float, Some(&[-1, 784]))
//!     .output("probabilities", "softmax:0", DataType::Float, Some(&[-1, 10]));
//! model.signatures.insert("serving_default".into(), signature);
//! model.save("models/1".as_ref())?;
//!
//! let read = SavedModel::open("models/1".as_ref())?;
//! let model = read.model(&["serve"])?;
//! assert_eq!(model.variables["w"].len(), 1);
//! # Ok::<(), downpour_tensor::Status>(())
//! ```

mod freeze;
mod nodes;
mod reader;
mod restore_map;
mod saver;
mod signature;
#[cfg(test)]
mod tests;
mod writer;

use std::collections::BTreeMap;
use std::path::PathBuf;

use downpour_tensor::Tensor;
use downpour_wire::proto::GraphDef;

pub use freeze::freeze;
pub use reader::SavedModel;
pub use signature::{Signature, TensorSpec};

/// The file with graph and signatures.
pub const MODEL_FILE: &str = "saved_model.pb";
/// The tag of graphs that are for serving.
pub const SERVE: &str = "serve";

const VARIABLES: &str = "variables/variables";
const ASSETS: &str = "assets";

/// A file the graph needs, as a vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Its name in the model's `assets` folder.
    pub file_name: String,
    /// Where it is now.
    pub path: PathBuf,
    /// The tensor of the graph that is given its path.
    pub tensor: String,
}

/// A model: what is written into a SavedModel folder, and what is read from one.
#[derive(Clone, Debug)]
pub struct Model {
    /// The graph. What saves and restores its variables need not be in it.
    pub graph: GraphDef,
    /// What it can be asked, by name; TensorFlow's default is `serving_default`.
    pub signatures: BTreeMap<String, Signature>,
    /// Values of the variables, by the names of their nodes (VarHandleOp, VariableV2).
    pub variables: BTreeMap<String, Tensor>,
    /// Files it needs.
    pub assets: Vec<Asset>,
    /// A node that is run once after loading, as one that fills tables.
    pub init_node: Option<String>,
    /// What it is for.
    pub tags: Vec<String>,
}

impl Default for Model {
    fn default() -> Model {
        Model {
            graph: GraphDef::default(),
            signatures: BTreeMap::new(),
            variables: BTreeMap::new(),
            assets: Vec::new(),
            init_node: None,
            tags: vec![SERVE.into()],
        }
    }
}
