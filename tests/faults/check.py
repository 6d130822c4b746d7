"""Faults in the check of a user's own strategy: it reports what is not so."""

from tests.faults.fault import failing, fault

CHECKED, TOLD = "tests/spark_enum/own/test_checked.py", "tests/cli/test_check.py"
SMALLEST = f"{CHECKED}::test_smallest_group_of_a_wrong_strategy_is_found"


AUTHORS = "tests/cli/test_authors.py"
NAMES = "tests/model/own/test_names.py"


FAULTS = (
    fault(
        "part-of-the-groups-is-ok",
        "Answer.status",
        "return 1 if self.failing or self.contradicted else 3 if self.unfinished else 0",
        "return 1 if self.failing or self.contradicted else 0",
        *failing(f"{AUTHORS}::test_part_of_the_given_groups_is_not_ok[more0-3]"),
    ),
    fault(
        "single-ids-are-not-tried",
        "ordered",
        "for size in range(1, len(ids) + 1):",
        "for size in range(2, len(ids) + 1):",
        *failing(f"{NAMES}::test_all_sets_of_six_ids_are_tried_by_size"),
    ),
    fault(
        "texts-become-no-suffix",
        "_forms",
        "return (f'{word}{before}{name}', f'{name}{after}{word}{before}1', f'{name}{after}{word}')",
        "return (f'{word}{before}{name}', f'{name}{after}{word}{before}1', f'{word}{before}{name}')",
        *failing(f"{NAMES}::test_text_becomes_prefix_infix_and_suffix_of_ids_and_brokers"),
    ),
    fault(
        "retry-topic-is-not-tried",
        "_parts",
        "return (*topics, *parts[:max(0, PARTS - len(topics) - len(retry))], *retry)",
        "return (*topics, *parts[:max(0, PARTS - len(topics) - len(retry))])",
        *failing(f"{NAMES}::test_clients_get_each_topic_and_the_retry_topic_in_a_list_of_their_own"),
    ),
    fault(
        "environment-is-passed-on",
        "Surroundings.variables",
        "found = {name: value for name, value in os.environ.items() if _passes(name, self.names)}",
        "found = {name: value for name, value in os.environ.items()}",
        *failing(f"{AUTHORS}::test_foreign_code_finds_no_secret_in_the_environment[python]"),
    ),
    fault(
        "environment-of-the-parent-stays",
        "hide",
        "ctypes.memset(start, 0, end - start)",
        "ctypes.memset(start, 0, 0)",
        *failing(f"{AUTHORS}::test_foreign_code_finds_no_secret_in_the_environment[python]"),
    ),
    fault(
        "history-forgets-earlier-steps",
        "_Calls.result",
        "mine = tuple((step for step in steps if member in step.ids))",
        "mine = steps[-1:]",
        *failing(f"{AUTHORS}::test_shortest_history_of_a_python_strategy_has_a_test"),
    ),
    fault(
        "settings-are-alike",
        "_group",
        ", asked[at]",
        ", asked[0 * at]",
        *failing(f"{AUTHORS}::test_rollout_breaks_guarantees_in_the_smallest_group[ORDER=up,down]"),
    ),
    fault(
        "own-guarantee-always-holds",
        "judging",
        "raise Violated(str(error)) from None",
        "return [] if error else []",
        *failing(f"{AUTHORS}::test_own_guarantee_has_a_minimal_counterexample"),
    ),
    fault(
        "report-has-no-failures",
        "_case",
        "case.result = [found]",
        "case.result = []",
        *failing(f"{AUTHORS}::test_reports_for_ci_have_each_required_guarantee"),
    ),
    fault(
        "duplicates-not-noticed",
        "outside_or_twice",
        "if len(taken) < len(result):",
        "if len(taken) > len(result):",
        *failing(f"{SMALLEST}[twice-inside-agreed/plain/1x1]"),
    ),
    fault(
        "foreign-queues-not-noticed",
        "outside_or_twice",
        "if not taken <= known:",
        "if not taken:",
        *failing(f"{SMALLEST}[foreign-inside-agreed/plain/1x3]"),
    ),
    fault(
        "untried-groups-hold",
        "Row.holds",
        "return Holds.YES if all((one.tried.groups for one in found)) else Holds.UNTRIED",
        "return Holds.YES",
        *failing(f"{CHECKED}::test_guarantee_does_not_hold_where_time_ran_out"),
    ),
    fault(
        "unjudged-groups-hold",
        "Row.holds",
        "all(((one.cut or one.tried.groups == one.expected) and (not one.tried.unjudged) for one",
        "all((one.cut or one.tried.groups == one.expected for one",
        *failing(
            "tests/spark_enum/own/test_rows.py::test_unchecked_guarantee_does_not_hold[tried2-False-Holds.UNTOLD]"
        ),
    ),
    fault(
        "changed-arguments-not-noticed",
        "Caller._call",
        "if not _alike(now, before):",
        "if not _alike(now, before) and name == 'mqAll':",
        *failing(
            "tests/model/own/test_python.py::test_changed_argument_list_is_noted_beside_the_result[changes_cid_all-cidAll]"
        ),
    ),
    fault(
        "second-answer-not-compared",
        "apart",
        "if said(before) != said(again):",
        "if said(before) != said(before):",
        *failing(f"{CHECKED}::test_nondeterministic_strategy_is_found[turns]"),
    ),
    fault(
        "what-is-named-is-all-that-is-required",
        "_required",
        "return tuple((name for name in there if name in named or name in ALWAYS or name.startswith(PREFIX)))",
        "return tuple((name for name in there if name in named or name.startswith(PREFIX)))",
        *failing(f"{TOLD}::test_repeatable_answers_are_always_required[covers]"),
    ),
    fault(
        "one-group-is-asked-in-one-process",
        "alone",
        "for other in _others(asked, open_):",
        "for other in ():",
        *failing("tests/spark_enum/own/test_differs.py::test_single_group_shows_the_nondeterminism[draws]"),
    ),
    fault(
        "clocks-are-not-moved",
        "LATER",
        "LATER = THEN + 24 * 3600 + 3600 + 60 + 1",
        "LATER = THEN",
        *failing("tests/spark_enum/own/test_differs.py::test_cause_of_nondeterminism_is_named[by_the_hour-Why.TIME]"),
    ),
    fault(
        "smallest-is-the-largest",
        "Tried.breaks",
        "self.broken[name] = min(wrong, self.broken.get(name, wrong))",
        "self.broken[name] = max(wrong, self.broken.get(name, wrong))",
        *failing("tests/spark_enum/own/test_tried.py::test_smaller_of_two_groups_is_kept"),
    ),
    fault(
        "smallest-is-that-of-the-last-names",
        "_row",
        "smallest = min(broken, key=_order, default=None)",
        "smallest = min(broken[::-1], key=_order, default=None)",
        *failing(f"{CHECKED}::test_smallest_group_over_all_namings_is_reported"),
    ),
    fault(
        "broken-is-status-0",
        "Answer.status",
        "return 1 if self.failing or self.contradicted else 3 if self.unfinished else 0",
        "return 1 if self.contradicted else 3 if self.unfinished else 0",
        *failing(f"{TOLD}::test_holds_names_the_required_guarantees"),
    ),
    fault(
        "reproduces-another-group",
        "Smallest.key",
        "return '/'.join([self.space.name, f'{n}x{q}', *([digits] if digits else [])])",
        "return '/'.join([self.space.name, f'{q}x{n}', *([digits] if digits else [])])",
        *failing(f"{SMALLEST}[throws_without_a_queue-returns-agreed/plain/2x1]"),
    ),
    fault(
        "null-of-java-is-empty",
        "_outcomes",
        "outcome = _refused(reader) if count == REFUSED else _spelled_out(reader, call)",
        "outcome = Gave(()) if count == REFUSED else _spelled_out(reader, call)",
        *failing("tests/model/own/java/test_protocol.py::test_null_result_is_not_an_empty_list"),
    ),
    fault(
        "null-queue-of-java-is-the-last",
        "_spelled_out",
        "found.append(call.mq_all[position] if position >= 0 else None)",
        "found.append(call.mq_all[position])",
        *failing("tests/model/own/java/test_protocol.py::test_null_queue_is_not_in_mq_all"),
    ),
    fault(
        "steps-of-a-proof-say-nothing",
        "Steps.disjoint",
        "return Statement(given, smt.Not(both))",
        "return Statement(given, smt.BoolVal(True))",
        *failing(
            "tests/proofs/own/test_prove.py::test_proved_guarantees_of_user_code_are_listed[remainder_to_the_last-expected0]"
        ),
    ),
    fault(
        "proofs-rest-on-nothing",
        "prove_own",
        "proof if sound.proved or not",
        "proof if sound or not",
        *failing("tests/proofs/own/test_prove.py::test_other_guarantees_need_returns[looks_too_far]"),
    ),
    fault(
        "what-raises-is-a-list",
        "Steps.ways",
        "return [(number, path) for number, path in enumerate(self.paths, 1) if not path.raises]",
        "return [(number, path) for number, path in enumerate(self.paths, 1)]",
        *failing("tests/proofs/own/test_prove.py::test_raising_path_returns_no_list"),
    ),
)
