"""Those parts of cloudpickle that are in use."""

import pickle
from collections.abc import Callable
from typing import IO, Any

class Pickler(pickle.Pickler):
    def __init__(
        self, file: IO[bytes], protocol: int | None = None, buffer_callback: Callable[[Any], Any] | None = None
    ) -> None: ...
    def dump(self, obj: object) -> None: ...
    def reducer_override(self, obj: object) -> Any: ...
