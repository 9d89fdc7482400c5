"""The paper's figures on WSJ and CTB 5.1, from the tables of §7."""

from __future__ import annotations

__all__ = ["CHILDREN", "EXPLORATION", "NAMES", "SPEED", "TEST_F1"]

NAMES = {
    "nonbinary": "non-binary bottom-up",
    "binary": "binary bottom-up",
    "topdown": "top-down",
    "inorder": "in-order",
}

EXPLORATION = {
    "aggr-1.0 ∨ reg-0.1": (91.83, 89.86),
    "reg-0.1": (91.81, 89.70),
    "reg-0.2": (91.88, 89.47),
    "reg-0.3": (91.82, 89.69),
}
"""Table 2: development F1 on WSJ §22 and CTB §301-325."""

TEST_F1 = {
    ("nonbinary", "static"): (91.5, 86.3),
    ("nonbinary", "dynamic"): (91.7, 86.8),
    ("binary", "static"): (91.3, 85.7),
    ("topdown", "static"): (91.2, 84.6),
    ("inorder", "static"): (91.8, 86.1),
}
"""Tables 3 and 4: test F1 on WSJ §23 and CTB §271-300, in one framework (Dyer 2016, Liu 2017)."""

SPEED = {
    "nonbinary": (42.02, 42.70),
    "binary": (35.87, 50.57),
    "topdown": (38.78, 59.76),
    "inorder": (33.34, 60.83),
}
"""Table 5: sentences per second and transitions per sentence, WSJ §23, one core of an i7-7700."""

CHILDREN = {
    "nonbinary": (91.26, 89.09, 84.47, 77.51, 79.77),
    "binary": (90.94, 88.65, 84.36, 77.24, 79.54),
    "topdown": (90.98, 88.76, 85.01, 76.63, 77.35),
    "inorder": (91.36, 89.21, 85.15, 77.08, 79.02),
}
"""Table 7: F1 on WSJ §23 of constituents with one to five children, static oracles."""
