"""Shapes and rearrangement."""
from case import *  # noqa: F403


def cases():
  yield Case("Identity", [real(2, 3)], dtypes=PLAIN + ["string"])
