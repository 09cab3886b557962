//! What a person sees of a run.

use std::path::{Path, PathBuf};

use downpour_tensor::Result;

use super::job::Job;

pub struct Shown {
    run: PathBuf,
}

impl Shown {
    pub fn start(run: &Path, _job: &Job) -> Result<Shown> {
        Ok(Shown { run: run.to_path_buf() })
    }

    pub fn end(self, failed: Option<&str>, _json: bool) -> Result<()> {
        if let Some(text) = failed {
            eprint!("{text}");
        }
        println!("{}", self.run.display());
        Ok(())
    }
}
