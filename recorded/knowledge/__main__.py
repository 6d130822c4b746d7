"""Compile the knowledge files to JSON: ``python -m rebalance_proofs.recorded.knowledge``.

It writes ``compiled.json``, the weights learned from the questions to ``questions.json``, and the log statements that
belong to no known line to ``statements.json``.
"""

import json
import sys

from rebalance_proofs.recorded.knowledge.learned import digest, learned
from rebalance_proofs.recorded.knowledge.schema import COMPILED, KnowledgeError
from rebalance_proofs.recorded.knowledge.similar import INDEX
from rebalance_proofs.recorded.knowledge.sources import asked, compiled
from rebalance_proofs.recorded.knowledge.statements.inventory import others
from rebalance_proofs.recorded.knowledge.statements.irrelevant import STATEMENTS

if __name__ == "__main__":
    try:
        COMPILED.write_text(json.dumps(compiled(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except KnowledgeError as error:
        sys.exit(str(error))
    STATEMENTS.write_text(json.dumps(others(), ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    questions = asked()
    # The training takes half a minute, so it runs only after a change of the questions.
    if not INDEX.exists() or json.loads(INDEX.read_bytes())["questions"] != digest(questions):
        INDEX.write_text(json.dumps(learned(questions), ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
