//! The generated code of package `downpour`: what a task of ours tells about itself.

include!(concat!(env!("OUT_DIR"), "/downpour.rs"));
