"""`downpour train` on files of one's own: folders of images, and TFRecord files that TensorFlow has written."""
import pathlib
import tempfile

from PIL import Image

from harness import tf
from models import digits
from train import train, trained

JOB = """
name = "own"

[model]
kind = "mlp"
hidden = [32]

[data]
%s
batch = 32

[optimizer]
kind = "adam"
learning_rate = 0.003

[train]
steps = 60
checkpoint_every = 30
seed = 7

[cluster]
strategy = "%s"
ps = 1
workers = 2
threads = 1
"""


def job(folder, data, strategy="local"):
  path = pathlib.Path(folder) / "job.toml"
  path.write_text(JOB % (data, strategy))
  return str(path)


def write_images(folder, count=1000):
  """Digits in folders of their names, in three formats."""
  images, labels = digits(count)
  for number, (image, label) in enumerate(zip(images, labels)):
    place = pathlib.Path(folder) / "images" / ("digit-%d" % label)
    place.mkdir(parents=True, exist_ok=True)
    picture = Image.fromarray((image.reshape(28, 28) * 255).astype("uint8"))
    picture.save(place / ("%04d.%s" % (number, ("png", "jpeg", "webp")[number % 3])))


IMAGES = 'source = "images"\ntrain = "%s/images"\nimages = { size = [26, 24], crop_from = [28, 28] }'


def test_a_job_on_a_folder_of_images_and_its_resumption(binary):
  with tempfile.TemporaryDirectory() as folder:
    write_images(folder)
    first = trained(binary, folder, job(folder, IMAGES % folder))
    assert first["step"] == 60 and first["metrics"]["accuracy"] > 0.5, first
    resumed = trained(binary, folder, "--resume", "--steps", "90")
    assert resumed["run"] == first["run"] and resumed["step"] == 90, resumed


def test_a_job_on_a_folder_of_images_on_a_cluster(binary):
  with tempfile.TemporaryDirectory() as folder:
    write_images(folder, 600)
    result = trained(binary, folder, job(folder, IMAGES % folder, "synchronous"))
    assert result["step"] == 60 and result["metrics"]["accuracy"] > 0.4, result


def write_records(folder, count=1000):
  images, labels = digits(count)
  for part in range(2):
    with tf.io.TFRecordWriter("%s/digits-%d.tfrecord" % (folder, part), "GZIP" if part else "") as writer:
      for image, label in list(zip(images, labels))[part::2]:
        writer.write(tf.train.Example(features=tf.train.Features(feature={
            "image": tf.train.Feature(float_list=tf.train.FloatList(value=image)),
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label]))})).SerializeToString())


RECORDS = 'source = "tfrecord"\ntrain = "%s/*.tfrecord"\ncolumns = { image = "float[28, 28]", label = "%s" }'


def test_a_job_on_tfrecord_files(binary):
  with tempfile.TemporaryDirectory() as folder:
    write_records(folder)
    result = trained(binary, folder, job(folder, RECORDS % (folder, "int64")))
    assert result["step"] == 60 and result["metrics"]["accuracy"] > 0.5, result


def test_mistakes_in_such_jobs_say_what_would_be_right(binary):
  with tempfile.TemporaryDirectory() as folder:
    write_records(folder, 4)
    empty = 'source = "images"\ntrain = "%s"\n' % folder
    for data, words in [
        (empty, "needs `images`"),
        (empty + "images = { size = [0, 4] }", "at least 1"),
        (empty + "images = { size = [4, 4] }", "each class needs a folder"),
        (RECORDS % (folder, "double"), "'double' for label"),
        (RECORDS % (folder, "float"), "label"),
        ('source = "tfrecord"\ntrain = "x"', "must be named with their types"),
        ('source = "csv"\ntrain = "x"\nimages = { size = [4, 4] }', "for the source images")]:
      said = train(binary, folder, job(folder, data), code=1).stderr
      assert words in said, (data, said)
