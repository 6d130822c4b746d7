"""Write a page of symptoms to stdout: ``python -m rebalance_proofs.report.symptoms [--lang zh]``.

It is docs/reference/symptoms.md, or symptoms.zh-CN.md in Chinese.
"""

import argparse
import sys

from rebalance_proofs.language import LANGUAGES, use
from rebalance_proofs.report.symptoms.page import page

if __name__ == "__main__":
    options = argparse.ArgumentParser(description="Write a page of symptoms to stdout.")
    options.add_argument("--lang", choices=LANGUAGES, default=LANGUAGES[0], help="language of the page")
    use(options.parse_args().lang)
    sys.stdout.write(page())
