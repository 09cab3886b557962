//! MergeV2Checkpoints: one checkpoint of the parts that several tasks wrote.

use std::path::{Path, PathBuf};

use downpour_formats::merge_bundles;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use super::arguments::{charge_names, file_prefix};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "MergeV2Checkpoints(checkpoint_prefixes: string, destination_prefix: string) -> () @stateful
                delete_old_dirs: bool = true
                allow_missing_files: bool = false",
        )?
        .shape(shapes::unknown)
        .not_differentiable(),
        |build| {
            Ok(KernelBox::blocking(Merge {
                delete_old_dirs: build.bool("delete_old_dirs")?,
                allow_missing: build.bool("allow_missing_files")?,
            }))
        },
    )
}

struct Merge {
    delete_old_dirs: bool,
    allow_missing: bool,
}

impl Kernel for Merge {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let prefixes = cx.vector_input(0)?.strings()?;
        let _charge = charge_names(prefixes)?;
        let prefixes = prefixes.iter().map(|p| file_prefix(cx, p)).collect::<Result<Vec<_>>>()?;
        let merged = match cx.scalar_input(1)?.strings()? {
            [merged] => file_prefix(cx, merged)?,
            _ => return Err(cx.bad_input(1, "must be a scalar")),
        };
        merge_bundles(&prefixes, &merged, self.allow_missing)?;
        if self.delete_old_dirs {
            let kept = folder(&merged);
            for old in prefixes.iter().map(|p| folder(p)).filter(|f| *f != kept) {
                // Only an empty folder goes, and failing to remove it harms nobody.
                let _ = std::fs::remove_dir(old);
            }
        }
        Ok(())
    }
}

fn folder(prefix: &str) -> PathBuf {
    Path::new(prefix).parent().map(PathBuf::from).unwrap_or_default()
}
