"""Waiting for what must come."""
import time

# Seconds. No test is about speed: this only turns a hang into a failure, on the slowest and busiest machine too.
LIMIT = 600
LIMIT_MS = LIMIT * 1000


def until(condition, what, process=None, moving=None):
  """Waits until `condition` gives something true, and returns it. If `process` ends before, nothing can come any more. What
  takes many steps has the limit for each: it begins anew when the value of `moving` has changed."""
  end, last = time.time() + LIMIT, None
  while True:
    found = condition()
    if found:
      return found
    if process is not None and process.poll() is not None:
      # What it did last may have come after the look.
      found = condition()
      if found:
        return found
      raise AssertionError("the process has ended before %s: %s" % (what, process.communicate()))
    now = moving() if moving else None
    if now != last:
      end, last = time.time() + LIMIT, now
    assert time.time() < end, "waited %d s in vain: %s" % (LIMIT, what)
    time.sleep(0.05)
