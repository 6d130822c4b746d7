"""``rebalance export-test``: write a counterexample as a test of the real client."""

from pathlib import Path

import click

from rebalance_proofs.cli.epilogs import ANSWERED
from rebalance_proofs.cli.params import File
from rebalance_proofs.proofs.ledger import only
from rebalance_proofs.report.export.export import LANGUAGES, export, to_write
from rebalance_proofs.report.own.output import make_folder, require_writable, write_whole


@click.command("export-test", epilog=ANSWERED)
@click.argument("claim")
@click.option(
    "--for",
    "language",
    type=click.Choice([*LANGUAGES]),
    required=True,
    help="Test runner of the client's language.",
)
@click.option(
    "--output",
    type=File(file_okay=False),
    metavar="DIR",
    help="Write the test to a folder, with the project file that it needs; by default, print the test.",
)
def export_test(claim: str, language: str, output: Path | None) -> int:
    """Write a counterexample as a test of the real client.

    The test is self-contained. It gives a released client the inputs of the claim's smallest counterexample, with a
    fake broker where the client needs one. The test fails while the fault is there, and passes when it is mended. Its
    header names the claim and the release, and the command that runs the test.

    CLAIM is the id of a refuted claim from `rebalance list`.

    \b
    Examples:
      rebalance export-test receiving.python_v5_1_1.one-loop --for pytest
      rebalance export-test receiving.go.unharmed --for go --output mine
    """
    test = export(only(claim), language)
    if output is None:
        click.echo(test.text, nl=False)
        return 0
    require_writable(output)
    for name, text in to_write(test, output).items():
        if text is None:
            click.echo(f"Kept {output / name}")
            continue
        folder = output
        make_folder(folder)
        for part in Path(name).parent.parts:
            folder /= part
            make_folder(folder)
        write_whole(output / name, text)
        click.echo(f"Wrote {output / name}")
    return 0
