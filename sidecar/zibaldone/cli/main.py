"""The entry point: loads a command's module only when it is used, and maps errors to exit codes.

0 done; 1 an expected failure (`error:` and `hint:` lines, or with --json the error document); 2 usage;
130 interrupted.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import traceback
from collections.abc import Sequence

import click

from zibaldone import __version__
from zibaldone.cli.options import common_options
from zibaldone.errors import InvalidRequest, ZibaldoneError

# name -> (module, attribute, what `zib --help` says of it)
COMMANDS: dict[str, tuple[str, str, str]] = {
    "init": ("zibaldone.cli.init", "init", "Prepare a vault: git and the Zibaldone/ folder."),
    "serve": ("zibaldone.cli.serve", "serve", "Run the sidecar."),
    "status": ("zibaldone.cli.status", "status", "What is indexed, pending, skipped and why."),
    "doctor": ("zibaldone.cli.doctor", "doctor", "Look for problems; each comes with a remedy."),
    "sync": ("zibaldone.cli.sync", "sync", "Reconcile the notes on disk with the index."),
    "connectors": ("zibaldone.cli.connectors", "connectors", "Folders beside the vault that are searched too."),
    "search": ("zibaldone.cli.search", "search", "Find passages; no model writes anything."),
    "ask": ("zibaldone.cli.ask", "ask", "Ask a question; the answer cites the notes."),
    "agenda": ("zibaldone.cli.agenda", "agenda", "What is due, from the tasks and dates in your notes."),
    "evolution": ("zibaldone.cli.evolution", "evolution", "How thinking about a topic moved, from git history."),
    "chat": ("zibaldone.cli.chat", "chat", "Hold a conversation in the terminal."),
    "history": ("zibaldone.cli.history", "history", "List, show and delete saved conversations."),
    "memory": ("zibaldone.cli.memory", "memory", "What is remembered about you: list, add, edit, forget."),
    "rules": ("zibaldone.cli.rules", "rules", "How the agents work, and how you want it."),
    "pattern": ("zibaldone.cli.pattern", "pattern", "Tidy the memory, as each night."),
    "build-memory": ("zibaldone.cli.vault_memory", "build_memory", "Bring the memory of the vault up to date."),
    "memory-stats": ("zibaldone.cli.vault_memory", "memory_stats", "How far the memory of the vault is."),
    "concepts": ("zibaldone.cli.vault_memory", "concepts", "What the notes are about."),
    "timeline": ("zibaldone.cli.vault_memory", "timeline", "What happened, episode by episode."),
    "forgetting": ("zibaldone.cli.vault_memory", "forgetting", "What is important and slipping away."),
    "recall": ("zibaldone.cli.vault_memory", "recall", "Cards of what is slipping away, and grading them."),
    "drift": ("zibaldone.cli.vault_memory", "drift", "How the thinking on each concept moved."),
    "distill": ("zibaldone.cli.vault_memory", "distill", "The passages that stand for a concept or episode."),
    "usage": ("zibaldone.cli.vault_memory", "usage", "What answers used of late."),
    "page": ("zibaldone.cli.page", "page", "The pages of the wiki: read, write, rename, delete."),
    "log": ("zibaldone.cli.wiki", "log", "Add a text to the day's log."),
    "backlinks": ("zibaldone.cli.wiki", "backlinks", "Notes and pages that link to a page or note."),
    "similar": ("zibaldone.cli.wiki", "similar", "Pages that are near in meaning."),
    "contradictions": ("zibaldone.cli.divergence", "contradictions", "Claims that disagree."),
    "gaps": ("zibaldone.cli.divergence", "gaps", "What one would expect of a topic and is absent."),
    "drift-walk": ("zibaldone.cli.divergence", "drift_walk", "A walk of associations from a note."),
    "bridges": ("zibaldone.cli.divergence", "bridges", "What lies between two areas."),
    "lint": ("zibaldone.cli.lint", "lint", "Look for what is wrong with the pages, and mend it."),
    "index": ("zibaldone.cli.lint", "index", "Rebuild the list of pages."),
    "ingest": ("zibaldone.cli.sources", "ingest", "Add documents that pages can rest on."),
    "sources": ("zibaldone.cli.sources", "sources", "List documents, clear away superseded ones."),
    "stale": ("zibaldone.cli.sources", "stale", "Pages that rest on something that has changed."),
    "import": ("zibaldone.cli.importing", "import_command", "Take over another vault, a folder or an outmem wiki."),
    "proposals": ("zibaldone.cli.proposals", "proposals", "Changes of your notes that wait for your approval."),
    "changes": ("zibaldone.cli.changes", "changes", "Every change that was made in the vault."),
    "undo": ("zibaldone.cli.changes", "undo", "Take a change back."),
    "pull": ("zibaldone.cli.exchange", "pull", "Bring in what the vault's git remote has."),
    "push": ("zibaldone.cli.exchange", "push", "Send the vault's commits to its git remote."),
    "hook": ("zibaldone.cli.hook", "hook", "Git hooks that tell Zibaldone of your own commits."),
    "models": ("zibaldone.cli.models", "models", "The catalogue of models: list, pull, use."),
    "config": ("zibaldone.cli.config", "config", "Show each setting and where it came from."),
    "backup": ("zibaldone.cli.backup", "backup", "Write state and index into one file."),
    "restore": ("zibaldone.cli.restore", "restore", "Put a backup back."),
    "eval": ("zibaldone.cli.eval", "eval_command", "How good retrieval is, on sets whose answers are known."),
    "sample": ("zibaldone.cli.sample", "sample", "A small vault with questions, to try all of this on."),
    "bench": ("zibaldone.cli.bench", "bench", "Measure against the raw libraries, on this machine."),
    "rebuild": ("zibaldone.cli.rebuild", "rebuild", "Make the index anew; the state is not touched."),
}


class LazyGroup(click.Group):
    """Commands are imported when they are called, so that `zib --help` is instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click would end with 1
            _silence_stdout()
            return 0

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="zib", message="%(prog)s %(version)s")
@common_options(json=False)
def cli() -> None:
    """A memory for your notes: cited answers from a model on your own machine.

    The vault is --vault, else $ZIBALDONE_VAULT, else the nearest folder upwards that holds .obsidian/ or
    Zibaldone/.
    """


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; its exit code. Never raises."""
    # Read by hand, as a failure may come before the command line is parsed.
    flags = arguments[: arguments.index("--")] if "--" in arguments else arguments
    as_json, debug = "--json" in flags, "--debug" in flags
    try:
        result = cli.main(args=list(arguments), prog_name="zib", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.UsageError as error:
        error.show(sys.stderr)
        if as_json:
            _print_error(InvalidRequest(error.format_message(), "See `zib --help`."))
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("", err=True)
        return 130
    except BrokenPipeError:
        _silence_stdout()
        return 0
    except ZibaldoneError as error:
        cause: Exception = error
        failure = error
    except OSError as error:
        cause = error
        place = f"{error.filename}: " if error.filename else ""
        hint = "Check that the place is there, writable and not full."
        failure = ZibaldoneError(f"{place}{error.strerror or error}.", hint)
    except Exception as error:  # noqa: BLE001 - the edge: a person is never shown a traceback unasked
        cause = error
        failure = ZibaldoneError(
            f"Something went wrong inside Zibaldone ({type(error).__name__}: {_one_line(error)}).",
            "Run it again with --debug to see where.",
        )
    if debug:
        traceback.print_exception(cause)
    with contextlib.suppress(BrokenPipeError):
        if as_json:
            _print_error(failure)
        else:
            from zibaldone.cli.output import clean

            click.secho("error: ", fg="red", err=True, nl=False)
            click.echo(clean(_one_line(failure.message)), err=True)
            if failure.hint:
                click.echo(f"hint: {clean(_one_line(failure.hint))}", err=True)
    return 1


def _print_error(error: ZibaldoneError) -> None:
    from zibaldone.schemas.base import ErrorResponse
    from zibaldone.schemas.failure import describe_error

    click.echo(ErrorResponse(error=describe_error(error)).model_dump_json(indent=2))


def _one_line(error: object) -> str:
    return " ".join(str(error).split())


def _silence_stdout() -> None:
    """The reader has gone: nothing is left to be written at the interpreter's exit either."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
