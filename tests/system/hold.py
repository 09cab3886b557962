"""A process that is held just before it puts a file in its place: what happens then does not depend on how fast it is."""
import pathlib
import shutil
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).with_name("held_rename.c")


class Hold:
  """Holds whoever renames a file to a path that contains `name`, until `end`."""

  def __init__(self, name):
    self.folder = pathlib.Path(tempfile.mkdtemp())
    library = self.folder / "held_rename.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"], check=True)
    self.place = self.folder / "hold"
    self.place.mkdir()
    self.environment = {"LD_PRELOAD": str(library), "DOWNPOUR_HELD_NAME": name, "DOWNPOUR_HOLD": str(self.place)}

  def __enter__(self):
    return self

  def __exit__(self, *_):
    shutil.rmtree(self.folder)

  def holds(self):
    return (self.place / "held").exists()

  def end(self):
    # Renamed at once: a file that is made in it meanwhile does not keep it.
    self.place.rename(self.folder / "ended")
