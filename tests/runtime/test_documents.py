"""Files that are no notes: read once for each content, found and cited at their place, gone when they go."""

from __future__ import annotations

from support.repositories import git
from support.vaults import Asking, Vault, vault
from zibaldone.domain.documents import Document, Part, Unreadable
from zibaldone.schemas.search import Hit, SearchRequest

__all__ = ["vault"]

REPORT = Document(
    (
        Part("The mites came back in October.\n\nWe counted 31 of them under the third hive.", ("Varroa",), page=3),
        Part("A new extractor costs 640 euros.", ("Money",), page=4),
    ),
    title="The year at the apiary",
)
PLAN = Document((Part("Water the lemon tree", place="xywh=10,20,300,40", confidence=0.8),))


class Reader:
    """In the place of the child process: the first line of a file says what is read out of it."""

    eyes = "scripted"

    def __init__(self) -> None:
        self.read_names: list[str] = []

    def read(self, data: bytes, name: str) -> Document | Unreadable:
        self.read_names.append(name)
        return {b"report": REPORT, b"plan": PLAN}.get(data.split(b"\n")[0], Unreadable("is encrypted"))

    def close(self) -> None: ...


async def hits(asking: Asking, query: str, **request: object) -> list[Hit]:
    return (await asking.engine.search(SearchRequest.model_validate({"query": query, **request}))).hits


def use(asking: Asking) -> Reader:
    asking.engine._extractor = reader = Reader()  # type: ignore[assignment]
    return reader


async def test_what_a_file_says_is_found_and_cited_where_it_stands(vault: Vault) -> None:
    vault.write("Files/2025 report.pdf", "report")
    async with vault.open() as asking:
        reader = use(asking)
        report = await asking.sync()
        assert (report.added, reader.read_names) == (4, ["2025 report.pdf"])
        [hit, *_] = await hits(asking, "How many mites were under the third hive?")
        assert (hit.path, hit.page, hit.locator, hit.modality) == ("Files/2025 report.pdf", 3, "p. 3", "pdf")
        assert (hit.title, hit.heading) == ("The year at the apiary", ["Varroa"])
        assert hit.source_uri == "pdf:Files/2025 report.pdf"
        answer = await asking.ask("What does a new extractor cost in euros?", use_llm=False)
        cited = answer.citations[0]
        assert (cited.path, cited.page, cited.quote) == (
            "Files/2025 report.pdf",
            4,
            "A new extractor costs 640 euros.",
        )


async def test_a_content_is_read_once(vault: Vault) -> None:
    vault.write("a.pdf", "report")
    async with vault.open() as asking:
        reader = use(asking)
        await asking.sync()
        assert (await asking.sync()).unchanged == 5
        (vault.root / "a.pdf").rename(vault.root / "b.pdf")
        vault.write("Copies/c.pdf", "report")
        done = await asking.sync()
        assert (done.renamed, done.added, done.chunks_embedded) == (1, 1, 0)
        await asking.sync(rebuild=True)
        assert reader.read_names == ["a.pdf"]
        [hit, *_] = await hits(asking, "new extractor euros", paths=["b.pdf"])
        assert hit.path == "b.pdf"
        vault.write("b.pdf", "plan")
        await asking.sync()
        assert reader.read_names == ["a.pdf", "b.pdf"]


async def test_what_cannot_be_read_is_told_and_not_tried_again(vault: Vault) -> None:
    vault.write("locked.pdf", "secret")
    async with vault.open() as asking:
        reader = use(asking)
        done = await asking.sync()
        assert [(one.path, one.reason) for one in done.skipped if one.path.endswith(".pdf")] == [
            ("locked.pdf", "is encrypted")
        ]
        await asking.sync()
        assert reader.read_names == ["locked.pdf"]
        assert (await asking.engine.status()).notes.failed == 0


