"""Constraints on trees: what users know about a sentence before it is parsed.

`Constraint` is plain data. `make_plan` checks the constraints of a sentence and arranges them by
span in a `Plan`, which tells a transition system or a decoder what it may still build.
"""

from whorl.constraints.constraint import Constraint
from whorl.constraints.goals import Goal, Progress
from whorl.constraints.plan import Grammar, Plan
from whorl.constraints.planning import make_plan

__all__ = ["Constraint", "Goal", "Grammar", "Plan", "Progress", "make_plan"]
