"""A small disk for a run's folder, which can be filled."""
import os
import subprocess

SIZE = 48 << 20


class SmallDisk:
  """A tmpfs; it disappears with the namespace chaos runs in, however chaos ends."""

  def __init__(self, folder):
    self.folder, self.ballast = folder, folder / "ballast"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%d" % SIZE, "chaos", str(folder)], check=True)

  def fill(self, leave):
    """Leaves only so many bytes."""
    with open(self.ballast, "ab", buffering=0) as file:
      try:
        while True:
          file.write(bytes(1 << 16))
      except OSError:
        pass
      try:
        while file.write(bytes(4096)):
          pass
      except OSError:
        pass
    os.truncate(self.ballast, max(0, os.path.getsize(self.ballast) - leave))

  def free(self):
    self.ballast.unlink(missing_ok=True)

  def close(self):
    subprocess.run(["umount", "-l", str(self.folder)], check=False)