async def test_the_notes_that_show_a_picture_lend_it_their_words(vault: Vault) -> None:
    vault.write("Files/whiteboard.png", "plan")
    async with vault.open() as asking:
        reader = use(asking)
        await asking.sync()
        assert not [hit for hit in await hits(asking, "balcony", strategy="bm25") if hit.modality == "image"]
        vault.write("Garden/Balcony.md", "# Balcony\n\n![[whiteboard.png]]\n")
        await asking.sync()
        found = await hits(asking, "balcony", strategy="bm25", modality=["image"])
        assert [(hit.path, hit.locator, hit.confidence) for hit in found] == [
            ("Files/whiteboard.png", "xywh=10,20,300,40", 0.8)
        ]
        assert found[0].text == "Water the lemon tree"
        assert reader.read_names == ["whiteboard.png"]


async def test_a_sync_may_be_limited_to_kinds(vault: Vault) -> None:
    vault.write("a.pdf", "report")
    vault.write("b.png", "plan")
    async with vault.open() as asking:
        reader = use(asking)
        await asking.sync(only=["image"])
        assert reader.read_names == ["b.png"]
        assert {hit.path for hit in await hits(asking, "lemon tree mites", strategy="bm25")} >= {"b.png"}
        (vault.root / "b.png").unlink()
        await asking.sync(only=["notes"])
        await asking.sync(only=["pdf"])
        assert reader.read_names == ["b.png", "a.pdf"]
        assert (await asking.sync(only=["image"])).deleted == 1


async def test_a_file_that_went_is_in_no_answer(vault: Vault) -> None:
    vault.write("a.pdf", "report")
    async with vault.open() as asking:
        use(asking)
        await asking.sync()
        (vault.root / "a.pdf").unlink()
        assert "a.pdf" not in await asking.found("new extractor euros")
        assert (await asking.sync()).deleted == 1


async def test_an_excluded_folder_keeps_its_files(vault: Vault) -> None:
    vault.write("Private/a.pdf", "report")
    async with vault.open(**{"exclusions.folders": ["Private"]}) as asking:
        reader = use(asking)
        await asking.sync()
        assert reader.read_names == []


async def test_the_vaults_own_commits_tell_why_and_not_what_a_note_said_before(vault: Vault) -> None:
    vault.write("Projects/Hive.md", "# Hive\n\nThe hive scale costs 80 euros.\n")
    git(vault.root, "add", ".")
    git(vault.root, "commit", "-qm", "Note the price of the hive scale")
    vault.write("Projects/Hive.md", "# Hive\n\nThe hive scale costs 120 euros.\n")
    vault.write("tools/weigh.py", "OFFSET_GRAMS = 35\n")
    git(vault.root, "add", ".")
    git(vault.root, "commit", "-qm", "Correct the price after the call with Lena")
    async with vault.open() as asking:
        use(asking)
        await asking.sync()
        found = await hits(asking, "call with Lena", strategy="bm25", modality=["git"])
        assert {hit.source_uri.partition("@")[0] for hit in found} == {"git:history"}
        assert any("Projects/Hive.md" in hit.text for hit in found)
        assert not [hit for hit in await hits(asking, "hive scale 80 euros", k=50) if "80" in hit.text]
        [code, *_] = await hits(asking, "OFFSET_GRAMS", strategy="bm25")
        assert (code.modality, code.locator) == ("code", "tools/weigh.py:1")
        assert (await asking.sync(max_commits=1)).deleted >= 1
        assert not [hit for hit in await hits(asking, "price hive scale", k=50) if "Note the price" in hit.title]


async def test_what_stands_in_a_note_and_in_a_file_is_shown_once_with_both(vault: Vault) -> None:
    vault.write("report.pdf", "report")
    vault.write("Varroa count.md", "The mites came back in October.\n\nWe counted 31 of them under the third hive.\n")
    async with vault.open() as asking:
        use(asking)
        await asking.sync()
        found = await hits(asking, "How many mites under the third hive?")
        both = {"report.pdf", "Varroa count.md"}
        [hit] = [hit for hit in found if "third hive" in hit.text]
        assert {hit.path, *hit.also} == both
