"""Log statements are found in source text of each language, with a placeholder for each value."""

import pytest

from rebalance_proofs.recorded.knowledge.statements.calls import LANGUAGES, calls


def _found(language, source):
    return [(one.level, one.text) for one in calls(source, LANGUAGES[language])]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ('log.info("doRebalance, {}, add a new mq, {}", group, mq);', "doRebalance, {}, add a new mq, {}"),
        ('log.info("a " + name + ", b", error);', "a {}, b"),
        ('log.info(\n    "first line, "\n        + "second line. {}",\n    mq);', "first line, second line. {}"),
        ('log.info(String.format("took %d ms for %-5s, %.2f%%", a, b, c));', "took {} ms for {}, {}%"),
        ('log.info(TAG + " done in {}", ms);', "tag: done in {}"),
        ('String info = "state of " + id;\n log.info(info);', "state of {}"),
        ('if (a) {\n String info = "unseen";\n }\n log.info(info);', "{}"),
        ("log.info(response.getRemark());", "{}"),
        ('log.info("it\\\'s \\"done\\" // not a comment", e);', 'it\'s "done" // not a comment'),
        ('log.info(ok ? "OK" : "Failed");', "{}"),
        ('LOGGER.info(("in brackets {}"), f(a, "x, y"));', "in brackets {}"),
    ],
)
def test_java_statement_is_found_with_its_text(call, text):
    source = f'class A {{\n private static final String TAG = "tag:";\n void f() {{\n {call}\n }} }}'
    assert _found("java", source) == [("info", text)]


def test_java_levels_and_loggers_are_found():
    source = """
        // log.info("in a comment");
        /* log.error("in a block") */
        log.debug("debug");
        POP_LOGGER.warn("pop");
        this.log.error("failed", e);
        catalog.information("no log statement");
    """
    assert _found("java", source) == [("warn", "pop"), ("error", "failed")]


def test_go_statement_has_the_message_without_keys():
    source = """
	rlog.Info("the MessageQueue changed", map[string]interface{}{
		rlog.LogKeyTopic: topic,
		"note": "a, b",
	})
	rlog.Warning(fmt.Sprintf("fix the pull request offset: %s", request.String()), nil)
	rlog.Error(`raw
 text`, nil)
	rlog.Debug("debug", nil)
    """
    assert _found("go", source) == [
        ("info", "the MessageQueue changed"),
        ("warn", "fix the pull request offset: {}"),
        ("error", "raw text"),
    ]


def test_cpp_statement_has_a_placeholder_for_each_conversion():
    source = """
    #define LOG_INFO(...) something(__VA_ARGS__)
    LOG_INFO("LockAll " SIZET_FMT " broker mqs", n);
    LOG_ERROR("Add mq:%s, "
              "offset:%ld", mq.c_str(), offset);
    LOG_WARN_NEW("unlock. group:{}", group);
    LOG_DEBUG("debug");
    std::string error("Allocate for [");
    error.append(group);
    error.append("] failed");
    LOG_ERROR("%s", error.c_str());
    std::stringstream text;
    text << "Result for " << group << " is changed.\\n"
         << "Total:" << n;
    LOG_INFO("%s", text.str().c_str());
    """
    assert _found("cpp", source) == [
        ("info", "LockAll {} broker mqs"),
        ("error", "Add mq:{}, offset:{}"),
        ("warn", "unlock. group:{}"),
        ("error", "Allocate for [{}] failed"),
        ("info", "Result for {} is changed. Total:{}"),
    ]


def test_node_statement_has_a_placeholder_for_each_value():
    source = """
    this.logger.info('[mq] allocate for group: %s, result: %j', group, result);
    this.logger.warn(`[mq] ${group} is gone`);
    this.logger.error(err);
    this.logger.debug('debug');
    """
    assert _found("node", source) == [
        ("info", "[mq] allocate for group: {}, result: {}"),
        ("warn", "[mq] {} is gone"),
        ("error", "{}"),
    ]


def test_line_number_is_that_of_the_statement():
    (found,) = calls('\n\n/* a\n b */ log.warn(\n "text");', LANGUAGES["java"])
    assert found.line == 4
