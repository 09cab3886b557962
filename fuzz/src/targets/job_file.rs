//! Any text as a job's file: a job that can be written down and read again, or an error that names the file.

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    downpour_cli::fuzzing::job_file(text);
}
