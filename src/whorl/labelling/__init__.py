"""Silver trees and calibrated probabilities: what trained parsers produce for others to use."""
