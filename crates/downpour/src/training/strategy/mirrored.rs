//! Workers without servers.

use downpour_cluster::ClusterSpec;
use downpour_compress::Compression;
use downpour_tensor::Result;

use super::{Place, own_place};

/// Every worker has all variables and trains on its part of the data; gradients are averaged between the
/// workers (all-reduce), so that all stay equal: as one process with a batch as large as all of theirs.
///
/// Every process of the cluster runs the same program, as with [`ParameterServer`](super::ParameterServer); there are no servers.
///
/// ```
/// use downpour::training::{ClusterSpec, MultiWorkerMirrored, Strategy};
/// # fn main() -> downpour::Result<()> {
/// let cluster = ClusterSpec::from_json(r#"{"worker": ["10.0.0.1:2222", "10.0.0.2:2222"]}"#)?;
/// let strategy = Strategy::from(MultiWorkerMirrored::new().task(cluster, "worker", 0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct MultiWorkerMirrored {
    place: Option<Place>,
    pub(crate) compression: Compression,
}

impl Default for MultiWorkerMirrored {
    fn default() -> MultiWorkerMirrored {
        MultiWorkerMirrored::new()
    }
}

impl MultiWorkerMirrored {
    /// The workers of the cluster TF_CONFIG describes.
    pub fn new() -> MultiWorkerMirrored {
        MultiWorkerMirrored { place: None, compression: Compression::None }
    }

    /// This process is a task of a cluster, whatever TF_CONFIG says.
    pub fn task(mut self, cluster: ClusterSpec, job: &str, task: u32) -> MultiWorkerMirrored {
        self.place = Some((cluster, job.to_string(), task));
        self
    }

    /// Gradients travel in fewer bytes: every worker then gets everybody's instead of sums.
    pub fn compression(mut self, compression: Compression) -> MultiWorkerMirrored {
        self.compression = compression;
        self
    }

    pub(crate) fn own_place(&self) -> Result<Place> {
        own_place(&self.place, "MultiWorkerMirrored", "--ps 0 --workers 2")
    }
}
