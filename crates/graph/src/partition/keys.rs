//! Rendezvous keys: the names under which values cross between devices, as TensorFlow writes them.

use downpour_tensor::{Result, Status};

/// `source device;incarnation;destination device;edge name;frame:iteration`, outside of all loops.
pub fn rendezvous_key(source: &str, incarnation: u64, target: &str, edge: &str) -> String {
    format!("{source};{incarnation:016x};{target};{edge};0:0")
}

/// The parts of a rendezvous key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeKey<'a> {
    pub source: &'a str,
    pub incarnation: u64,
    pub target: &'a str,
    pub edge: &'a str,
    pub iteration: &'a str,
}

impl<'a> EdgeKey<'a> {
    pub fn parse(key: &'a str) -> Result<EdgeKey<'a>> {
        let malformed = || Status::invalid_argument(format!("Invalid rendezvous key: '{key}'"));
        let mut parts = key.split(';');
        let mut next = || parts.next().ok_or_else(malformed);
        let (source, incarnation, target, edge, iteration) =
            (next()?, next()?, next()?, next()?, next()?);
        let incarnation = u64::from_str_radix(incarnation, 16).map_err(|_| malformed())?;
        if parts.next().is_some() {
            return Err(malformed());
        }
        Ok(EdgeKey { source, incarnation, target, edge, iteration })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_written() {
        let key = rendezvous_key("/job:ps/task:0", 0xabc, "/job:worker/task:1", "edge_7_w");
        assert_eq!(key, "/job:ps/task:0;0000000000000abc;/job:worker/task:1;edge_7_w;0:0");
        let parts = EdgeKey::parse(&key).unwrap();
        assert_eq!((parts.incarnation, parts.edge, parts.iteration), (0xabc, "edge_7_w", "0:0"));
        for bad in ["", "a;x;c;d;e", "a;1;c;d", "a;1;c;d;e;f"] {
            assert!(EdgeKey::parse(bad).is_err(), "{bad}");
        }
    }
}
