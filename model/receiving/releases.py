"""The releases of gRPC clients (rocketmq-clients) that were read, and the rule that finds one for a user's words."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from rebalance_proofs.language import gettext
from rebalance_proofs.model.releases import VERSION, Resolved, UnknownRelease

ANY = "grpc"
"""Stands for a gRPC client of any language."""
READ: Mapping[str, Mapping[str, str]] = {
    "grpc-java": {"5.0.8": "java", "5.2.1": "java"},
    "grpc-go": {"5.0.0": "", "5.1.3": "go", "5.1.4": "go"},
    "grpc-cpp": {"5.0.4": "cpp", "5.1.1": "cpp"},
    "grpc-rust": {"": "rust"},
    "grpc-csharp": {"5.2.1": "csharp"},
    "grpc-node": {"1.0.8": "node"},
    "grpc-python": {"5.0.9": "python_v5_0", "5.1.1": "python_v5_1_1", "5.1.2": "python_v5_1_2"},
}
"""Client -> version whose source was read, oldest first -> subject of its claims ``receiving.*``; "" without claims.

The push consumer of Rust is in no release, so its version is "".
"""
GENERATION = ("5",)
"""Major versions of a client of which no release was read."""
LANGUAGES = {
    "grpc-java": "gRPC Java",
    "grpc-go": "gRPC Go",
    "grpc-cpp": "gRPC C++",
    "grpc-rust": "gRPC Rust",
    "grpc-csharp": "gRPC C#",
    "grpc-node": "gRPC Node",
    "grpc-python": "gRPC Python",
    ANY: "gRPC clients",
}
"""Name of a gRPC client -> its display name."""
REMOTING = re.compile(r"defaultmq|defaultlitepull|messagelistener(?:orderly|concurrently)")
"""Beginnings of class names of the remoting client of Java, in lower case."""
_EDGE = r"(?<![\w.@/])(?:{})(?![\w]|[.]\w)"
_NAMED = re.compile(
    _EDGE.format(
        r"grpc(?:[- ]?(?:java|go|golang|cpp|c\+\+|rust|csharp|c#|node|nodejs|python))?(?:-(?=v?\d)[\w.]+)?"
        r"|apache/rocketmq-clients(?:/[\w/]+)?|(?:github\.com/apache/)?rocketmq-clients(?:/[\w/]+)?"
        r"|rocketmq[-_]clients?[-_]java(?:-parent)?|rocketmq[-_]python[-_]client|rocketmq-client-(?:nodejs|csharp)"
        r"|rocketmq[-_]v5[-_]client[-\w]*|simple[- _]?consumers?|rocketmq ?5(?:\.[x0])? ?sdks?"
        r"|5\.x ?sdks?|python(?:[- ]client|[- ]sdk)?[- ]?v?5(?:\.\d+)+"
    )
)
"""Words that name a gRPC client; names within other names, such as ``io.grpc.X``, do not."""
_GENERATION = r"(?:rocketmq[- ]?5(?:\.[x0])?|v5|5\.[x0])[- ]?(?:clients?[- ]?)?sdks?"
"""Names of all SDKs of version 5, whose 5.0 is no release."""
_SPOKEN = re.compile(
    rf"(?<![a-z0-9_.@/-])(?:{_GENERATION}"
    r"|(?<!rocketmq )(?<!broker )(?<!server )(?<!proxy )(?<!to )v5(?! ?(?:brokers?|servers?|cluster|proxy|服务端|集群))"
    r"|unrecognized_client_type|client settings for this client|process queue (?:cache|total|is idle)"
    r"|v5 (?:[a-z+#]+ )?(?:clients?|(?:push ?)?consumers?)"
    r"|(?:invalid_)?receipt[ _-]?handles?|message[ _-]?groups?|filterexpressions?|invisible[ _-]?durations?"
    r"|fifo (?:topics?|queues?|push ?consumers?)"
    r"|clientconfigurations?|(?:[\w.]+-)*prox(?:y|ies)[\w.-]*[ :]{1,2}(?:port |端口)?8081)(?![a-z0-9_]|[.]\w)"
    r"|消息组(?![件成])"
)
"""Words of the API of gRPC clients, and what users call these clients."""
_CHINESE = re.compile(
    r"grpc(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])(?:grpc|simpleconsumer)|simpleconsumer(?=[\u4e00-\u9fff]|[.]\w)"
)
_OF_LANGUAGE = {
    "grpc-java": r"java|jdk\d*|spring\w*|rocketmq[-_]v5[-_]client[-\w]*",
    "grpc-go": r"go(?! (?:on|off|offline|online|down|up|back|to|into|away|through|wrong|missing|dead|out)\b)|golang",
    "grpc-cpp": r"c\+\+|cpp",
    "grpc-rust": r"rust",
    "grpc-csharp": r"c#|csharp|dotnet|\.net",
    "grpc-node": r"node|nodejs|node\.js|typescript",
    "grpc-python": r"python\d?",
}
_VERSION = re.compile(r"(?<![\w.])v?(\d{1,2}(?:\.\d{1,3}){1,2})(?![\w]|\.\d)")
_NOT_A_CLIENT = re.compile(
    r"(?:server|broker|proxy|rocketmq|namesrv|version|jdk|python|node|版本|服务端)\W{0,3}(?:is |version )?$"
)
"""Words before a version that is not, or may not be, the client's."""
_WORD = re.compile(
    r"grpc|org|apache|github\.com|rocketmq5?|clients?|sdks?|parent|simple|push|consumers?|simpleconsumers?|proxy|spring\w*"
    r"|java|go|golang|cpp|c\+\+|rust|csharp|c#|dotnet|\.net|node|nodejs|node\.js|typescript|python\d?"
    r"|boot|starter|version|v?5(?:\.x)?|v?\d{1,2}(?:\.\d{1,3}){1,2}"
)
"""Words of a gRPC client's name, and versions."""


