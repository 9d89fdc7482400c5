"""What every network provides to a parser: the engine protocol, parses and probabilities."""

from whorl.engine.calibration import Calibration
from whorl.engine.parse import Parse

__all__ = ["Calibration", "Parse"]
