"""The default parts of a Java client throw only what the client expects."""

import pytest

from rebalance_proofs.model.client.effects import MQClientException, RuntimeException
from rebalance_proofs.model.client.environment import FAILS, THROWS, Answers, Environment, ShippedEnvironment
from tests.model.client.java_clients import A


@pytest.mark.parametrize("query", ["max_offset", "search_offset"])
@pytest.mark.parametrize("said", [FAILS, THROWS])
def test_every_failed_query_is_a_client_exception(query, said):
    with pytest.raises(MQClientException):
        getattr(ShippedEnvironment({A: Answers(queried=said)}), query)(A)


def test_user_defined_environment_may_throw_anything():
    with pytest.raises(RuntimeException):
        Environment({A: Answers(queried=THROWS)}).max_offset(A)


def test_successful_query_returns_its_offset():
    assert ShippedEnvironment({A: Answers(queried=77)}).max_offset(A) == 77