def named(text: str) -> Resolved | None:
    """Return the gRPC client that a text names, with its version if it is given; None if it names none.

    A client without a version stands for all its releases that were read, and a line such as 5.1 for those of the line.
    Of another version, the newest release before it represents it, or the oldest. The note says if a newer release has
    the same model.
    """
    plain = text.casefold().removesuffix(".jar")
    if REMOTING.search(plain) or not any(one.search(plain) for one in (_NAMED, _SPOKEN, _CHINESE)):
        return None
    found = [client for client, words in _OF_LANGUAGE.items() if _says(plain, words)]
    if len(found) != 1:
        return Resolved(ANY)
    return _release(found[0], _version(re.sub(_GENERATION, " ", plain)))


def strictly(value: str) -> Resolved | None:
    """Return the gRPC client that an option's value names, or None.

    Raises ``UnknownRelease`` for a name that only begins like that of a gRPC client, and for impossible versions.
    """
    found = option(value)
    if found is None:
        return None
    plain = value.casefold().removesuffix(".jar")
    words = [word for word in re.split(r"[\s/:@=_()-]+|[^\x00-\x7f]+", plain) if word]
    version = re.search(r"(?<![\w.])v?(\d{1,2})\.\d", plain)
    client = client_of(found.release)
    majors = {one.partition(".")[0] for sdk in (READ if client == ANY else (client,)) for one in READ[sdk] if one}
    if not all(map(_WORD.fullmatch, words)) or (version and version[1] not in (majors or GENERATION)):
        known = [ANY, *READ, *(f"{sdk} {one}" for sdk, versions in READ.items() for one in versions if one)]
        (near,) = get_close_matches(plain, known, n=1, cutoff=0) or [ANY]
        raise UnknownRelease(
            gettext("unknown client {client}; did you mean {name}?").format(client=repr(value), name=repr(near))
        )
    return found


def option(value: str) -> Resolved | None:
    """Return the gRPC client that an option's value names; a version alone, such as v5, is one of the Java client."""
    return None if VERSION.fullmatch(value.strip().casefold()) else named(value)


