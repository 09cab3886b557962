//! The log on a simulated disk that loses power, runs full, fails and damages files, by seed.
//!
//! Whoever takes the log after a restart finds every record whose writing had returned, in order and whole, and perhaps
//! the last one that was being written. Damage is refused with the file's name, and never read as less or as nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use downpour_disk::Disk;
use downpour_simulation::{
    Damage, DiskFault, DiskMutant, Random, Seeds, SimulatedDisk, temporary_folder,
};
use downpour_tensor::Code;

use super::{FileStorage, Storage, Stored, SyncPolicy};

const SEEDS: u64 = 600;

/// A record or snapshot: its number, and bytes that follow from it. None is zero, so that no sector is missing in one
/// that is whole.
fn payload(number: u32) -> Vec<u8> {
    let mut random = Random::new(number.into());
    let length = random.below(1500) as usize;
    let rest = (0..length).map(|_| random.between(1, 255) as u8);
    number.to_le_bytes().into_iter().map(|byte| byte.wrapping_add(1)).chain(rest).collect()
}

fn number_of(bytes: &[u8]) -> Result<u32, String> {
    let number = bytes.get(..4).ok_or("a record without a number")?;
    let number = [0, 1, 2, 3].map(|i| number[i].wrapping_sub(1));
    let number = u32::from_le_bytes(number);
    (payload(number) == bytes).then_some(number).ok_or(format!("record {number} is not whole"))
}

struct Run {
    simulated: SimulatedDisk,
    random: Random,
    path: PathBuf,
    /// Since the last snapshot that was acknowledged, and its own number first; and whether each was acknowledged.
    history: Vec<(u32, bool)>,
    next: u32,
    term: u64,
    damages: [usize; 3],
}

impl Run {
    fn open(&self, disk: &Disk) -> downpour_tensor::Result<FileStorage> {
        FileStorage::open_on(disk, &self.path, SyncPolicy::Always)
    }

    /// Takes the log, checks it and writes until the process dies.
    fn live(&mut self) -> Result<(), String> {
        let disk = self.simulated.disk();
        let Ok(mut storage) = self.open(&disk) else { return Ok(()) };
        let (mut term, stored) = match storage.claim() {
            Ok(claimed) => claimed,
            Err(status) if status.code() == Code::DataLoss => return Err(status.to_string()),
            Err(_) => return Ok(()),
        };
        self.check(term, &stored)?;
        for _ in 0..self.random.between(1, 12) {
            self.next += 1;
            let number = self.next;
            if self.random.chance(150) {
                match storage.replace(term, &payload(number)) {
                    Ok(()) => self.history = vec![(number, true)],
                    // It may be there, with nothing before it, or not.
                    Err(_) => self.history.push((number, false)),
                }
            } else {
                let written = storage.append(term, &payload(number));
                self.history.push((number, written.is_ok()));
            }
            // Whoever reads the error makes room, and sometimes takes the log anew.
            self.simulated.make_room();
            if self.random.chance(100)
                && let Ok((next, stored)) = storage.claim()
            {
                self.check(next, &stored)?;
                term = next;
            }
        }
        Ok(())
    }

    /// What was found: all that was acknowledged, in order; the rest may be there.
    fn check(&mut self, term: u64, stored: &Stored) -> Result<(), String> {
        if term <= self.term {
            return Err(format!("term {term} after {}", self.term));
        }
        self.term = term;
        let all = stored.snapshot.iter().chain(&stored.records);
        let found = all.map(|bytes| number_of(bytes)).collect::<Result<Vec<u32>, _>>()?;
        let mut left = found.iter().copied().peekable();
        let mut kept = Vec::new();
        for (number, acknowledged) in std::mem::take(&mut self.history) {
            let is_there = left.next_if_eq(&number).is_some();
            // A snapshot that was not acknowledged stands for everything before it.
            if is_there && stored.snapshot.is_some() && number == found[0] {
                kept.clear();
            }
            if is_there {
                kept.push((number, true));
            } else if acknowledged {
                kept.push((number, false));
            }
        }
        if let Some((lost, _)) = kept.iter().find(|(_, is_there)| !is_there) {
            return Err(format!("record {lost} is lost: {found:?}"));
        }
        if let Some(number) = left.next() {
            return Err(format!("record {number} was not expected: {found:?} of {kept:?}"));
        }
        self.history = kept;
        Ok(())
    }

    fn trouble(&mut self) {
        if self.random.chance(700) {
            self.simulated.die_after(self.random.below(40));
        }
        if self.random.chance(300) {
            self.simulated.fill(self.random.below(4000) as usize);
        }
        if self.random.chance(300) {
            self.simulated.fail_sync_after(self.random.below(12));
        }
    }

