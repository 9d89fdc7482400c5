"""Oracles: from a gold tree to transitions (static), or from any state to costs (dynamic).

The binary system has no dynamic oracle: that of Coavoux and Crabbé (2016) is exact only without the
temporary symbols of binarisation, which the system needs (§5.3 of the paper says so too).
"""

from __future__ import annotations

from collections.abc import Callable

from whorl.errors import OracleError
from whorl.oracles.base import DynamicOracle
from whorl.oracles.inorder import InOrderOracle
from whorl.oracles.nonbinary import Costs, NonBinaryOracle, ReduceCost
from whorl.oracles.static import UNFOLDINGS, static_oracle
from whorl.oracles.topdown import TopDownOracle
from whorl.trees import Tree

__all__ = [
    "DYNAMIC_ORACLES",
    "UNFOLDINGS",
    "Costs",
    "DynamicOracle",
    "InOrderOracle",
    "NonBinaryOracle",
    "ReduceCost",
    "TopDownOracle",
    "dynamic_oracle",
    "static_oracle",
]

DYNAMIC_ORACLES: dict[str, Callable[[Tree], DynamicOracle]] = {
    "nonbinary": NonBinaryOracle,
    "topdown": TopDownOracle,
    "inorder": InOrderOracle,
}
"""The dynamic oracle of each system that has one."""


def dynamic_oracle(gold: Tree, system: str = "nonbinary") -> DynamicOracle:
    """Return the system's dynamic oracle for a gold tree."""
    if system not in DYNAMIC_ORACLES:
        raise OracleError(
            f"no dynamic oracle for the {system!r} system: "
            f"expected one of {', '.join(DYNAMIC_ORACLES)}"
        )
    return DYNAMIC_ORACLES[system](gold)