def _says(plain: str, words: str) -> bool:
    return bool(re.search(rf"(?<![a-z0-9+#])(?:{words})(?![a-z0-9+#])", plain))


def _version(plain: str) -> str:
    """Return the version that follows the client's name; else the only version of the text that can be a client's."""
    after = re.search(
        r"(?:grpc[- ]?\w*|rocketmq[-_/]clients?[-\w/.]*?|python(?:[-_ ](?:client|sdk))?|sdk|client"
        r"|(?:client|sdk) version|golang(?:/v5)?|java|node\w*)[ :@=/_-]{0,3}v?(\d{1,2}(?:\.\d{1,3}){1,2})(?![\w]|\.\d)",
        plain,
    )
    if after:
        return after[1]
    every = {one[1] for one in _VERSION.finditer(plain) if not _NOT_A_CLIENT.search(plain[: one.start()])}
    return every.pop() if len(every) == 1 else ""


def _release(client: str, version: str) -> Resolved:
    read = [one for one in READ[client] if one]
    if not version:
        return Resolved(client)
    if not read:
        if str(_numbers(version)[0]) not in GENERATION:
            return Resolved(client)
        note = gettext("{name} was not read: this answer uses the unreleased sources of {client}.")
        return Resolved(client, note.format(name=f"{LANGUAGES[client]} {version}", client=LANGUAGES[client]))
    if any(_in_line(one, version) for one in read):
        return Resolved(f"{client} {version}")
    if _numbers(version)[0] != _numbers(read[0])[0]:
        return Resolved(client)  # the version of the server or of the language
    older = [one for one in read if _numbers(one) < _numbers(version)]
    newer = [one for one in read if _numbers(one) > _numbers(version)]
    release = older[-1] if older else read[0]
    name = LANGUAGES[client]
    if older and newer and READ[client][release] == READ[client][newer[0]]:
        note = gettext("{name} is between {first} and {last}, which were read and share the model of this answer.")
    else:
        note = gettext("{name} was not read: this answer uses {release}.")
    words = {"name": f"{name} {version}", "release": f"{name} {release}", "first": release}
    return Resolved(f"{client} {release}", note.format(**words, last=newer[0] if newer else ""))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _in_line(version: str, line: str) -> bool:
    """Return whether a version is the named one, or one of the line that is named: 5.1.1 of 5.1."""
    return not line or _numbers(version)[: len(_numbers(line))] == _numbers(line)


def is_sdk(release: str) -> bool:
    """Return whether a release is one of a gRPC client: ``grpc-go``, ``grpc-python 5.1``, ``grpc``."""
    return client_of(release) in LANGUAGES


def whose(release: str) -> str:
    """Return the display name of a release of a gRPC client: ``gRPC Python 5.1.1``."""
    client, _, version = release.partition(" ")
    return f"{LANGUAGES[client]} {version}".strip()


def releases(release: str) -> frozenset[str]:
    """Return the releases that were read for which a name stands: ``grpc-python 5.1`` for 5.1.1 and 5.1.2."""
    client, _, line = release.partition(" ")
    clients = READ if client == ANY else (client,)
    return frozenset(
        f"{one} {version}".strip() for one in clients for version in READ[one] if not version or _in_line(version, line)
    )


def subjects(release: str) -> frozenset[str]:
    """Return the subjects of the claims ``receiving.*`` about a release: ``python_v5_1_1``."""
    found = (one.partition(" ") for one in releases(release))
    return frozenset(READ[client][version] for client, _, version in found) - {""}


def client_of(release: str) -> str:
    """Return the client of a release: ``grpc-go`` of ``grpc-go 5.1.4``."""
    return release.partition(" ")[0]


def clients_with(names: Iterable[str]) -> frozenset[str]:
    """Return the clients of subjects of claims, and of releases: ``grpc-rust`` for ``rust``, ``grpc`` for all."""
    of_subjects = {subject: client for client, found in READ.items() for subject in found.values() if subject}
    return frozenset(of_subjects.get(name, client_of(name)) for name in names)
