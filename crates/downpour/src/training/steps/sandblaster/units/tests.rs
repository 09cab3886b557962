use std::sync::atomic::AtomicUsize;

use downpour_data::{Element, Remainder};
use downpour_tensor::Bytes;

use super::*;

const EXAMPLES: u64 = 100;
const UNITS: u64 = 8;

/// Numbers with names, of which it is counted how often one is made.
fn examples(of: Dataset, reads: &Arc<AtomicUsize>) -> Dataset {
    let reads = reads.clone();
    of.map(move |example: Element| {
        reads.fetch_add(1, Ordering::Relaxed);
        let number = example[0].to_scalar::<i64>()?;
        Ok(Element::named([
            ("number", Tensor::scalar(number)),
            ("name", Tensor::from_string(format!("example {number}")).unwrap()),
            ("unused", Tensor::zeros(DataType::Float, [1000])?),
        ]))
    })
}

fn by_share(reads: &Arc<AtomicUsize>) -> Source {
    let reads = reads.clone();
    Source::new(move |share: Share| {
        // Cut first, so that a share makes its own examples only.
        let own = Dataset::range(EXAMPLES).shard(share.count as u64, share.index as u64)?;
        examples(own, &reads).batch(4, Remainder::Keep)
    })
}

fn by_position(reads: &Arc<AtomicUsize>) -> Source {
    let data = examples(Dataset::range(EXAMPLES), reads);
    by_share(&Arc::default()).with_positions(move || Positions::shuffled(&data, 4, None))
}

fn names() -> Vec<String> {
    vec!["number".to_string(), "name".to_string()]
}

/// All examples of all units, as numbers, and how many each unit has.
fn pass(units: &Units) -> (Vec<i64>, Vec<usize>) {
    let (mut all, mut sizes) = (Vec::new(), Vec::new());
    for unit in 0..UNITS {
        let before = all.len();
        let unit = Work { point: Arc::default(), unit, units: UNITS };
        let with = |feeds: Feeds| {
            let numbers = feeds[0].to_i64_vec()?;
            for (number, name) in numbers.iter().zip(feeds[1].strings()?) {
                assert_eq!(name.as_ref(), format!("example {number}").as_bytes());
            }
            all.extend(numbers);
            Ok(())
        };
        units.each(&unit, with).unwrap();
        sizes.push(all.len() - before);
    }
    all.sort_unstable();
    (all, sizes)
}

#[test]
fn no_unit_is_read_twice() {
    for source in [by_share, by_position] {
        let reads = Arc::new(AtomicUsize::new(0));
        let units = Units::open(&source(&reads), &names(), UNITS).unwrap();
        for _ in 0..5 {
            let (all, sizes) = pass(&units);
            assert!(all.into_iter().eq(0..EXAMPLES as i64));
            assert!(sizes.iter().all(|size| (12..=13).contains(size)), "{sizes:?}");
        }
        assert_eq!(reads.load(Ordering::Relaxed), EXAMPLES as usize);
    }
}

#[test]
fn what_is_kept_has_room_and_the_rest_is_read_again() {
    let reads = Arc::new(AtomicUsize::new(0));
    // A unit of 13 examples takes 13 * 8 bytes and about 13 * (32 + 10) more.
    let room = 2000;
    let units = Units::with_room(&by_share(&reads), &names(), UNITS, room).unwrap();
    let (all, _) = pass(&units);
    assert!(all.into_iter().eq(0..EXAMPLES as i64));
    let (kept, bytes) = units.kept();
    assert!((1..UNITS as usize).contains(&kept), "{kept} units");
    assert!(bytes <= room, "{bytes} bytes");
    let first = reads.load(Ordering::Relaxed);
    let (all, sizes) = pass(&units);
    assert!(all.into_iter().eq(0..EXAMPLES as i64));
    assert_eq!(units.kept(), (kept, bytes));
    // Those kept are the first that were read.
    let again: usize = sizes[kept..].iter().sum();
    assert_eq!(reads.load(Ordering::Relaxed) - first, again);
}

#[test]
fn positions_in_memory_are_not_kept_again() {
    let units = Units::open(&by_position(&Arc::default()), &names(), UNITS).unwrap();
    pass(&units);
    assert_eq!(units.kept(), (0, 0));
}

#[test]
fn copies_keep_nothing_else_alive() {
    let large = Tensor::from_vec([1000, 2], (0..2000i64).collect()).unwrap();
    let part = own(&large.rows(10, 12).unwrap()).unwrap();
    assert_eq!(part.as_slice::<i64>().unwrap(), [20, 21, 22, 23]);
    assert_eq!(part.to_bytes().unwrap().len(), 32);
    let page = Bytes::from(vec![b'x'; 1000]);
    let whole = ByteString::from_bytes(page.clone()).unwrap();
    let strings = vec![whole.slice(0..3), ByteString::new(), whole.slice(500..502)];
    drop(whole);
    let copy = own(&Tensor::from_strings([3], strings).unwrap()).unwrap();
    assert_eq!(copy.strings().unwrap(), [&b"xxx"[..], b"", b"xx"]);
    // The page has no owner but this test.
    drop(part);
    assert!(page.try_into_mut().is_ok());
}
