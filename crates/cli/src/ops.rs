//! `downpour ops`: what this build can run.

use std::io::Write;

use clap::Args;
use downpour_tensor::{Result, Status};

#[derive(Args)]
pub struct OpsArgs {
    /// One JSON object a line: name, whether it has a gradient rule, whether it is stateful.
    #[arg(long)]
    json: bool,
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
