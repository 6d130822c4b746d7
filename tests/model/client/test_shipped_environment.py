"""A Java client's own parts throw only what the client expects."""

import pytest

from rebalance_proofs.model.client.environment import FAILS, THROWS, Answers, Environment
from rebalance_proofs.model.client.errors import MQClientException, RuntimeException
from rebalance_proofs.model.client.shipped_environment import ShippedEnvironment
from tests.model.client.java_clients import A


@pytest.mark.parametrize("query", ["max_offset", "search_offset"])
@pytest.mark.parametrize("said", [FAILS, THROWS])
def test_every_failure_of_a_query_is_a_client_exception(query, said):
    with pytest.raises(MQClientException):
        getattr(ShippedEnvironment({A: Answers(queried=said)}), query)(A)


def test_an_environment_of_the_users_own_may_throw_anything():
    with pytest.raises(RuntimeException):
        Environment({A: Answers(queried=THROWS)}).max_offset(A)


def test_an_answer_is_an_answer():
    assert ShippedEnvironment({A: Answers(queried=77)}).max_offset(A) == 77
