use std::path::Path;

use downpour_tensor::DataType;

use super::*;
use crate::{Element, Parallel};

/// Images of one colour: `(class, file, height, width, colour)`.
fn folder(files: &[(&str, &str, usize, usize, u8)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for &(class, file, height, width, colour) in files {
        std::fs::create_dir_all(folder.path().join(class)).unwrap();
        let pixels = vec![colour; height * width * 3];
        let png = downpour_images::png::encode(&pixels, [height, width, 3], false, 6).unwrap();
        std::fs::write(folder.path().join(class).join(file), &png[..]).unwrap();
    }
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

const FLOWERS: [(&str, &str, usize, usize, u8); 4] = [
    ("tulip", "b.png", 3, 4, 40),
    ("rose", "z.PNG", 2, 2, 10),
    ("rose", "a.png", 5, 1, 20),
    ("tulip", "a.jpeg", 1, 1, 30),
];

#[test]
fn folders_are_classes_in_the_order_of_their_names() {
    let folder = folder(&FLOWERS);
    for other in ["rose/.hidden.png", "rose/notes.txt", "top.png"] {
        std::fs::write(folder.path().join(other), "not an image").unwrap();
    }
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let flowers = ImageFolder::open(text(folder.path())).unwrap();
    assert_eq!(
        (flowers.classes(), flowers.len()),
        (&["rose".to_owned(), "tulip".to_owned()][..], 4)
    );
    let data = Dataset::images(text(folder.path())).unwrap();
    assert_eq!(data.describe(), "images(4 of rose, tulip) | load_image(3)");
    assert_eq!(data.length(), Some(Length::Finite(4)));
    let seen: Vec<(Vec<usize>, u8, i64)> = data
        .iterate()
        .unwrap()
        .map(|e| {
            let e = e.unwrap();
            let image = e.get("image").unwrap();
            let label = e.get("label").unwrap().to_scalar().unwrap();
            (image.dims().to_vec(), image.as_slice::<u8>().unwrap()[0], label)
        })
        .collect();
    let expected = [
        (vec![5, 1, 3], 20, 0),
        (vec![2, 2, 3], 10, 0),
        (vec![1, 1, 3], 30, 1),
        (vec![3, 4, 3], 40, 1),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn images_of_one_size_are_batched_and_resumed() {
    let folder = folder(&FLOWERS);
    let files = ImageFolder::open(text(folder.path())).unwrap().files().unwrap();
    let load = LoadImage::new().channels(1).resized(4, 6).scaled();
    let images = files.shuffle(4, 3).unwrap().repeat().map_parallel(Parallel::new(2), load);
    let schema = images.schema().unwrap();
    assert_eq!(
        (schema.fields[0].dtype, &schema.fields[0].shape),
        (DataType::Float, &vec![Some(4), Some(6), Some(1)])
    );
    let batches = images.batch(3, crate::Remainder::Drop).unwrap();
    let mut iterator = batches.iterate().unwrap();
    iterator.next().unwrap();
    let mut resumed = batches.iterate_from(&iterator.position()).unwrap();
    for _ in 0..4 {
        let (expected, found) =
            (iterator.next().unwrap().unwrap(), resumed.next().unwrap().unwrap());
        assert_eq!(found[0].dims(), [3, 4, 6, 1]);
        assert_eq!(
            (found[0].bytes(), found[1].bytes()),
            (expected[0].bytes(), expected[1].bytes())
        );
        assert!(found[0].as_slice::<f32>().unwrap().iter().all(|&v| v <= 40.5 / 255.0));
    }
}

#[test]
fn what_is_no_image_names_its_file_and_the_others_follow() {
    let folder = folder(&FLOWERS);
    std::fs::write(folder.path().join("rose/bad.jpg"), "not an image").unwrap();
    let data = Dataset::images(text(folder.path())).unwrap();
    let (good, bad): (Vec<_>, Vec<_>) = data.iterate().unwrap().partition(|e| e.is_ok());
    let error = bad.into_iter().next().unwrap().unwrap_err();
    assert!(
        error.message().contains("rose/bad.jpg") && error.message().contains("no image"),
        "{error:?}"
    );
    assert_eq!(good.len(), 4);
    let numbers = Dataset::range(1).map(LoadImage::new());
    let error = numbers.iterate().unwrap().next().unwrap_err();
    assert!(error.message().contains("the name of an image's file"), "{error:?}");
}

#[test]
fn contents_are_decoded_where_they_are() {
    let folder = folder(&FLOWERS);
    let bytes = std::fs::read(folder.path().join("tulip/b.png")).unwrap();
    let one = Tensor::string(ByteString::from_vec(bytes).unwrap()).into_shape([1]).unwrap();
    let data =
        Dataset::from_tensors([("encoded", one)]).unwrap().map(LoadImage::new().from_contents());
    let image: Element = data.iterate().unwrap().next().unwrap().unwrap();
    assert_eq!(image.get("image").unwrap().dims(), [3, 4, 3]);
}

#[test]
fn known_classes_hold_and_folders_without_images_are_refused() {
    let folder = folder(&FLOWERS);
    let known: Vec<String> = ["daisy", "rose", "tulip"].map(String::from).to_vec();
    let files = ImageFolder::with_classes(text(folder.path()), &known).unwrap().files().unwrap();
    let first = files.iterate().unwrap().next().unwrap().unwrap();
    assert_eq!(first.get("label").unwrap().to_scalar::<i64>().unwrap(), 1);
    let error = ImageFolder::with_classes(text(folder.path()), &known[..2]).unwrap_err();
    assert!(
        error.message().contains("tulip") && error.message().contains("daisy, rose"),
        "{error:?}"
    );
    for place in [folder.path().join("rose"), folder.path().join("nowhere")] {
        let error = ImageFolder::open(text(&place)).unwrap_err();
        assert!(error.message().contains("each class needs a folder"), "{error:?}");
    }
}
