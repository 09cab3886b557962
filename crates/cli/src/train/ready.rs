//! The jobs that come with the program.

use downpour_tensor::{Result, Status};

use super::job::Job;

/// Names and texts; the first is what `downpour train` runs.
const JOBS: [(&str, &str); 5] = [
    ("mnist-mlp", include_str!("../../jobs/mnist-mlp.toml")),
    ("mnist-cnn", include_str!("../../jobs/mnist-cnn.toml")),
    ("mnist-resnet", include_str!("../../jobs/mnist-resnet.toml")),
    ("mnist-lstm", include_str!("../../jobs/mnist-lstm.toml")),
    ("adult-wide-and-deep", include_str!("../../jobs/adult-wide-and-deep.toml")),
];

pub const DEFAULT: &str = JOBS[0].0;

/// A job by its name.
pub fn find(name: &str) -> Option<Result<Job>> {
    let (name, text) = JOBS.iter().find(|(known, _)| *known == name)?;
    Some(Job::parse(text, &format!("the ready-made job {name}")))
}

/// What there is, a line each.
pub fn list() -> Result<Vec<(String, String)>> {
    let line = |(name, text): &(&str, &str)| {
        Job::parse(text, name).map(|job| (name.to_string(), job.about))
    };
    JOBS.iter().map(line).collect()
}

/// A job's file or the name of a ready-made one.
pub fn open(what: &str) -> Result<Job> {
    if let Some(job) = find(what) {
        return job;
    }
    let text = std::fs::read_to_string(what).map_err(|e| {
        let names: Vec<&str> = JOBS.iter().map(|(name, _)| *name).collect();
        Status::not_found(format!(
            "cannot read the job '{what}': {e}\nhint: give a file, or the name of a ready-made job: {}",
            names.join(", ")
        ))
    })?;
    Job::parse(&text, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ready_made_jobs_are_what_they_are_called() {
        for (name, _) in JOBS {
            let job = find(name).unwrap().unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(job.name, name);
            assert!(!job.about.is_empty());
        }
    }
}
