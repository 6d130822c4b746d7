"""Names of packages as users type them: each is read, or rejected in one sentence."""

import pytest

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.recorded.packages.install import package


@pytest.mark.parametrize(
    ("words", "full"),
    [
        ("go==2.1.2", "github.com/apache/rocketmq-client-go/v2==v2.1.2"),
        ("Go == v2.1.2", "github.com/apache/rocketmq-client-go/v2==v2.1.2"),
        ("ali-ons==3.12.0", "ali-ons==3.12.0"),
        ("rocketmq-python-client==5.1.1", "rocketmq-python-client==5.1.1"),
        ("grpc-java==5.2.0", "rocketmq-client-java==5.2.0"),
        ("github.com/apache/rocketmq-clients/golang/v5==5.1.4", "github.com/apache/rocketmq-clients/golang/v5==v5.1.4"),
        ("node==3.12.0", "ali-ons==3.12.0"),
        ("rust==1.0.0", "rocketmq-model==1.0.0"),
        ("rocketmq-client-rust==1.0.0-rc.1", "rocketmq-client-rust==1.0.0-rc.1"),
        ("org.apache.rocketmq:rocketmq-client==5.5.0", "rocketmq-client==5.5.0"),
    ],
)
def test_package_is_named(words, full):
    assert str(package(words)) == full


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "--package '' is not a known client: name one of "),
        ("foo==1", "--package 'foo==1' is not a known client: name one of "),
        ("ali-on==3.12.0", "is not a known client: did you mean 'ali-ons'? the packages are "),
        ("ali-ons", "--package 'ali-ons' has no version: name one, such as ali-ons==3.12.0"),
        ("ali-ons==", "has no version: name one, such as ali-ons==3.12.0"),
        ("ali-ons=3.12.0", "is not a known client: did you mean "),
        ("ali-ons==latest", "has no valid version: name one, such as ali-ons==3.12.0"),
        ("go==../../x", "has no valid version: name one, such as github.com/apache/rocketmq-client-go/v2==v2.1.2"),
        ("ali-ons==3.12.0 --global", "has no valid version"),
        ("ali-ons==2.0.4", "--package: version '2.0.4' of the Node client is not covered; name a version 3.x"),
        ("go==v1.2.5", "--package: version '1.2.5' of the Go client is not covered; name a version 2.x"),
        ("rocketmq==5.0.0", "cannot be compared: no release of this crate has a push consumer"),
        ("rocketmq-client-java==5.0.0", "is not modelled: name one of 5.0.8, 5.1.0, 5.2.0"),
        ("java==6.0.0", "is not covered; name a Java client version 4.x or 5.x"),
    ],
)
def test_wrong_name_is_one_sentence(words, said):
    with pytest.raises(StrategyError) as error:
        package(words)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ("go==v2.1.2", "Go 2.1.2 was not read: this answer uses the model of Go 2.1.3-0."),
        ("go==v2.1.3-0.20251226070945-2173d070fd1b", ""),
        ("ali-ons==3.12.0", ""),
        ("rust==1.0.0-rc.1", "Rust 1.0.0-rc.1 was not read: this answer uses the model of Rust 1.0.0."),
    ],
)
def test_package_has_the_note_of_its_version(words, note):
    found = package(words).resolved.note
    assert found.startswith(note)
    assert bool(found) == bool(note)
