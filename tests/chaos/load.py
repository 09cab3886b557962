"""How busy the machine is, so that a run beside other work gets more time instead of a false alarm."""
import threading
import time


class Load(threading.Thread):
  """Measures now and then how much longer a little work takes than it would on an idle processor."""

  EVERY, WORK = 0.5, 0.004

  def __init__(self):
    super().__init__(daemon=True)
    self.samples = []

  def run(self):
    while True:
      wall, cpu = time.monotonic(), time.thread_time()
      while time.thread_time() - cpu < self.WORK:
        pass
      self.samples.append((time.monotonic(), (time.monotonic() - wall) / (time.thread_time() - cpu)))
      del self.samples[:-4000]
      time.sleep(self.EVERY)

  def since(self, begin):
    """The mean slowness since a moment: 1 is a processor of one's own."""
    found = [slow for moment, slow in self.samples if moment >= begin]
    return max(1.0, sum(found) / len(found)) if found else 1.0
