//! Where a step's batch comes from: this worker's share of the data, or what the coordinator has leased to it.

use downpour_data::{DatasetIterator, Element, Position};
use downpour_tensor::{Result, Tensor};

use super::{Parts, no_values};
use crate::training::leases::{Next, Piece};

/// Where batches come from.
pub(super) enum Feed {
    /// By the worker's number; and the next batch, if it was read ahead.
    Share(Box<DatasetIterator>, Option<Result<Option<Fed>>>),
    /// The run has the leases.
    Leases,
}

/// A batch, and where it leaves the worker in its data.
pub(super) struct Fed {
    pub batch: Element,
    pub position: Tensor,
    pub piece: Option<Piece>,
}

impl Feed {
    /// Begins where the worker's place in its data says, or with the leases that it has.
    pub fn open(parts: &mut Parts<'_>) -> Result<Feed> {
        if let Some(leases) = &mut parts.run.leases {
            leases.go_back();
            return Ok(Feed::Leases);
        }
        let own = &parts.run.program.positions[parts.run.placement.index()];
        let saved = parts.session.fetch(&[], &own.value())?;
        let batches = match saved.strings()?.first().filter(|bytes| !bytes.is_empty()) {
            Some(bytes) => parts.run.data.iterate_from(&Position::from_bytes(bytes)?)?,
            None => parts.run.data.iterate()?,
        };
        Ok(Feed::Share(Box::new(batches), None))
    }

    /// The next batch, or why there is none.
    pub fn next(&mut self, parts: &mut Parts<'_>) -> Result<std::result::Result<Fed, String>> {
        match self {
            Feed::Share(batches, ahead) => {
                let fed = ahead.take().unwrap_or_else(|| read(batches))?;
                Ok(fed.ok_or_else(|| "the data has ended".to_string()))
            }
            Feed::Leases => leased(parts),
        }
    }

    /// The batch that comes next, if that can be known already. What has gone wrong with it is said when it is its turn.
    pub fn ahead(&mut self) -> Option<&Fed> {
        match self {
            Feed::Share(batches, ahead) => {
                let next = ahead.get_or_insert_with(|| read(batches));
                next.as_ref().ok()?.as_ref()
            }
            // What is leased may be another's before its turn comes.
            Feed::Leases => None,
        }
    }
}

fn read(batches: &mut DatasetIterator) -> Result<Option<Fed>> {
    let Some(batch) = batches.next()? else { return Ok(None) };
    let position = Tensor::from_string(DatasetIterator::position(batches).to_bytes())?;
    Ok(Some(Fed { batch, position, piece: None }))
}

fn leased(parts: &mut Parts<'_>) -> Result<std::result::Result<Fed, String>> {
    if !has_work(parts)? {
        // Nobody waits for gradients of ours while we wait for data.
        if let Some(exchange) = &mut parts.exchange {
            exchange.flush(&parts.run.local(parts.session, &no_values))?;
        }
        report(parts, None);
    }
    let stop = parts.run.trainer.stop.clone();
    let Some(leases) = &mut parts.run.leases else { return Ok(Err("no leases".to_string())) };
    Ok(match leases.next(&stop)? {
        // The place in the data is the coordinator's to know.
        Next::Batch(batch, piece) => {
            Ok(Fed { batch, position: Tensor::string(""), piece: Some(piece) })
        }
        Next::Stopped => Err("stopped by a signal".to_string()),
    })
}

/// Listens to the coordinator; whether there is something to train on.
fn has_work(parts: &mut Parts<'_>) -> Result<bool> {
    let Some(leases) = &mut parts.run.leases else { return Ok(false) };
    let dropped = leases.hear()?;
    if let Some(exchange) = parts.exchange.as_mut().filter(|_| dropped) {
        exchange.forget();
    }
    Ok(leases.has_work())
}

/// Tells the coordinator what is applied for good. Without an exchange that is what the step was made of: the step
/// itself has changed the servers' variables.
pub(super) fn report(parts: &mut Parts<'_>, piece: Option<Piece>) {
    let Some(leases) = &mut parts.run.leases else { return };
    match &mut parts.exchange {
        Some(exchange) => {
            exchange
                .answered()
                .into_iter()
                .for_each(|(extent, used)| leases.answered(extent, used));
        }
        None => piece.into_iter().for_each(|piece| leases.answered(piece.extent, true)),
    }
}
