use super::*;

fn values(dataset: &Dataset) -> Vec<i64> {
    dataset.iterate().unwrap().map(|n| n.unwrap()[0].to_scalar::<i64>().unwrap()).collect()
}

fn sorted(mut values: Vec<i64>) -> Vec<i64> {
    values.sort_unstable();
    values
}

#[test]
fn an_epoch_is_a_permutation_whoever_reads_which_part_of_it() {
    // In memory, and in blocks of which the last is shorter.
    for (block, memory) in [(10, 1 << 20), (10, 0), (1, 0), (200, 0)] {
        let data = Addressed::read(&Dataset::range(97), block, memory).unwrap();
        assert_eq!((data.examples(), data.is_in_memory()), (97, memory > 0));
        let all = |epoch| values(&data.range(Some(5), epoch, 0, 97).unwrap());
        let first = all(0);
        assert_eq!(sorted(first.clone()), (0..97).collect::<Vec<_>>());
        assert_ne!(first, all(1));
        assert_eq!(first, all(0));
        for (start, end) in [(0, 0), (0, 31), (13, 14), (31, 97), (96, 97)] {
            let part = data.range(Some(5), 0, start, end).unwrap();
            assert_eq!(values(&part), first[start as usize..end as usize], "{start}..{end}");
        }
        assert_eq!(values(&data.range(None, 4, 20, 40).unwrap()), (20..40).collect::<Vec<_>>());
        assert!(data.range(None, 0, 90, 98).is_err() && data.range(None, 0, 9, 8).is_err());
        // It goes on from a position like every dataset.
        let part = data.range(Some(5), 0, 13, 60).unwrap();
        let mut reading = part.iterate().unwrap();
        reading.by_ref().take(20).for_each(drop);
        let rest = part.iterate_from(&reading.position()).unwrap();
        let rest: Vec<i64> = rest.map(|n| n.unwrap()[0].to_scalar().unwrap()).collect();
        assert_eq!(rest, first[33..60]);
    }
}

#[test]
fn orders_look_random() {
    // How often a number comes to stand in its own half: half of the time.
    let count = 1000;
    let order = Permutation::new(77, count);
    let same = (0..count).filter(|n| (order.of(*n) < count / 2) == (*n < count / 2)).count();
    assert!((400..600).contains(&same), "{same}");
    for count in [1, 2, 3, 17, 64, 65] {
        let order = Permutation::new(3, count);
        let all: std::collections::BTreeSet<u64> = (0..count).map(|n| order.of(n)).collect();
        assert!(all.len() as u64 == count && all.last() == Some(&(count - 1)), "{count}: {all:?}");
    }
}

#[test]
fn data_without_positions_is_refused_with_the_reason() {
    let endless = Addressed::read(&Dataset::range(5).repeat(), 10, 0).err().unwrap();
    assert!(endless.message().contains("never end"), "{endless}");
    let empty = Addressed::read(&Dataset::range(0), 10, 0).err().unwrap();
    assert!(empty.message().contains("there are none"), "{empty}");
}
