"""Silver trees and calibration: what trained parsers produce for later use."""
