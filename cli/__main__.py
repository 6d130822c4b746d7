"""The entry point. The command takes a second to load; who presses Ctrl-C meanwhile gets a word, and no stack trace."""

from cli import signals


def main() -> None:
    """Runs the command and ends the process with its exit status."""
    signals.listen()
    from cli.main import main as command

    try:
        command()
    finally:
        signals.ignore()


if __name__ == "__main__":
    main()
