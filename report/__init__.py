"""Render the results of all commands for people (terminal, HTML, Markdown) and tools (JSON, JUnit, ITF).

Terms used in all modules: a claim is one guarantee about clients or strategies, with an expected verdict. The ledger is
the list of all claims. A kind is a set of claims about one part of the model, such as allocation. The enumerator runs
code on all small cases. A finding is one result of the enumerator. A conformance mark says how recordings of real
clients support a claim. A mode of use is push, push orderly, and so on.
"""
