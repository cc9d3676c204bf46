"""Tables as files: what spreadsheets must not take for formulas, and files that are sent while they are read."""

import asyncio
from collections.abc import Iterator

from judge.classroom.exports import csv_file

ROWS = 2000


def test_a_table() -> None:
    response = csv_file("marks", ["name", "mark"], [["Ada, B.", 3], ["=1+1", None], ["-2", 4.5]])

    assert response.getvalue().decode() == "\ufeffname,mark\r\n\"Ada, B.\",3\r\n'=1+1,\r\n'-2,4.5\r\n"
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="marks.csv"'


def test_rows_are_sent_while_the_rest_is_read() -> None:
    read = []

    def rows() -> Iterator[list[int]]:
        for number in range(ROWS):
            read.append(number)
            yield [number]

    async def send() -> list[tuple[bytes, int]]:
        return [(piece, len(read)) async for piece in csv_file("numbers", ["number"], rows())]

    sent = asyncio.run(send())

    assert b"".join(piece for piece, _ in sent).split() == [b"\xef\xbb\xbfnumber", *(b"%d" % n for n in range(ROWS))]
    assert [read for _, read in sent] == [0, 500, 1000, 1500, 2000]
