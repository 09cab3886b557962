//! A server's snapshots on a simulated disk that loses power, runs full, fails and damages files, by seed.
//!
//! A restarted server finds the last snapshot whose writing had returned, or a newer one, whole. Damage is refused with
//! the file's name, and is never an empty start.

use std::collections::BTreeMap;

use downpour_simulation::{
    Damage, DiskFault, DiskMutant, Random, Seeds, SimulatedDisk, temporary_folder,
};
use downpour_tensor::Code;

use super::*;
use crate::Mode;

const SEEDS: u64 = 300;

/// A snapshot that has nothing in common with that of another version.
fn snapshot(version: u64) -> Snapshot {
    let values: Vec<f32> = (0..700).map(|i| (version * 1000 + i) as f32).collect();
    Snapshot {
        definition: Definition { program: vec![version as u8; 40].into(), mode: Mode::AtOnce },
        version,
        steps: version,
        lost: 0,
        known: 0,
        shares: 0,
        start: version,
        members: Vec::new(),
        applied: Vec::new(),
        values: vec![
            ("w".into(), Tensor::vector(&values).unwrap()),
            ("name".into(), Tensor::from_string(version.to_string()).unwrap()),
        ],
        placed: Placed::default(),
        moved_by: 0,
        prepared: None,
    }
}

fn bytes(snapshot: &Snapshot) -> Vec<u8> {
    let mut bytes = Vec::new();
    snapshot.write_to(&mut bytes).unwrap();
    bytes
}

/// The version that is found, 0 for none.
fn found(path: &Path) -> std::result::Result<u64, String> {
    let Some(found) = read_snapshot(path).map_err(|e| e.to_string())? else { return Ok(0) };
    let same = bytes(&found) == bytes(&snapshot(found.version));
    same.then_some(found.version).ok_or(format!("a mixture with version {}", found.version))
}

type Outcome = std::result::Result<(BTreeMap<DiskFault, usize>, Option<Damage>), String>;

fn run(seed: u64, mutant: Option<DiskMutant>) -> Outcome {
    let root = temporary_folder();
    let mut random = Random::new(seed);
    let simulated = match mutant {
        Some(mutant) => SimulatedDisk::with_mutant(root.path(), random.fork(), mutant),
        None => SimulatedDisk::new(root.path(), random.fork()),
    };
    let disk = simulated.disk();
    let path = root.path().join("servers").join("ps-0.snapshot");
    let (mut acknowledged, mut tried) = (0, 0);
    for _ in 0..random.between(2, 6) {
        if random.chance(700) {
            simulated.die_after(random.below(40));
        }
        if random.chance(300) {
            simulated.fill(random.below(9000) as usize);
        }
        if random.chance(300) {
            simulated.fail_sync_after(random.below(9));
        }
        let opened = disk.open_folder(&root.path().join("servers")).is_ok();
        for _ in 0..if opened { random.between(1, 5) } else { 0 } {
            tried += 1;
            match write_snapshot_on(&disk, &snapshot(tried), &path) {
                Ok(()) => acknowledged = tried,
                Err(e) if !e.message().contains("ps-0.snapshot") => return Err(e.to_string()),
                Err(_) => simulated.make_room(),
            }
        }
        match random.chance(300) {
            true => simulated.restart_process(),
            false => simulated.lose_power(),
        }
        let version = found(&path)?;
        if version < acknowledged || version > tried {
            return Err(format!("{version} of {tried} after {acknowledged} had been written"));
        }
    }
    let damaged = simulated.damage(|file| file == path).map(|(_, damage)| damage);
    if let Some(damage) = damaged {
        let refused = read_snapshot(&path).err().ok_or(format!("{damage:?} was not noticed"))?;
        let code = match damage {
            Damage::Unreadable => Code::Unavailable,
            _ => Code::DataLoss,
        };
        if refused.code() != code || !refused.message().contains(&*path.to_string_lossy()) {
            return Err(format!("{damage:?}: {refused}"));
        }
    }
    Ok((simulated.faults(), damaged))
}

#[test]
fn whatever_the_disk_does_the_newest_snapshot_is_found() {
    let (mut faults, mut damages) = (BTreeMap::new(), [0; 3]);
    let seeds = Seeds::from_environment(SEEDS);
    seeds.run("downpour-params", "whatever_the_disk_does", |seed| {
        let (seen, damaged) = run(seed, None).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        seen.into_iter().for_each(|(fault, count)| *faults.entry(fault).or_insert(0) += count);
        match damaged {
            Some(Damage::Flipped(_)) => damages[0] += 1,
            Some(Damage::Truncated(_)) => damages[1] += 1,
            Some(Damage::Unreadable) => damages[2] += 1,
            None => {}
        }
    });
    println!("{faults:?}; flipped, truncated, unreadable: {damages:?}");
    if seeds.are_many() {
        assert_eq!(SimulatedDisk::missing(&faults), []);
        assert!(damages.iter().all(|count| *count > 0), "{damages:?}");
    }
}

#[test]
fn a_snapshot_that_is_not_synced_is_found_out() {
    for mutant in [DiskMutant::NoSync, DiskMutant::NoFolderSync, DiskMutant::RenameBeforeSync] {
        let found = (0..2000).find(|seed| run(*seed, Some(mutant)).is_err());
        println!("{mutant:?}: found by seed {found:?}");
        assert!(found.is_some(), "{mutant:?} is not found");
    }
}

/// As a reader would see it that does not look at the checksum: the damage passes, and the comparison finds it.
#[test]
fn a_snapshot_whose_checksum_nobody_looks_at_is_found_out() {
    let root = temporary_folder();
    let path = root.path().join("ps-0.snapshot");
    let mut forged = bytes(&snapshot(1));
    let end = forged.len() - 4;
    forged[end - 100] ^= 4;
    let sum = crc32c::crc32c(&forged[..end]);
    forged[end..].copy_from_slice(&sum.to_le_bytes());
    std::fs::write(&path, forged).unwrap();
    assert!(found(&path).unwrap_err().contains("a mixture"));
}
