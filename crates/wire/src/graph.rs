//! Graphs inside strings.

use bytes::Bytes;
use downpour_tensor::{Charge, Result, Status};
use prost::Message;

use crate::proto::GraphDef;
use crate::shape::{Scan, request_shape};

/// Decodes a graph somebody sent as a string. What it takes counts against the memory limit while the charge lives.
pub fn decode_graph(bytes: Bytes) -> Result<(GraphDef, Charge)> {
    let malformed = || Status::invalid_argument("Could not parse GraphDef");
    // A request whose second field is a graph tells what the graph takes.
    let shape = request_shape("/tensorflow.MasterService/ExtendSession");
    let shape = shape.ok_or_else(|| Status::internal("sessions can be extended by graphs"))?;
    let mut head = vec![2 << 3 | 2];
    prost::encode_length_delimiter(bytes.len(), &mut head).map_err(|_| malformed())?;
    let mut scan = Scan::new(shape, head.len() + bytes.len());
    let cost = scan.take(&head).and_then(|head| Ok(head + scan.take(&bytes)?));
    let charge = Charge::new(cost.map_err(|_| malformed())?)?;
    Ok((GraphDef::decode(bytes).map_err(|_| malformed())?, charge))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::NodeDef;

    #[test]
    fn graphs_are_read_and_counted() {
        let node = vec![NodeDef { name: "n".into(), ..NodeDef::default() }; 10];
        let graph = GraphDef { node, ..GraphDef::default() };
        let (read, _charge) = decode_graph(graph.encode_to_vec().into()).unwrap();
        assert_eq!(read, graph);
        assert!(decode_graph(Bytes::from_static(b"\x0a\xff")).is_err());
        assert!(decode_graph(Bytes::new()).unwrap().0.node.is_empty());
    }
}
