"""What every network gives a parser: the engine protocol, parses and their probabilities."""

from whorl.engine.calibration import Calibration
from whorl.engine.parse import Parse

__all__ = ["Calibration", "Parse"]
