"""Compile the knowledge files to JSON: ``python -m rebalance_proofs.recorded.knowledge``.

It writes ``compiled.json``, the index of the questions to ``questions.json``, and the log statements that belong to no
known line to ``statements.json``.
"""

import json
import sys

from rebalance_proofs.recorded.knowledge.data import COMPILED
from rebalance_proofs.recorded.knowledge.schema import KnowledgeError
from rebalance_proofs.recorded.knowledge.similar import INDEX
from rebalance_proofs.recorded.knowledge.sources import compiled, indexed
from rebalance_proofs.recorded.knowledge.statements.compiled import others
from rebalance_proofs.recorded.knowledge.statements.irrelevant import STATEMENTS

if __name__ == "__main__":
    try:
        COMPILED.write_text(json.dumps(compiled(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except KnowledgeError as error:
        sys.exit(str(error))
    STATEMENTS.write_text(json.dumps(others(), ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    INDEX.write_text(json.dumps(indexed(), ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
