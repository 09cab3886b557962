//! Turns `proto/` into Rust, with protox in place of protoc so that nothing has to be installed.

mod shapes;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The fields of one-ofs whose messages would blow up every other variant: a graph has many
/// small attributes, and a `TensorProto` in place takes over 400 bytes in each of them.
const BOXED: [&str; 6] = [
    ".tensorflow.AttrValue.value.list",
    ".tensorflow.AttrValue.value.tensor",
    ".tensorflow.StructuredValue.kind.bounded_tensor_spec_value",
    ".tensorflow.StructuredValue.kind.tensor_value",
    ".tensorflow.StructuredValue.kind.numpy_value",
    ".tensorflow.Summary.Value.value.tensor",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    println!("cargo::rerun-if-changed=build");

    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(proto_files(Path::new("proto"))?)?;
    let messages = compiler.file_descriptor_set();

    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out_dir.join("shapes.rs"), shapes::source(&compiler.descriptor_pool(), &BOXED))?;
    let descriptors = compiler.include_source_info(false).encode_file_descriptor_set();
    fs::write(out_dir.join("descriptors.bin"), descriptors)?;

    let mut config = prost_build::Config::new();
    config
        // Payloads are taken from the buffer they arrived in instead of being copied.
        .bytes(["."])
        // Equal messages have equal encodings.
        .btree_map(["."])
        // prost's own `Any` copies its payload.
        .extern_path(".google.protobuf.Any", "crate::Any")
        .enable_type_names()
        .type_name_domain(["."], "type.googleapis.com");
    for field in BOXED {
        config.boxed(field);
    }
    #[cfg(feature = "grpc")]
    config.service_generator(
        // How to connect is the caller's business: the clients take any channel, and this
        // crate needs no transport.
        tonic_prost_build::configure().build_transport(false).service_generator(),
    );
    config.compile_fds(messages)?;
    Ok(())
}

fn proto_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(proto_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            files.push(path);
        }
    }
    // The order decides the order of the generated code, which must not vary between builds.
    files.sort();
    Ok(files)
}
