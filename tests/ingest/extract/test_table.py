"""Tables: columns, header, encodings, places, and the bounds of what is read."""

from __future__ import annotations

import pytest

from zibaldone.domain.documents import Document, Unreadable
from zibaldone.ingest.extract.table import MAX_BYTES, MAX_ROWS, read


def read_table(data: bytes | str, name: str = "a.csv") -> Document:
    document = read(data if isinstance(data, bytes) else data.encode(), name)
    assert isinstance(document, Document)
    return document


def test_rows_are_lines_of_column_and_value_with_the_spreadsheets_numbers() -> None:
    rows = "".join(f"Item {n},{n}.50,\n" for n in range(2, 47))
    document = read_table("Name,Price,Note\n" + rows)
    assert [part.place for part in document.parts] == ["row 2-21", "row 22-41", "row 42-46"]
    assert document.parts[0].text.startswith("Name: Item 2\nPrice: 2.50\n\nName: Item 3\n")


@pytest.mark.parametrize(
    "written, name",
    [
        ("Ort;Größe\nKöln;3,5\nUlm;1,2\n", "a.csv"),
        ("Ort\tGröße\nKöln\t3,5\nUlm\t1,2\n", "a.tsv"),
        ("Ort|Größe\nKöln|3,5\nUlm|1,2\n", "a.csv"),
        ('"Ort","Größe"\r\n"Köln","3,5"\r\n"Ulm","1,2"\r\n', "a.csv"),
        ("sep=;\nOrt;Größe\nKöln;3,5\nUlm;1,2", "a.csv"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_delimiters_and_encodings(written: str, name: str, encoding: str) -> None:
    document = read_table(written.encode(encoding), name)
    assert [(part.text, part.place) for part in document.parts] == [
        ("Ort: Köln\nGröße: 3,5\n\nOrt: Ulm\nGröße: 1,2", "row 2-3")
    ]


def test_commas_in_figures_are_no_columns() -> None:
    assert read_table("1;2,5\n3;4,5\n").parts[0].text == "Column 1: 1\nColumn 2: 2,5\n\nColumn 1: 3\nColumn 2: 4,5"


def test_without_a_header_columns_have_numbers() -> None:
    assert (
        read_table("2024-01-02,Rent,100\n2024-02-02,Rent,100\n")
        .parts[0]
        .text.startswith("Column 1: 2024-01-02\nColumn 2: Rent\nColumn 3: 100\n\n")
    )
    assert read_table("a,b\n1\n\n1,2,3\n").parts[0].text == "1\n\na: 1\nb: 2\nColumn 3: 3"


def test_what_stands_above_the_columns_is_read_apart() -> None:
    document = read_table("# Account of May\n\nDay;Sum\n2024-05-01;3\n")
    assert [(part.text, part.place) for part in document.parts] == [
        ("# Account of May", "row 1-2"),
        ("Day: 2024-05-01\nSum: 3", "row 4"),
    ]


def test_a_single_column_is_lines_and_a_header_alone_its_names() -> None:
    document = read_table("milk\nbread\n\neggs\n")
    assert [(part.text, part.place) for part in document.parts] == [("milk\n\nbread\n\neggs", "row 1-4")]
    assert [part.text for part in read_table("Name,Price\n").parts] == ["Name, Price"]
    assert read_table("").parts == ()


def test_quotes_hold_line_breaks_and_a_quote_that_never_closes_loses_nothing() -> None:
    assert read_table('a,b\n"x\ny",2\n').parts[0].text == "a: x y\nb: 2"
    open_quote = read_table('a,b\n"x,2\n' + "y,3\n" * 50_000)
    assert open_quote.parts[0].text.startswith('a: "x\nb: 2\n\na: y\nb: 3')


def test_what_is_too_much_is_said() -> None:
    many = read_table("a,b\n" + "1,2\n" * (MAX_ROWS + 500))
    assert many.problems == (f"Only the first {MAX_ROWS + 1} of {MAX_ROWS + 501} rows were read.",)
    wide = read_table("a,b\n" + ("x" * 100_000 + ",2\n") * 60)
    assert wide.problems == ("Only the first 21 rows were read: the table is too long.",)
    long = read_table(b"a,b\n" + (b"," * 100_000 + b"\n") * (MAX_BYTES // 100_000 + 5))
    assert long.problems == ("Only the first 10 MB were read.",)
    assert read_table("a" * 200_000 + ",b\n1,2\n").parts == ()


def test_no_table() -> None:
    assert read(b"a\0b", "a.csv") == Unreadable("contains NUL bytes: it is not text")
