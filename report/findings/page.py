"""The findings page: a template filled with claims, pictures, tables and numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.worlds.groups import Groups, Values
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.model.worlds.ring_views import RINGS_OF_1
from rebalance_proofs.model.worlds.two_rings import digits_of
from rebalance_proofs.proofs.allocation.search import first_violation, violated
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.movement.lemmas import changed_hands_observed as changed_hands
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.allocation.caption import summary
from rebalance_proofs.report.allocation.figure import picture as drawn
from rebalance_proofs.report.allocation.kind import ALLOCATION
from rebalance_proofs.report.allocation.sentences import PREMISES_DROPPED
from rebalance_proofs.report.claims.mark import from_docs
from rebalance_proofs.report.claims.seen import by_mark, seen_of
from rebalance_proofs.report.index.entries import together, word_of
from rebalance_proofs.report.kinds import family, shown, smallest
from rebalance_proofs.report.markdown_tables import NOTHING, table
from rebalance_proofs.report.names import subject as of_strategies
from rebalance_proofs.report.ordered.pauses import EVENTS_HEAD, HEAD, event_rows, rows
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.see import see
from rebalance_proofs.report.text.english import capitalized, group_size
from rebalance_proofs.report.transition.document import BROKEN

# Pictures of the findings page: counterexamples to refuted claims, examples of proved claims.


@dataclass(frozen=True)
class Picture:
    """A group to draw for a claim: by default, the claim's smallest counterexample."""

    id: str
    """The claim's id."""
    size: tuple[int, int] | None = None
    """(number of consumers, number of queues) of a group that is too large to be found by search."""
    values: Values | None = None
    """Values that determine the group, such as hash values.

    Used if they give a clearer group than the smallest counterexample, or if the claim holds.
    """
    says: str = ""
    """The caption, if the picture shows no violation."""
    world: Groups | None = None
    """The set of groups from which ``values`` selects one, if not the set of the claim."""

    @cached_property
    def claim(self) -> Claim:
        """Return the claim. Raises ``StopIteration`` if the ledger does not have it."""
        return next(claim for claim in LEDGER if claim.id == self.id)

    @cached_property
    def example(self) -> Counterexample:
        """Return the group to draw. Raises ``LookupError`` if it does not fit the claim's verdict."""
        if self.size is None:
            return smallest(self.claim)
        if self.values is None:
            found = first_violation(self.claim.guarantee, self.claim.world, self.claim.subjects, *self.size)
        else:
            found = self._chosen(*self.size, self.values)
        if found is None:
            raise LookupError(f"{self.id}: the group of {self.size} is no counterexample")
        return found

    def _chosen(self, n: int, q: int, values: Values) -> Counterexample | None:
        group = (self.world or self.claim.world).group(self.claim.subjects, n, q, values)
        wrong = violated(self.claim.guarantee, group)
        holds = self.claim.expected is Verdict.PROVED
        if holds != (wrong is None):
            return None
        return Counterexample(n, q, values, group, self.says or wrong or "")


def on_ring(*hashes: int) -> Values:
    """Return ``Picture.values`` for a hash ring, from hashes of virtual nodes and then of queues."""
    return digits_of(hashes)


