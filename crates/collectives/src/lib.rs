//! All-reduce and its relatives between processes: algorithms, and the meshes of connections they run over.
#![warn(missing_docs)]
