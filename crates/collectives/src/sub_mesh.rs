//! Some ranks of a mesh as a mesh of their own.

use downpour_tensor::Result;

use crate::cost::CostModel;
use crate::mesh::{Incoming, Mesh, Outgoing};

/// A view of the ranks `members`, of which this one must be; they count from 0 in that order.
pub struct SubMesh<'a, M> {
    mesh: &'a mut M,
    members: &'a [usize],
    rank: usize,
}

impl<'a, M: Mesh> SubMesh<'a, M> {
    /// `members` must be the same list on all of them, with this rank in it.
    pub fn new(mesh: &'a mut M, members: &'a [usize]) -> SubMesh<'a, M> {
        let own = mesh.rank();
        // Who is not a member has a rank past the end: every exchange with it fails.
        let rank = members.iter().position(|&r| r == own).unwrap_or(members.len());
        SubMesh { mesh, members, rank }
    }
}

impl<M: Mesh> Mesh for SubMesh<'_, M> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.members.len()
    }

    fn machine(&self, rank: usize) -> usize {
        self.members.get(rank).map_or(0, |&rank| self.mesh.machine(rank))
    }

    fn costs(&self) -> CostModel {
        self.mesh.costs()
    }

    fn next_operation(&mut self) -> u32 {
        self.mesh.next_operation()
    }

    async fn exchange(
        &mut self,
        tag: u64,
        outgoing: Option<Outgoing<'_>>,
        incoming: Option<Incoming<'_>>,
    ) -> Result<()> {
        crate::mesh::check_peers(self.rank, self.members.len(), &outgoing, &incoming)?;
        let members = self.members;
        let outgoing = outgoing.map(|o| Outgoing { to: members[o.to], ..o });
        let incoming = incoming.map(|i| Incoming { from: members[i.from], ..i });
        self.mesh.exchange(tag, outgoing, incoming).await
    }
}
