"""What a consumer that loops has of its entries, from numbers and as numbers."""

from rebalance_proofs.model.offsets.node_consumer import NodeConsumer, NodeHeld

__all__ = ["other", "put_by_loop", "put_left", "seen_by_loop"]

Numbers = dict[str, int | bool]


def other(message: int) -> int:
    """A message that is not in the way: of no offset that is told."""
    return -1 - message


def put_by_loop(held: NodeHeld, name: str, me: Numbers, said: Numbers, message: int) -> bool:
    """The entry in the table; False where there are no messages such that the first offset that is left is the one that
    is told."""
    held.returned = {message} if me["owed"] else set()
    done = name in ("notes", "skips", "others")
    return not done or _with_others(held, said, message, others=name == "others")


def put_left(consumer: NodeConsumer, gone: NodeHeld, name: str, me: Numbers, said: Numbers, message: int) -> bool:
    """The same of one that has left."""
    if not me["lingers"]:
        # What there is not is asked for nowhere.
        return not me["late"]
    consumer.left = [gone]
    gone.next = int(me["left_next"])
    gone.tree = {message} if me["left_cached"] else set()
    gone.returned = {message} if me["left_owed"] else set()
    done = name in ("notes_late", "skips_late", "others_late")
    return not done or _with_others(gone, said, message, others=name == "others_late")


def _with_others(held: NodeHeld, said: Numbers, message: int, *, others: bool) -> bool:
    offset, has = int(said["offset"]), message in held.tree
    held.last = offset - 1
    if others:
        held.tree.add(other(message))
        if has and offset < message:
            held.tree.add(offset)
        return 0 < offset <= held.next and (not has or offset <= message)
    if offset < held.next:
        held.tree.add(offset)
    return message < offset <= held.next


def seen_by_loop(consumer: NodeConsumer, which: int, message: int) -> Numbers:
    """What is different from other clients; ``which`` of several is looked at."""
    held, left = consumer.held, consumer.left[which] if consumer.left else None
    late = [call for call in consumer.calls if call.offset == message and call.held is left]
    after: Numbers = {
        "owed": isinstance(held, NodeHeld) and message in held.returned,
        "lingers": left is not None,
        "late": bool(late),
        "begun_late": any(call.begun_late for call in late),
        "left_cached": left is not None and message in left.tree,
        "left_owed": left is not None and message in left.returned,
    }
    if left is not None:
        after["left_next"] = left.next
    return after
