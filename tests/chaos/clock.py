"""Wall clocks that jump while processes run: one for each task, as if each had a machine of its own."""
import pathlib
import struct
import subprocess

SOURCE = pathlib.Path(__file__).with_name("clock.c")


def build(folder):
  """The library to preload; the system's own compiler makes it in a moment."""
  library = folder / "clock.so"
  subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"], check=True)
  return library


class Clocks:
  def __init__(self, library, folder, tasks):
    self.folder = folder
    folder.mkdir(parents=True)
    for task in tasks:
      self.set(task, 0)
    self.environment = {"LD_PRELOAD": str(library), "DOWNPOUR_CHAOS_CLOCKS": str(folder)}

  def set(self, task, seconds):
    """From now on the clock of `task` is so many seconds ahead, over restarts as well."""
    path = self.folder / task.replace("/", "-")
    with open(path, "r+b" if path.exists() else "wb") as file:
      file.write(struct.pack("<q", int(seconds * 1e9)))
