"""Search pairs for the fields of documents, and write the table: ``python -m tests.documents [DOCUMENT]...``."""

import json
import sys

from tests.documents.pairs import TABLE, searched, table
from tests.documents.subjects import SUBJECTS

for name in sys.argv[1:] or SUBJECTS:
    new = {**searched(SUBJECTS[name], table().get(name, {}).values())}
    lacking = [field for field in SUBJECTS[name].keys.every if field not in new]
    print(f"{name}: {len(new)} fields; none for {', '.join(lacking) or 'no field'}", flush=True)
    found = {**table(), name: new}
    written = {document: found[document] for document in SUBJECTS if document in found}
    TABLE.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
