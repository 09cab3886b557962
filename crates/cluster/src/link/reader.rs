//! Receives a link's messages. Payloads are read into the tensors they become, whose memory grows with them.

use std::collections::HashMap;
use std::io;

use downpour_params::{Credit, MAX_HELLO, Payload, read_header};
use downpour_runtime::{Crossing, Slot};
use downpour_tensor::Result;
use prost::Message;
use tokio::io::AsyncRead;

use super::message::{Done, Header, MAX_HEADER, Run, ValueHead};
use super::outgoing::BATCH_VALUES;

/// Values whose chunks come in turn. A sender has no more than 64 MB of values of at least 64 kB under way.
const MAX_TRANSFERS: usize = 1 << 11;

/// Values of one message. A sender puts fewer into one.
const MAX_VALUES: usize = 2 * BATCH_VALUES;

/// A value for a step here, or why it is missing.
pub struct Arrived {
    pub step: i64,
    pub slot: Slot,
    pub value: Result<Crossing>,
}

/// What a message said.
#[derive(Default)]
pub struct News {
    pub ended: Vec<i64>,
    pub values: Vec<Arrived>,
    pub runs: Vec<Run>,
    pub done: Vec<Done>,
}

pub struct Reader<R> {
    stream: R,
    transfers: HashMap<u64, Assembly>,
    header: Vec<u8>,
    credit: Credit,
}

/// A value whose payload has not come to its end.
struct Assembly {
    step: i64,
    slot: Slot,
    payload: Payload,
}

impl<R: AsyncRead + Unpin> Reader<R> {
    pub fn new(stream: R) -> Reader<R> {
        let (transfers, header) = (HashMap::new(), Vec::new());
        Reader { stream, transfers, header, credit: Credit::default() }
    }

    /// The next message; an error ends the connection.
    pub async fn next(&mut self) -> io::Result<News> {
        let header: Header = read_header(&mut self.stream, &mut self.header, MAX_HEADER).await?;
        if header.values.len() > MAX_VALUES {
            return Err(broken("more values than go into one message"));
        }
        let mut values = Vec::with_capacity(header.values.len());
        for head in &header.values {
            if head.dead {
                values.push(Arrived { step: head.step, slot: slot(head), value: Ok(None) });
                continue;
            }
            let mut assembly = begin(head)?;
            if head.transfer == 0 {
                let length = assembly.payload.missing();
                self.fill(&mut assembly, length).await?;
                values.push(assembly.finish());
            } else if self.transfers.len() >= MAX_TRANSFERS
                || self.transfers.insert(head.transfer, assembly).is_some()
            {
                return Err(broken("a transfer that cannot be begun"));
            }
        }
        if let Some(chunk) = &header.chunk {
            let unknown = || broken("a piece of a value that was not announced");
            let mut assembly = self.transfers.remove(&chunk.transfer).ok_or_else(unknown)?;
            let length = usize::try_from(chunk.length).map_err(|_| unknown())?;
            if length > assembly.payload.missing() {
                return Err(broken("more bytes than a value has"));
            }
            self.fill(&mut assembly, length).await?;
            match assembly.payload.missing() == 0 {
                true => values.push(assembly.finish()),
                false => drop(self.transfers.insert(chunk.transfer, assembly)),
            }
        }
        Ok(News { ended: header.ended, values, runs: header.runs, done: header.done })
    }

    /// The first header, which says who the other side is.
    pub async fn hello<M: Message + Default>(&mut self) -> io::Result<M> {
        read_header(&mut self.stream, &mut self.header, MAX_HELLO).await
    }

    /// Reads the next `length` bytes of a value's payload.
    async fn fill(&mut self, assembly: &mut Assembly, length: usize) -> io::Result<()> {
        assembly.payload.read(&mut self.stream, length, &mut self.credit).await
    }
}

impl Assembly {
    fn finish(self) -> Arrived {
        Arrived { step: self.step, slot: self.slot, value: self.payload.finish().map(Some) }
    }
}

fn slot(head: &ValueHead) -> Slot {
    Slot { number: head.slot, frame: head.frame, iteration: head.iteration }
}

fn begin(head: &ValueHead) -> io::Result<Assembly> {
    let length = usize::try_from(head.length).map_err(|_| broken("a length"))?;
    let payload = Payload::new(head.dtype, &head.dims, length, head.encoded);
    Ok(Assembly { step: head.step, slot: slot(head), payload })
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it sent {what}"))
}
