"""Portable Document Format, read by pdfium: the text of each page as a person reads it.

`document` is the order of the steps: lines of a page (`page`) -> without what repeats on all pages (`running`) -> in
reading order (`columns`) -> under their headings (`outline`) -> joined into paragraphs (`paragraphs`). Pages that are
pictures go to the reader of pictures (`pictures`).
"""

from zibaldone.ingest.extract.pdf.document import read as read
