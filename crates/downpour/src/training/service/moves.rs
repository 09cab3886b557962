//! What must go from which server to which, so that a layout becomes another.

use downpour_params::{Assembly, Move, Piece};
use downpour_tensor::{Bytes, Result, Status};

use super::division::{Division, Held};

/// From one division to another.
pub(super) fn plan(
    before: &Division,
    after: &Division,
    programs: Vec<Bytes>,
    layout: Bytes,
) -> Result<Move> {
    let (mut values, mut leaving) = (Vec::new(), Vec::new());
    for (server, (old, new)) in before.servers.iter().zip(&after.servers).enumerate() {
        let mut comes: Vec<Assembly> = Vec::new();
        for held in new {
            let stays = |own: &&Held| own.name == held.name && own.rows == held.rows;
            if old.iter().find(stays).is_some() {
                continue;
            }
            let pieces = pieces(before, held)?;
            let known = |name: &&String| !old.iter().any(|own| own.needs.contains(name));
            // What a server has not used so far has not gone with the others.
            for name in held.needs.iter().filter(known) {
                if !comes.iter().any(|assembly| assembly.name == *name) {
                    let piece = Piece { server: pieces[0].server, rows: None };
                    comes.push(Assembly { name: name.clone(), pieces: vec![piece] });
                }
            }
            if !comes.iter().any(|assembly| assembly.name == held.name) {
                comes.push(Assembly { name: held.name.clone(), pieces });
            }
        }
        let gone = old.iter().filter(|own| !new.iter().any(|held| held.name == own.name));
        leaving.push(gone.map(|own| own.name.clone()).collect());
        tracing::debug!("{} values go to ps/{server}", comes.len());
        values.push(comes);
    }
    Ok(Move { layout, programs, values, leaving })
}

/// Where a value's rows are now, in their order.
fn pieces(before: &Division, held: &Held) -> Result<Vec<Piece>> {
    let all = before.servers.iter().enumerate();
    let all = all.flat_map(|(server, held)| held.iter().map(move |held| (server, held)));
    let mut pieces = Vec::new();
    for (server, old) in all.filter(|(_, old)| old.name == held.name) {
        let rows = held.variable.shape().dims().first().copied().unwrap_or(1);
        let (from, to) =
            (old.rows.clone().unwrap_or(0..rows), held.rows.clone().unwrap_or(0..rows));
        let common = from.start.max(to.start)..from.end.min(to.end);
        if old.rows.is_none() && held.rows.is_none() {
            return Ok(vec![Piece { server, rows: None }]);
        }
        if !common.is_empty() {
            let rows = common.start - from.start..common.end - from.start;
            pieces.push(Piece { server, rows: Some(rows) });
        }
    }
    match pieces.is_empty() {
        true => Err(Status::internal(format!("no parameter server has '{}'", held.name))),
        false => Ok(pieces),
    }
}
