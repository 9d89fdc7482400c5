"""Oracles: from a gold tree to transitions (static), or from any state and a gold tree to costs (dynamic).

There is no dynamic oracle for the binary system: that of Coavoux and Crabbé (2016) is exact only without the
temporary symbols of binarisation, which the system cannot do without (§5.3 of the paper says so too).
"""

from __future__ import annotations

from whorl.errors import OracleError
from whorl.oracles.base import DynamicOracle
from whorl.oracles.inorder import InOrderOracle
from whorl.oracles.nonbinary import Costs, NonBinaryOracle, ReduceCost
from whorl.oracles.static import static_oracle
from whorl.oracles.topdown import TopDownOracle
from whorl.trees import Tree

__all__ = [
    "Costs",
    "DynamicOracle",
    "InOrderOracle",
    "NonBinaryOracle",
    "ReduceCost",
    "TopDownOracle",
    "dynamic_oracle",
    "static_oracle",
]


def dynamic_oracle(gold: Tree, system: str = "nonbinary") -> DynamicOracle:
    """The dynamic oracle of that system for a gold tree."""
    oracles: dict[str, type[NonBinaryOracle | TopDownOracle | InOrderOracle]] = {
        "nonbinary": NonBinaryOracle,
        "topdown": TopDownOracle,
        "inorder": InOrderOracle,
    }
    if system not in oracles:
        raise OracleError(
            f"no dynamic oracle for the {system!r} system: expected one of {', '.join(oracles)}"
        )
    return oracles[system](gold)
