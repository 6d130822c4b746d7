"""Fields that a JSON schema declares, and the fields in which two documents differ."""

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator

Node = tuple[Any, tuple[str, ...]]
"""A part of a schema, with the place where it is defined."""
Chain = tuple[str, ...]
"""Names of fields, from the root of the document to a place in it."""
NOTES = ("items", "properties", "additionalProperties", "anyOf", "oneOf", "allOf", "$defs")
"""Parts of a schema that are left out of the names of fields, with their indexes."""
CONDITIONS = ("if", "then", "else")
"""Parts of a schema that restrict fields which are declared beside them."""


class Keys:
    """The fields of one schema. A field's name is ``claim.verdict``: its definition in the schema, and its own name."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema
        self._validator = Draft202012Validator(schema)
        self.every = tuple(dict.fromkeys(self._declared(schema, ())))
        """The names of all fields."""

    def differing(self, one: object, other: object) -> set[Chain]:
        """Return where the documents differ, each place as the chain of fields that leads there."""
        return set(self._differing(one, other, [(self._schema, ())], ()))

    def values(self, document: object) -> Mapping[str, list[Any]]:
        """Return the values that the fields have in a document, in their order."""
        found: dict[str, list[Any]] = {}
        for field, value in self._values(document, [(self._schema, ())]):
            found.setdefault(field, []).append(value)
        return found

    def _values(self, value: Any, nodes: list[Node]) -> Iterator[tuple[str, Any]]:
        every = [found for node in nodes for found in self._alternatives(*node)]
        if isinstance(value, list):
            inner = [(node["items"], (*place, "items")) for node, place in every if "items" in node]
            for one in value:
                yield from self._values(one, inner)
        elif isinstance(value, dict):
            for name, one in value.items():
                declared = [found for found in every if name in found[0].get("properties", ())]
                fitting = self._fitting(declared, value, value)
                if fitting:
                    yield _named(fitting[0][1], name), one
                yield from self._values(one, [self._property(*found, name) for found in fitting])

    @staticmethod
    def _property(node: Any, place: tuple[str, ...], name: str) -> Node:
        return node["properties"][name], (*place, "properties", name)

    def _declared(self, node: Any, place: tuple[str, ...]) -> Iterator[str]:
        if isinstance(node, Mapping):
            if isinstance(node.get("properties"), Mapping):
                yield from (_named(place, name) for name in node["properties"])
            for name, inner in node.items():
                if name not in CONDITIONS:
                    yield from self._declared(inner, (*place, name))
        elif isinstance(node, list):
            for number, inner in enumerate(node):
                yield from self._declared(inner, (*place, str(number)))

    def _alternatives(self, node: Any, place: tuple[str, ...]) -> Iterator[Node]:
        if not isinstance(node, Mapping):
            return
        if "$ref" in node:
            target = node["$ref"].removeprefix("#/").split("/")
            found: Any = self._schema
            for name in target:
                found = found[name]
            yield from self._alternatives(found, tuple(target))
        yield node, place
        for kind in ("anyOf", "oneOf", "allOf"):
            for number, one in enumerate(node.get(kind, ())):
                yield from self._alternatives(one, (*place, kind, str(number)))

    def _differing(self, one: Any, other: Any, nodes: list[Node], chain: Chain) -> Iterator[Chain]:
        if one == other and type(one) is type(other):
            return
        every = [found for node in nodes for found in self._alternatives(*node)]
        if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            inner = [(node["items"], (*place, "items")) for node, place in every if "items" in node]
            for pair in zip(one, other, strict=True):
                yield from self._differing(*pair, inner, chain)
        elif isinstance(one, dict) and isinstance(other, dict):
            for name in (*one, *(name for name in other if name not in one)):
                declared = [found for found in every if name in found[0].get("properties", ())]
                fitting = self._fitting(declared, one, other)
                if fitting:
                    at = [self._property(*found, name) for found in fitting]
                    link = (*chain, _named(fitting[0][1], name))
                else:
                    at = [
                        (found["additionalProperties"], (*place, "additionalProperties"))
                        for found, place in every
                        if "additionalProperties" in found
                    ]
                    link = chain
                if name not in one or name not in other:
                    yield link
                else:
                    yield from self._differing(one[name], other[name], at, link)
        else:
            yield chain

    def _fitting(self, declared: list[Node], one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Node]:
        """Return the alternatives that have all of the objects' fields; of several, those that the objects follow."""
        fitting = [found for found in declared if {*one, *other} <= {*found[0]["properties"]}] or declared
        if len({place for _, place in fitting}) < 2:
            return fitting
        every = (one, other)
        followed = [
            found
            for found in fitting
            if all(self._validator.evolve(schema=found[0]).is_valid(value) for value in every)
        ]
        return followed or fitting


def _named(place: tuple[str, ...], name: str) -> str:
    return ".".join([*(part for part in place if part not in NOTES and not part.isdigit()), name])
