"""The clients. To add one: write its file beside the others and name it in ``PROFILES``."""

from model.profiles.cpp import CPP
from model.profiles.go import GO
from model.profiles.java_v5 import JAVA_V5
from model.profiles.node import NODE
from model.profiles.profile import Profile
from model.profiles.rust import RUST

PROFILES: tuple[Profile, ...] = (
    JAVA_V5,
    GO,
    NODE,
    CPP,
    RUST,
)
