//! `downpour ops`: what this build can run.

use std::io::Write;

use clap::Args;
use downpour_graph::op_def_to_proto;
use downpour_tensor::{Result, Status};
use downpour_wire::Message;

#[derive(Args)]
pub struct OpsArgs {
    /// One JSON object a line: name, whether it has a gradient rule, whether it is stateful.
    #[arg(long)]
    json: bool,
    /// Each definition as an encoded OpDef message in hexadecimal, for comparing with TensorFlow's.
    #[arg(long, conflicts_with = "json")]
    definitions: bool,
}

pub fn run(args: OpsArgs) -> Result<()> {
    let registry = downpour_ops::registry()?;
    let mut out = std::io::stdout().lock();
    for name in registry.ops().names() {
        let Some(spec) = registry.ops().get(name) else { continue };
        let written = if args.json {
            let gradient = spec.gradient.name();
            writeln!(
                out,
                "{{\"name\":\"{name}\",\"gradient\":\"{gradient}\",\"stateful\":{}}}",
                spec.def.is_stateful
            )
        } else if args.definitions {
            let bytes = op_def_to_proto(&spec.def)?.encode_to_vec();
            let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
            writeln!(out, "{hex}")
        } else {
            writeln!(out, "{name}")
        };
        // A reader that has seen enough (`| head`) is not an error.
        match written {
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
            result => result.map_err(|e| Status::internal(format!("cannot write: {e}")))?,
        }
    }
    Ok(())
}
