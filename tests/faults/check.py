"""Faults in the check of a user's own strategy: it reports what is not so."""

from tests.faults.fault import failing, fault

CHECKED, TOLD = "tests/spark_enum/own/test_checked.py", "tests/cli/test_check.py"
SMALLEST = f"{CHECKED}::test_smallest_group_of_a_wrong_strategy_is_found"


AUTHORS = "tests/cli/test_authors.py"
NAMES = "tests/model/own/test_names.py"


FAULTS = (
    fault(
        "part-of-the-groups-is-ok",
        "report/own/answer.py",
        "else 3 if self.unfinished else 0",
        "else 0",
        *failing(f"{AUTHORS}::test_part_of_the_given_groups_is_not_ok[more0-3]"),
    ),
    fault(
        "single-ids-are-not-tried",
        "spark_enum/own/named.py",
        "for size in range(1, len(ids) + 1):",
        "for size in range(2, len(ids) + 1):",
        *failing(f"{NAMES}::test_all_sets_of_six_ids_are_tried_by_size"),
    ),
    fault(
        "texts-become-no-suffix",
        "model/own/names.py",
        'f"{name}{after}{word}"',
        'f"{word}{before}{name}"',
        *failing(f"{NAMES}::test_text_becomes_prefix_infix_and_suffix_of_ids_and_brokers"),
    ),
    fault(
        "retry-topic-is-not-tried",
        "model/own/names.py",
        "- len(retry))], *retry)",
        "- len(retry))])",
        *failing(f"{NAMES}::test_clients_get_each_topic_and_the_retry_topic_in_a_list_of_their_own"),
    ),
    fault(
        "environment-is-passed-on",
        "model/own/surroundings.py",
        "for name, value in os.environ.items() if _passes(name, self.names)}",
        "for name, value in os.environ.items()}",
        *failing(f"{AUTHORS}::test_foreign_code_finds_no_secret_in_the_environment[python]"),
    ),
    fault(
        "environment-of-the-parent-stays",
        "model/own/surroundings.py",
        "ctypes.memset(start, 0, end - start)",
        "ctypes.memset(start, 0, 0)",
        *failing(f"{AUTHORS}::test_foreign_code_finds_no_secret_in_the_environment[python]"),
    ),
    fault(
        "history-forgets-earlier-steps",
        "spark_enum/own/history.py",
        "mine = tuple(step for step in steps if member in step.ids)",
        "mine = steps[-1:]",
        *failing(f"{AUTHORS}::test_shortest_history_of_a_python_strategy_has_a_test"),
    ),
    fault(
        "settings-are-alike",
        "spark_enum/own/varied.py",
        "Consumer(name, queues, ids, asked[at].strategy)",
        "Consumer(name, queues, ids, asked[0 * at].strategy)",
        *failing(f"{AUTHORS}::test_rollout_breaks_guarantees_in_the_smallest_group[ORDER=up,down]"),
    ),
    fault(
        "own-guarantee-always-holds",
        "model/own/judging.py",
        "            raise Violated(str(error)) from None",
        "            return [] if error else []",
        *failing(f"{AUTHORS}::test_own_guarantee_has_a_minimal_counterexample"),
    ),
    fault(
        "report-has-no-failures",
        "report/own/reports.py",
        "        case.result = [found]",
        "        case.result = []",
        *failing(f"{AUTHORS}::test_reports_for_ci_have_each_required_guarantee"),
    ),
    fault(
        "duplicates-not-noticed",
        "spark_enum/own/inside.py",
        "if len(taken) < len(result):",
        "if len(taken) > len(result):",
        *failing(f"{SMALLEST}[twice-inside-agreed/plain/1x1]"),
    ),
    fault(
        "foreign-queues-not-noticed",
        "spark_enum/own/inside.py",
        "if not taken <= known:",
        "if not taken:",
        *failing(f"{SMALLEST}[foreign-inside-agreed/plain/1x3]"),
    ),
    fault(
        "untried-groups-hold",
        "spark_enum/own/rows.py",
        "return Holds.YES if all(one.tried.groups for one in found) else Holds.UNTRIED",
        "return Holds.YES",
        *failing(f"{CHECKED}::test_guarantee_does_not_hold_where_time_ran_out"),
    ),
    fault(
        "unjudged-groups-hold",
        "spark_enum/own/rows.py",
        " and not one.tried.unjudged for one",
        " for one",
        *failing(
            "tests/spark_enum/own/test_rows.py::test_unchecked_guarantee_does_not_hold[tried2-False-Holds.UNTOLD]"
        ),
    ),
    fault(
        "changed-arguments-not-noticed",
        "model/own/child.py",
        "if not _alike(now, before):",
        'if not _alike(now, before) and name == "mqAll":',
        *failing(
            "tests/model/own/test_python.py::test_changed_argument_list_is_noted_beside_the_result[changes_cid_all-cidAll]"
        ),
    ),
    fault(
        "second-answer-not-compared",
        "spark_enum/own/repeated.py",
        "if said(before) != said(again):",
        "if said(before) != said(before):",
        *failing(f"{CHECKED}::test_nondeterministic_strategy_is_found[turns]"),
    ),
    fault(
        "what-is-named-is-all-that-is-required",
        "report/own/check.py",
        "if name in named or name in ALWAYS or name.startswith(PREFIX))",
        "if name in named or name.startswith(PREFIX))",
        *failing(f"{TOLD}::test_repeatable_answers_are_always_required[covers]"),
    ),
    fault(
        "one-group-is-asked-in-one-process",
        "spark_enum/own/alone.py",
        "    for other in _others(asked, open_):",
        "    for other in ():",
        *failing("tests/spark_enum/own/test_differs.py::test_single_group_shows_the_nondeterminism[draws]"),
    ),
    fault(
        "clocks-are-not-moved",
        "model/own/hold.py",
        "LATER = THEN + 24 * 3600 + 3600 + 60 + 1",
        "LATER = THEN",
        *failing("tests/spark_enum/own/test_differs.py::test_cause_of_nondeterminism_is_named[by_the_hour-Why.TIME]"),
    ),
    fault(
        "smallest-is-the-largest",
        "spark_enum/own/tried.py",
        "        self.broken[name] = min(wrong, self.broken.get(name, wrong))\n\n    def merge",
        "        self.broken[name] = max(wrong, self.broken.get(name, wrong))\n\n    def merge",
        *failing("tests/spark_enum/own/test_tried.py::test_smaller_of_two_groups_is_kept"),
    ),
    fault(
        "smallest-is-that-of-the-last-names",
        "spark_enum/own/rows.py",
        "smallest = min(broken, key=",
        "smallest = min(broken[::-1], key=",
        *failing(f"{CHECKED}::test_smallest_group_over_all_namings_is_reported"),
    ),
    fault(
        "broken-is-status-0",
        "report/own/answer.py",
        "return 1 if self.failing or self.contradicted else",
        "return 1 if self.contradicted else",
        *failing(f"{TOLD}::test_holds_names_the_required_guarantees"),
    ),
    fault(
        "reproduces-another-group",
        "spark_enum/own/rows.py",
        '"/".join([self.space.name, f"{n}x{q}", *',
        '"/".join([self.space.name, f"{q}x{n}", *',
        *failing(f"{SMALLEST}[throws_without_a_queue-returns-agreed/plain/2x1]"),
    ),
    fault(
        "null-of-java-is-empty",
        "model/own/java/protocol.py",
        "outcome = _refused(reader) if count == REFUSED else",
        "outcome = Gave(()) if count == REFUSED else",
        *failing("tests/model/own/java/test_protocol.py::test_null_result_is_not_an_empty_list"),
    ),
    fault(
        "null-queue-of-java-is-the-last",
        "model/own/java/protocol.py",
        "call.mq_all[position] if position >= 0 else None)",
        "call.mq_all[position])",
        *failing("tests/model/own/java/test_protocol.py::test_null_queue_is_not_in_mq_all"),
    ),
    fault(
        "steps-of-a-proof-say-nothing",
        "proofs/own/steps.py",
        "return Statement(given, smt.Not(both))",
        "return Statement(given, smt.BoolVal(True))",
        *failing(
            "tests/proofs/own/test_prove.py::test_proved_guarantees_of_user_code_are_listed[remainder_to_the_last-expected0]"
        ),
    ),
    fault(
        "proofs-rest-on-nothing",
        "proofs/own/prove.py",
        "proof if sound.proved or not proof.proved else",
        "proof if sound or not proof.proved else",
        *failing("tests/proofs/own/test_prove.py::test_other_guarantees_need_returns[looks_too_far]"),
    ),
    fault(
        "what-raises-is-a-list",
        "proofs/own/steps.py",
        "enumerate(self.paths, 1) if not path.raises]",
        "enumerate(self.paths, 1)]",
        *failing("tests/proofs/own/test_prove.py::test_raising_path_returns_no_list"),
    ),
)