PICTURES: dict[str, Picture] = {
    "one-id": Picture("allocation.avg.covers.without-distinct-ids"),
    "one-id-hash": Picture("allocation.hash.disjoint.without-distinct-ids"),
    "ids-twice": Picture("allocation.avg.disjoint.without-same-cid-all"),
    "ids-nobody": Picture("allocation.avg.covers.without-same-cid-all"),
    "ids-hash": Picture("allocation.hash.disjoint.without-same-cid-all"),
    "routes-twice": Picture("allocation.avg.disjoint.without-same-mq-all"),
    "routes-nobody": Picture("allocation.avg.covers.without-same-mq-all"),
    "routes-hash": Picture("allocation.hash.covers.without-same-mq-all"),
    "order-of-queues": Picture("allocation.avg.disjoint.without-same-order"),
    "order-of-ids": Picture("allocation.avg.disjoint.without-same-id-order"),
    "order-of-ids-hash": Picture("allocation.hash.covers.without-same-id-order"),
    "old-id": Picture("allocation.avg.covers.without-own-id-listed"),
    "subscriptions": Picture("allocation.avg.covers.without-same-subscription"),
    "mixed-strategies": Picture("allocation.avg+circle.disjoint.without-same-strategy"),
    "room": Picture(
        "allocation.room.listed", (2, 3), (0, 1, 2), "Queues 1 and 2 are in no listed room: they have no consumer."
    ),
    "room-go": Picture("allocation.room-go.listed"),
    "room-go-twice": Picture("allocation.room-go.disjoint.with-a-room-twice"),
    "nearby": Picture(
        "allocation.nearby.covers",
        (2, 3),
        (0, 1, 2, 0, 1),
        "Queue 2 is in a room without consumers, so all share it: it goes to c0.",
    ),
    "nearby-config": Picture("allocation.nearby-config.home"),
    "nearby-idle": Picture("allocation.nearby.idle", (3, 2)),
    "config": Picture("allocation.config.disjoint"),
    "hash-unbalanced": Picture("allocation.hash.balanced", (2, 2), (0, 0, 0, 0, 0, 0)),
    "hash-idle": Picture("allocation.hash.idle", (3, 2)),
    "hash-collision": Picture(
        "allocation.hash.successor",
        (2, 2),
        on_ring(2, 2, 1, 3),
        "c1 has both queues: its virtual node replaced the one of c0.",
        RINGS_OF_1,
    ),
    "hash-no-nodes": Picture("allocation.hash.covers.without-virtual-nodes"),
    "clients-hash": Picture(
        "clients.hash+hash-go.disjoint.without-same-client", (2, 1), (*on_ring(3, 2, 1), *on_ring(2, 3, 1), 1, 0)
    ),
    "clients-hash-same": Picture("clients.hash+hash-go.same", (2, 1), (*on_ring(3, 2, 1), *on_ring(2, 3, 1))),
    "clients-room-go": Picture("clients.room+room-go.disjoint.without-same-client"),
    "clients-room-rust": Picture("clients.room+room-rust.disjoint.without-same-client"),
    "clients-room-go-rust": Picture("clients.room-go+room-rust.disjoint.without-same-client"),
    "clients-nearby": Picture("clients.nearby+nearby-go.disjoint.without-same-client"),
    "topics": Picture("topics.avg-per-topic.level"),
    "topics-kafka-range": Picture("topics.kafka-range.level"),
    "topics-one-list": Picture("topics.avg-one-list.level", (2, 2), (1,), "c0 and c1 have one queue each."),
    "pop-few": Picture("assignment.pop-avg.backed-up"),
    "pop-join": Picture("assignment.pop-avg.no-fewer"),
    "pop-mixed": Picture("assignment.pop-avg+circle.covers.without-same-strategy"),
    "join-avg": Picture("movement.avg.monotone"),
    "join-avg-last": Picture("movement.avg.attained", (4, 4), (3,), "3 of 4 queues move, although c3 gets only one."),
    "join-circle": Picture("movement.circle.reshuffle", (3, 4), (0,), "All queues move."),
    "grown-avg": Picture("growth.avg.steady"),
    "grown-circle": Picture("growth.circle.steady"),
    "joins-avg": Picture("joins.avg.no-return"),
    "restart-avg": Picture("joins.avg.own-only"),
    "join-hash": Picture(
        "allocation.hash.monotone",
        (3, 3),
        (2, *on_ring(3, 7, 5, 9, 2, 8, 1, 4, 6)),
        "Only queue 0 moves: the joining c2 takes it.",
    ),
}
"""The pictures by file name."""


CLAIMS = {claim.id: claim for claim in LEDGER}


def page() -> str:
    """Return the page in Markdown.

    Raises ``LookupError`` if the template contradicts the ledger about a claim.
    """
    template = environment(escapes=False).get_template("findings.md")
    return template.render(
        picture=picture,
        size=size,
        told=told,
        proved=links_to(Verdict.PROVED),
        refuted=links_to(Verdict.REFUTED),
        survival=survival(),
        moves=moves,
        pauses=pauses(),
        events=events(),
    )


def picture(name: str) -> str:
    """Return the Markdown of the picture ``name``, with a text alternative and a line below it.

    The SVG file itself contains the whole caption.
    """
    found = PICTURES[name]
    words = " ".join(summary(found.example)).replace("[", "\\[").replace("]", "\\]")
    below = shows(found.claim) if found.size is None else real(found.claim)
    return f"![{words}](findings/{name}.svg)\n\n{below}"


def size(name: str) -> str:
    """Return the size of the group in the picture ``name``: ``2 consumers and 1 queue``."""
    example = PICTURES[name].example
    return group_size((example.consumers, example.queues)).replace(", ", " and ")


def told(id_: str) -> str:
    """Return a claim's smallest counterexample as Markdown: initial state, numbered steps, violation.

    Raises ``LookupError`` if the ledger does not have the claim.
    """
    if id_ not in CLAIMS:
        raise LookupError(f"the page shows {id_}, which the ledger does not have")
    claim = CLAIMS[id_]
    lines = shown(claim).lines(claim, smallest(claim))
    first = 2 if lines[-1].startswith(BROKEN) else 1
    numbered = "\n".join(
        f"{number}. {line.removeprefix(f'{number}. ')}" for number, line in enumerate(lines[first:-1], 1)
    )
    result = capitalized(lines[-1].removeprefix(BROKEN))
    return f"{' '.join(lines[:first])}\n\n{numbered}\n\nResult: {result}\n\n{shows(claim)}"