    /// Damages the log: it is refused, or what it holds is a beginning of what it held.
    fn damage(&mut self) -> Result<(), String> {
        let path = self.path.clone();
        let Some((_, damage)) = self.simulated.damage(|other| other == path) else {
            return Ok(());
        };
        let claimed = self.open(&self.simulated.disk()).and_then(|mut storage| storage.claim());
        let what = format!("{damage:?}");
        self.damages[kind(damage)] += 1;
        match (damage, claimed) {
            (_, Err(status)) => {
                let named = status.message().contains(&*path.to_string_lossy());
                let code = match damage {
                    Damage::Unreadable => Code::Unavailable,
                    _ => Code::DataLoss,
                };
                if !named || status.code() != code {
                    return Err(format!("{what}: {status}"));
                }
            }
            // Nobody can tell a file that was cut from one that was not written further.
            (Damage::Truncated(_), Ok((_, stored))) => {
                let all = stored.snapshot.iter().chain(&stored.records);
                let found = all.map(|bytes| number_of(bytes)).collect::<Result<Vec<_>, _>>()?;
                let same = found.iter().zip(&self.history).all(|(a, (b, _))| a == b);
                if !same || found.len() > self.history.len() {
                    return Err(format!("{what}: {found:?} of {:?}", self.history));
                }
            }
            (_, Ok((_, stored))) => {
                return Err(format!("{what} was not noticed: {} records", stored.records.len()));
            }
        }
        Ok(())
    }
}

fn kind(damage: Damage) -> usize {
    match damage {
        Damage::Flipped(_) => 0,
        Damage::Truncated(_) => 1,
        Damage::Unreadable => 2,
    }
}

type Outcome = Result<(BTreeMap<DiskFault, usize>, [usize; 3]), String>;

fn run(seed: u64, mutant: Option<DiskMutant>) -> Outcome {
    let root = temporary_folder();
    let mut random = Random::new(seed);
    let simulated = match mutant {
        Some(mutant) => SimulatedDisk::with_mutant(root.path(), random.fork(), mutant),
        None => SimulatedDisk::new(root.path(), random.fork()),
    };
    let path = root.path().join("coordinator").join("log");
    let (history, next, term, damages) = (Vec::new(), 0, 0, [0; 3]);
    let mut run = Run { simulated, random, path, history, next, term, damages };
    for _ in 0..run.random.between(2, 6) {
        run.trouble();
        run.live()?;
        match run.random.chance(300) {
            true => run.simulated.restart_process(),
            false => run.simulated.lose_power(),
        }
    }
    // A last look, without trouble.
    run.live()?;
    if mutant.is_none() {
        run.damage()?;
    }
    Ok((run.simulated.faults(), run.damages))
}

#[test]
fn whatever_the_disk_does_the_log_has_what_was_acknowledged() {
    let (mut faults, mut damages) = (BTreeMap::new(), [0; 3]);
    let seeds = Seeds::from_environment(SEEDS);
    seeds.run("downpour-coordinator", "whatever_the_disk_does", |seed| {
        let (seen, damaged) = run(seed, None).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        seen.into_iter().for_each(|(fault, count)| *faults.entry(fault).or_insert(0) += count);
        (0..3).for_each(|kind| damages[kind] += damaged[kind]);
    });
    println!("{faults:?}; flipped, truncated, unreadable: {damages:?}");
    if seeds.are_many() {
        assert_eq!(SimulatedDisk::missing(&faults), []);
        assert!(damages.iter().all(|count| *count > 0), "{damages:?}");
    }
}

#[test]
fn a_log_that_does_not_sync_is_found_out() {
    for mutant in [DiskMutant::NoSync, DiskMutant::NoFolderSync, DiskMutant::RenameBeforeSync] {
        let found = (0..2000).find(|seed| run(*seed, Some(mutant)).is_err());
        println!("{mutant:?}: found by seed {found:?}");
        assert!(found.is_some(), "{mutant:?} is not found");
    }
}

/// What a reader makes of it that does not look at checksums: the damage passes, and the check of the records' own
/// contents must find it.
#[test]
fn a_log_whose_checksums_nobody_looks_at_is_found_out() {
    let root = temporary_folder();
    let path = root.path().join("log");
    let mut storage = FileStorage::open(&path, SyncPolicy::Never).unwrap();
    let (term, _) = storage.claim().unwrap();
    storage.append(term, &payload(1)).unwrap();
    drop(storage);
    forge(&path);
    let (_, stored) = FileStorage::open(&path, SyncPolicy::Never).unwrap().claim().unwrap();
    assert!(number_of(&stored.records[0]).is_err());
}

/// Changes the last byte of the last record and makes its checksum right again.
fn forge(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let payload = payload(1);
    let start = bytes.len() - payload.len();
    let mut record = payload;
    *record.last_mut().unwrap() ^= 4;
    let term = u64::from_le_bytes(bytes[start - 8..start].try_into().unwrap());
    let frame = super::frame::write(super::frame::Kind::Record, term, &record).unwrap();
    bytes.truncate(start + record.len() - frame.len());
    bytes.extend(frame);
    std::fs::write(path, bytes).unwrap();
}
