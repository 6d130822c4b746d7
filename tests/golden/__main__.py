"""Write all texts anew."""

from tests.golden.kept import TEXTS, file, written

if __name__ == "__main__":
    for name in TEXTS:
        file(name).write_text(written(name), encoding="utf-8")