def shows(claim: Claim) -> str:
    """Return the claim's conformance mark, and the commands that replay its failure.

    One command replays the failure in one group, the other finds it among all states of a small group.
    """
    step_by_step, *groups = see(claim)
    found = "".join(f"; in all states of a small group: `{command}`" for command in groups)
    return f"Step by step: `{step_by_step}`{found}. {real(claim)}"


def real(claim: Claim) -> str:
    """Return the claim's conformance mark: how recordings of real clients support it."""
    return f"Real clients: {word_of(claim.id)}."


def called(claim: Claim) -> str:
    """Return a claim's short name for running text.

    ``avg.disjoint`` for allocation.avg.disjoint.without-distinct-ids.
    """
    named, guarantee = subject(claim.subjects), claim.guarantee.name
    return f"`{named}`" if guarantee == claim.room else f"`{named}.{guarantee}`"


def links_to(verdict: Verdict) -> Callable[..., str]:
    """Return a function that links to claims by id.

    The function raises ``LookupError`` if the expected verdict of a claim is another one.
    """

    def links(*ids: str) -> str:
        for id_ in ids:
            expected = CLAIMS[id_].expected if id_ in CLAIMS else None
            if expected is not verdict:
                raise LookupError(f"the page marks {id_} as {verdict}; the ledger expects {expected}")
        return "; ".join(
            f"{verdict.lower()}, {mark}: {', '.join(f'[{called(CLAIMS[id_])}]({from_docs(id_)})' for id_ in own)}"
            for mark, own in by_mark(ids).items()
        )

    return links


CONSEQUENCES = {"disjoint": "duplicate", "covers": "no reader"}
"""What can happen to a queue if a guarantee fails, by the guarantee's name."""


def survival() -> str:
    """Return a table of strategies and dropped assumptions: can a queue get two readers, or none?"""
    claims = [claim for claim in LEDGER if family(claim) == PREMISES_DROPPED]
    premises = [world for world in PREMISES if any(claim.world.name == world.name for claim in claims)]
    subjects = dict.fromkeys(of_strategies(claim.subjects) for claim in claims if len(claim.subjects) == 1)
    rows = []
    for world in premises:
        about = [claim for claim in claims if claim.world.name == world.name]
        rows.append((world.otherwise, *(_cell(name, about) for name in subjects)))
    rows.append(("*real clients*", *(str(together([one.id for one in _own(name, claims)])) for name in subjects)))
    return table(("when", *subjects), rows)


def _cell(name: str, claims: list[Claim]) -> str:
    own = _own(name, claims)
    lost: dict[str, Claim] = {}
    for claim in own:
        if claim.expected is Verdict.REFUTED:
            lost.setdefault(CONSEQUENCES[claim.guarantee.name], claim)
    said = " or ".join(f"[{consequence}]({from_docs(claim.id)})" for consequence, claim in lost.items())
    return said or (NOTHING if not own else "neither")


def _own(name: str, claims: list[Claim]) -> list[Claim]:
    """Return the claims about the strategy alone.

    Without any, the claims about it together with another strategy.
    """
    own = [claim for claim in claims if of_strategies(claim.subjects) == name]
    return own or [claim for claim in claims if name in of_strategies(claim.subjects).split(" + ")]


def moves(queues: int, consumers: int) -> str:
    """Return a table of the queues that move when one consumer joins ``consumers`` others.

    The number depends on the position of the new consumer in the sort order.
    """
    places = {"first": 0, "in the middle": (consumers + 1) // 2, "last": consumers}
    rows = []
    for strategy in (AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH):
        groups = [JOINS.group((strategy,), consumers + 1, queues, (place,)) for place in places.values()]
        counted = (str(changed_hands(group, group.allocate())) for group in groups)
        rows.append((strategy.rocketmq_name, *counted, str(seen_of(ALLOCATION, (strategy,)).mark)))
    return table(("strategy", *(f"joiner sorts {name}" for name in places), "real clients"), rows)


def pauses() -> str:
    """Return a table of the longest pause of an ordered queue that changes owners, by client."""
    return table(HEAD, rows())


def events() -> str:
    """Return a table of the longest pause of an ordered queue around one and two events, by client."""
    return table(EVENTS_HEAD, event_rows())


def files() -> dict[str, str]:
    """Return the text of the page and of each picture by its path below ``docs/reference``."""
    pictures = {f"findings/{name}.svg": drawn(found.example) for name, found in PICTURES.items()}
    return {"findings.md": page()} | pictures
