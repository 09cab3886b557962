//! Fuzz targets: each takes any bytes and must return. A panic, an abort, a hang or memory without end is a bug.
//!
//! Two programs run them. `downpour-fuzz` changes seeds at random and needs nothing special, so `cargo xtask test`
//! runs every target with it for a few seconds. `downpour-libfuzzer` is guided by coverage (libFuzzer) and goes much
//! deeper; `cargo xtask fuzz` builds and runs it.

pub mod mutate;
pub mod operation;
pub mod watch;

/// Declares the modules of the targets and lists them by name.
macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        mod targets {
            $(pub mod $name;)*
        }

        /// All targets, by name.
        pub const TARGETS: &[Target] =
            &[$(Target { name: stringify!($name), run: targets::$name::run }),*];
    };
}

/// Something that parses bytes from outside.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name of its module, and of its folder in `fuzz/seeds`.
    pub name: &'static str,
    /// Runs it on one input.
    pub run: fn(&[u8]),
}

targets! {
    bmp_file,
    checkpoint_folder,
    checkpoint_index,
    cluster_spec,
    collectives,
    compressed_element,
    compressed_string,
    compressed_tensor,
    coordinator_door,
    coordinator_log,
    data_files,
    event_file,
    example_json,
    example_message,
    gif_file,
    graph_def,
    job_file,
    journal,
    jpeg_file,
    message_text,
    parameter_messages,
    png_file,
    record_file,
    safetensors_file,
    saved_model,
    server_port,
    snapshot_file,
    tensor_proto,
    unicode_text,
    wav_file,
    webp_file,
}

/// The target of this name.
pub fn find(name: &str) -> Option<Target> {
    TARGETS.iter().find(|target| target.name == name).copied()
}
