use std::io::Write;

use super::*;

/// A file that is replaced again and again, as `AtomicFile` does it.
fn replace(disk: &Disk, place: &Path, value: u8) -> std::io::Result<()> {
    let new = place.with_extension("new");
    match disk.remove(&new) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    let mut file = disk.create(&new)?;
    file.write_all(&[value; 2000])?;
    file.sync()?;
    file.rename(place)?;
    disk.sync_folder_of(place)
}

/// Replaces a file until the machine loses power, many times; says what went wrong.
fn run(seed: u64, mutant: Option<DiskMutant>) -> Result<BTreeMap<DiskFault, usize>, String> {
    let folder = temporary_folder();
    let mut random = Random::new(seed);
    let simulated = match mutant {
        Some(mutant) => SimulatedDisk::with_mutant(folder.path(), random.fork(), mutant),
        None => SimulatedDisk::new(folder.path(), random.fork()),
    };
    let disk = simulated.disk();
    let place = folder.path().join("inner").join("value");
    let (mut saved, mut tried) = (0, 0);
    for _ in 0..6 {
        simulated.die_after(random.below(40));
        if random.chance(300) {
            simulated.fill(random.below(5000) as usize);
        }
        if random.chance(300) {
            simulated.fail_sync_after(random.below(6));
        }
        let mut open = false;
        while !simulated.is_dead() {
            if simulated.0.lock().room == Some(0) {
                simulated.make_room();
            }
            tried += 1;
            open = open || disk.open_folder(&folder.path().join("inner")).is_ok();
            if open && replace(&disk, &place, tried).is_ok() {
                saved = tried;
            }
        }
        match random.chance(300) {
            true => simulated.restart_process(),
            false => simulated.lose_power(),
        }
        let found = std::fs::read(&place).unwrap_or_default();
        let whole =
            found.is_empty() || (found.len() == 2000 && found.iter().all(|b| *b == found[0]));
        let value = found.first().copied().unwrap_or(0);
        if !whole || value < saved || value > tried {
            return Err(format!("{value} after {saved} of {tried}, {} bytes", found.len()));
        }
    }
    Ok(simulated.faults())
}

#[test]
fn a_file_that_is_replaced_rightly_survives() {
    let mut all = BTreeMap::new();
    for seed in 0..300 {
        for (fault, count) in run(seed, None).unwrap() {
            *all.entry(fault).or_insert(0) += count;
        }
    }
    assert_eq!(SimulatedDisk::missing(&all), [], "{all:?}");
}

#[test]
fn each_mistake_is_found() {
    for mutant in [DiskMutant::NoSync, DiskMutant::NoFolderSync, DiskMutant::RenameBeforeSync] {
        let found = (0..300).filter(|seed| run(*seed, Some(mutant)).is_err()).count();
        assert!(found > 20, "{mutant:?}: in {found} of 300 seeds");
    }
}

#[test]
fn damage_is_done_and_told() {
    let folder = temporary_folder();
    let simulated = SimulatedDisk::new(folder.path(), Random::new(1));
    let (mut kinds, place) = ([0; 3], folder.path().join("file"));
    for value in 0..60 {
        replace(&simulated.disk(), &place, value).unwrap();
        let (path, damage) = simulated.damage(|_| true).unwrap();
        assert_eq!(path, place);
        match (damage, std::fs::read(&path)) {
            (Damage::Flipped(at), Ok(bytes)) => {
                assert!(bytes.len() == 2000 && bytes[at] != value);
                kinds[0] += 1;
            }
            (Damage::Truncated(length), Ok(bytes)) => {
                assert_eq!(bytes, vec![value; length]);
                kinds[1] += 1;
            }
            (Damage::Unreadable, Err(e)) => {
                assert_ne!(e.kind(), std::io::ErrorKind::NotFound);
                kinds[2] += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(kinds.iter().all(|count| *count > 0), "{kinds:?}");
}
