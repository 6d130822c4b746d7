"""The client profiles: for each client, its strategies, sort orders and errors.

To add a profile, write its file in this folder and add it to ``PROFILES``.
"""

from rebalance_proofs.model.profiles.cpp import CPP
from rebalance_proofs.model.profiles.go import GO
from rebalance_proofs.model.profiles.java_v4 import JAVA_V4
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.profiles.node import NODE
from rebalance_proofs.model.profiles.profile import Profile
from rebalance_proofs.model.profiles.rust import RUST

__all__ = ["PROFILES", "RECORDED", "Profile"]

PROFILES: tuple[Profile, ...] = (
    JAVA_V4,
    JAVA_V5,
    GO,
    NODE,
    CPP,
    RUST,
)

RECORDED: tuple[Profile, ...] = tuple(profile for profile in PROFILES if profile.recorded_as is not None)
"""The clients whose allocation results were recorded."""
