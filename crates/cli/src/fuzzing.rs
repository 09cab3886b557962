//! Entry points for the fuzz targets in `fuzz/`.

use crate::train::job::Job;

/// Reads a job's file. A job that is accepted can be written and read again.
pub fn job_file(text: &str) {
    let Ok(job) = Job::parse(text, "job.toml") else { return };
    let written = job.to_text().expect("what was read can be written");
    Job::parse(&written, "job.toml").expect("what was read and written can be read again");
}
