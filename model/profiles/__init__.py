"""The clients. To add one: write its file beside the others and name it in ``PROFILES``."""

from model.profiles.cpp import CPP
from model.profiles.go import GO
from model.profiles.java_v4 import JAVA_V4
from model.profiles.java_v5 import JAVA_V5
from model.profiles.node import NODE
from model.profiles.profile import Profile
from model.profiles.rust import RUST

PROFILES: tuple[Profile, ...] = (
    JAVA_V4,
    JAVA_V5,
    GO,
    NODE,
    CPP,
    RUST,
)

RECORDED: tuple[Profile, ...] = tuple(profile for profile in PROFILES if profile.recorded_as is not None)
"""The clients that recorded results are of."""
