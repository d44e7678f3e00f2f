"""A folder of documents, read into titles, sections and plain text."""

from __future__ import annotations

import codecs
import csv
import logging
import os
import re
import tomllib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privrag_fast.retrieval.encoding import well_formed
from privrag_fast.types import CorpusError

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_log = logging.getLogger(__name__)

# --------------------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Section:
    """Text under one heading.

    Args:
        heading: Heading path inside the document, outermost first; "" before the first heading.
        text: One paragraph, list item or table row per line.
    """

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """One file.

    Args:
        source: Path relative to the corpus folder, with forward slashes.
        title: What the document calls itself, or its file name in words.
        sections: In reading order; none is empty.
    """

    source: str
    title: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that could not be read, and why; `reason` holds none of its text.

    Args:
        opened: False where it could not even be opened: what it holds may be as it was.
    """

    source: str
    reason: str
    opened: bool = True

    def hides(self, source: str) -> bool:
        """Whether a document of this source is out of reach."""
        return not self.opened and (source == self.source or source.startswith(f"{self.source}/"))


@dataclass(frozen=True, slots=True)
class Documents:
    """What `read_corpus` found, both sorted by source."""

    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...] = ()

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)


# --------------------------------------------------------------------------- reading


def read_corpus(folder: str | Path) -> Documents:
    """The documents under `folder`, or the one file that it names.

    Markdown, text, HTML, PDF and CSV of questions and answers are read; hidden files and other
    kinds are passed over. Links are followed. What cannot be read is logged, listed in `skipped`
    and left out.

    Raises:
        CorpusError: There is no such folder, or not one readable document in it.
    """
    root = Path(folder)
    documents: list[Document] = []
    skipped: list[Skipped] = []

    def skip(path: Path, error: _UnreadableError) -> None:
        source = _source(path, root)
        _log.warning("%s: skipped: %s", source, error)
        skipped.append(Skipped(source, str(error), error.opened))

    for path in _files(root, skip):
        try:
            documents.append(_read(path, _source(path, root)))
        except _UnreadableError as error:
            skip(path, error)
    if not documents:
        raise CorpusError(_nothing_read(root, skipped))
    return Documents(tuple(documents), tuple(sorted(skipped, key=lambda each: each.source)))


class _UnreadableError(Exception):
    """Why one file or folder is left out."""

    def __init__(self, reason: str, *, opened: bool = True) -> None:
        super().__init__(reason)
        self.opened = opened

    @classmethod
    def not_opened(cls, error: OSError) -> _UnreadableError:
        return cls(f"cannot be opened: {error.strerror}", opened=False)


_Skip = Callable[[Path, _UnreadableError], None]


def _files(root: Path, skip: _Skip) -> list[Path]:
    if root.is_file():
        if root.suffix.lower() not in _READERS:
            raise CorpusError(f"{root}: not one of {_kinds()}; convert it to one of these")
        return [root]
    if not root.is_dir():
        raise CorpusError(f"{root}: no such folder or file; name one with {_kinds()} files in it")
    return sorted(_walk(root, skip), key=lambda path: path.relative_to(root).as_posix())


def _walk(root: Path, skip: _Skip) -> Iterator[Path]:
    """The files to read; what several links name is entered once, under its own name if it can."""

    def unlisted(error: OSError) -> None:
        skip(Path(error.filename), _UnreadableError.not_opened(error))

    entered: set[tuple[int, int]] = set()
    waiting = deque([root])  # linked folders, behind all others
    while waiting:
        for parent, folders, names in os.walk(waiting.popleft(), onerror=unlisted):
            status = Path(parent).stat()
            if (status.st_dev, status.st_ino) in entered:
                folders.clear()
                continue
            entered.add((status.st_dev, status.st_ino))
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            paths = [Path(parent, name) for name in folders]
            waiting.extend(path for path in paths if path.is_symlink())
            for path in (Path(parent, name) for name in names if not name.startswith(".")):
                if path.suffix.lower() in _READERS:
                    yield path
                elif (error := _dead(path)) is not None:
                    unlisted(error)


def _dead(path: Path) -> OSError | None:
    """Why a path leads nowhere; behind it may be a folder."""
    try:
        path.stat()
    except OSError as error:
        return error
    return None


def _source(path: Path, root: Path) -> str:
    return well_formed(path.name if path == root else path.relative_to(root).as_posix())


def _nothing_read(root: Path, skipped: Iterable[Skipped]) -> str:
    reasons = "; ".join(f"{each.source}: {each.reason}" for each in skipped)
    if not reasons:
        return f"{root}: no {_kinds()} files in it; put the documents there"
    return f"{root}: no document could be read ({reasons})"


def _kinds() -> str:
    return ", ".join(_READERS)


def _read(path: Path, source: str) -> Document:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _UnreadableError.not_opened(error) from error
    builder = _Builder(fallback_title=re.sub(r"[-_\s]+", " ", path.stem).strip())
    try:
        _READERS[path.suffix.lower()](data, builder, source)
    except _UnreadableError:
        raise
    except Exception as error:  # a parser may raise anything; its message may quote the text
        raise _UnreadableError(f"damaged, its parser raised {type(error).__name__}") from error
    document = builder.document(source)
    if not document.sections:
        raise _UnreadableError("no text in it")
    return document


class _Builder:
    """Collects lines and headings of one document as its reader meets them."""

    _MAX_TITLE = 200  # a title is embedded with each passage: it must not crowd it out

    def __init__(self, *, fallback_title: str) -> None:
        self._title = ""
        self._fallback_title = fallback_title
        self._path: list[tuple[int, str]] = []
        self._lines: list[tuple[str, str]] = []

    def title(self, text: str) -> None:
        self._title = self._one_line(text)

    def heading(self, level: int, text: str) -> None:
        text = self._one_line(text)
        if not text:
            return
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        if level == 1 and self._title in ("", text):
            self._title = text  # names the whole document, not a section of it
        else:
            self._path.append((level, text))

    def line(self, text: str) -> None:
        if text := text.replace("\0", "").strip():
            self._lines.append((" > ".join(name for _, name in self._path), text))

    def document(self, source: str) -> Document:
        title = self._title or self._fallback_title
        return Document(source, well_formed(title), tuple(self._sections()))

    def _one_line(self, text: str) -> str:
        return " ".join(text.replace("\0", "").split())[: self._MAX_TITLE]

    def _sections(self) -> Iterator[Section]:
        lines: list[str] = []
        for number, (heading, line) in enumerate(self._lines):
            lines.append(line)
            following = self._lines[number + 1 : number + 2]
            if not following or following[0][0] != heading:
                yield Section(well_formed(heading), well_formed("\n".join(lines)))
                lines = []


# --------------------------------------------------------------------------- text

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_STARTS_LINE = re.compile(r"[-*•–]\s|\d{1,3}[.)]\s|[|#]")
"""A list item, table row or heading of plain text: not the rest of the line before."""


def _decoded(data: bytes, source: str, declared: str = "utf-8") -> str:
    marked = next((name for bom, name in _BOMS if data.startswith(bom)), None)
    with suppress(UnicodeDecodeError, LookupError):
        return data.decode(marked or declared)
    guess = marked or _guessed(data)
    _log.warning(
        "%s: not valid %s; read as %s, undecodable bytes replaced", source, declared, guess
    )
    return data.decode(guess, "replace")


def _guessed(data: bytes) -> str:
    """cp1252, which Windows still writes, where little that is not ASCII would do as UTF-8."""
    text = data.decode("utf-8", "replace")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return "cp1252" if "\0" not in text and 2 * text.count("\ufffd") > beyond_ascii else "utf-8"


def _read_text(data: bytes, builder: _Builder, source: str) -> None:
    _add_paragraphs(builder, _decoded(data, source))


def _add_paragraphs(builder: _Builder, text: str) -> None:
    """Adds hard-wrapped text: a blank line ends a paragraph, a list item starts a line."""
    wrapped: list[str] = []
    for raw_line in text.splitlines():
        line = raw_line.strip()
        if not line or _STARTS_LINE.match(line):
            builder.line(" ".join(wrapped))
            wrapped = []
        wrapped.append(line)
    builder.line(" ".join(wrapped))


# --------------------------------------------------------------------------- Markdown

_FRONT_MATTER = re.compile(
    r"\A(?:---[ \t]*\n(?P<yaml>(?:.{0,65536}?\n)??)(?:---|\.\.\.)"
    r"|\+\+\+[ \t]*\n(?P<toml>(?:.{0,65536}?\n)??)\+\+\+)[ \t]*(?:\n|\Z)",
    re.S,
)
_YAML_TITLE = re.compile(
    r"^title:[ \t]*(?:[>|][-+\d]*[ \t]*\n[ \t]+)?(?![>|][-+\d]*[ \t]*$)"
    r"(?P<title>\S.*(?:\n[ \t]+\S.*)*)",
    re.M,
)

_MAX_INLINE = 100_000
"""Longest paragraph whose inline markup is parsed; the parser's work can grow faster than it."""


def _read_markdown(data: bytes, builder: _Builder, source: str) -> None:
    from markdown_it import MarkdownIt

    text = _without_front_matter(_decoded(data, source).replace("\r\n", "\n"), builder)
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable("inline")  # done below, paragraph by paragraph
    links: dict[str, Any] = {}
    tokens = parser.parse(text, links)
    _add_markdown(builder, tokens, lambda token: _inline_text(parser, token.content, links))


def _without_front_matter(text: str, builder: _Builder) -> str:
    match = _FRONT_MATTER.match(text)
    if match is None:
        return text
    yaml, toml = match["yaml"], match["toml"]
    builder.title(_yaml_title(yaml) if toml is None else _toml_title(toml))
    return text[match.end() :]


def _yaml_title(fields: str) -> str:
    title = _YAML_TITLE.search(fields)
    return title["title"].strip().strip("'\"") if title else ""


def _toml_title(fields: str) -> str:
    try:
        title = tomllib.loads(fields).get("title")
    except tomllib.TOMLDecodeError:
        return ""
    return title if isinstance(title, str) else ""


def _add_markdown(
    builder: _Builder, tokens: Iterable[Token], inline: Callable[[Token], str]
) -> None:
    level, bullet, row = 0, "", [""]
    in_row = False
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type == "list_item_open":
            bullet = f"{token.info}. " if token.info else "- "
        elif token.type == "list_item_close":
            bullet = ""
        elif token.type == "tr_open":
            in_row, row = True, []
        elif token.type == "tr_close":
            in_row = False
            builder.line(" | ".join(row))
        elif token.type == "inline" and in_row:
            row.append(" ".join(inline(token).split()))
        elif token.type == "inline" and level:
            builder.heading(level, inline(token))
            level = 0
        elif token.type == "inline":
            for line in filter(str.strip, inline(token).split("\n")):
                builder.line(bullet + line.strip())
                bullet = ""
        elif token.type in ("fence", "code_block"):
            for line in token.content.splitlines():
                builder.line(line)
        elif token.type == "html_block":
            _add_html(builder, token.content, headings=False)


def _inline_text(parser: MarkdownIt, content: str, links: dict[str, Any]) -> str:
    """The words of a paragraph, without markup; a hard break is a newline."""
    if len(content) > _MAX_INLINE:
        return " ".join(content.split())
    tokens: list[Token] = []
    parser.inline.parse(content, parser, links, tokens)
    return _words(tokens)


def _words(tokens: Iterable[Token]) -> str:
    words: list[str] = []
    for token in tokens:
        if token.type in ("text", "text_special", "code_inline"):  # special: escapes, entities
            words.append(token.content)
        elif token.type == "image":
            words.append(_words(token.children or ()))
        elif token.type == "softbreak":
            words.append(" ")
        elif token.type == "hardbreak" or (
            token.type == "html_inline" and _starts_line(token.content)
        ):
            words.append("\n")
    return "".join(words)


def _starts_line(tag: str) -> bool:
    name = re.match(r"</?([a-z][a-z0-9]*)", tag, re.I)
    return name is not None and name[1].lower() in _blocks() | {"br", "td", "th"}


# --------------------------------------------------------------------------- HTML

_DROPPED = ["script", "style", "noscript", "template", "nav", "footer", "svg", "iframe"]

_MORE_BLOCKS = frozenset(("body", "caption", "details", "legend", "option", "summary", "tr"))
"""What starts a line beside the block elements that the parser knows."""

_BREAK = "\u2028"
"""Stands for <br>: no markup text is likely to hold a line separator."""


def _read_html(data: bytes, builder: _Builder, source: str) -> None:
    from bs4.dammit import EncodingDetector

    declared = EncodingDetector.find_declared_encoding(data, is_html=True)
    text = _decoded(data, source, _as_browsers_read(declared or "utf-8"))
    _add_html(builder, text, headings=True)


def _as_browsers_read(declared: str) -> str:
    """What a declaration stands for: https://encoding.spec.whatwg.org/#names-and-labels."""
    try:
        name = codecs.lookup(declared).name
    except (LookupError, ValueError):
        return "utf-8"
    if name in ("iso8859-1", "ascii"):
        return "cp1252"
    return "utf-8" if name.startswith("utf-16") else name  # in UTF-16 it could not have been read


def _add_html(builder: _Builder, markup: str, *, headings: bool) -> None:
    soup = _parsed(markup)
    title = soup.title.get_text() if headings and soup.title else ""
    _make_plain(soup)
    root = _main_part(soup)
    if headings:
        first = root.find("h1")
        builder.title(first.get_text() if first else title)
    for block, lines in _block_lines(root):
        if headings and block.name[:1] == "h" and block.name[1:].isdigit():
            builder.heading(int(block.name[1:]), " ".join(lines))
            continue
        for number, line in enumerate(lines):
            builder.line(f"- {line}" if block.name == "li" and number == 0 else line)


def _parsed(markup: str) -> BeautifulSoup:
    import warnings

    from bs4 import BeautifulSoup

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it guesses that short or XML-like text is a mistake
        return BeautifulSoup(markup, "html.parser")


def _make_plain(soup: BeautifulSoup) -> None:
    """Takes out what no reader sees, and marks where lines and table cells end."""
    for tag in soup.find_all(_DROPPED) + soup.find_all(hidden=True):
        tag.extract()
    for tag in soup.find_all("br"):
        tag.replace_with(_BREAK)
    for tag in soup.find_all(["td", "th"]):
        for paragraph in tag.find_all("p"):  # a row is one line
            paragraph.append(" ")
            paragraph.unwrap()
        if tag.find_next_sibling(["td", "th"]):
            tag.append(" | ")
    if soup.title:
        soup.title.extract()


def _main_part(soup: BeautifulSoup) -> Tag:
    """The one <main>, or the one <article> that is most of the page; without either the body."""
    body = soup.find("body") or soup
    for name, least in (("main", 0.0), ("article", 0.5)):
        parts = [tag for tag in soup.find_all(name) if tag.find_parent(name) is None]
        if len(parts) == 1 and _length(parts[0]) > least * _length(body):
            return parts[0]
    return body


def _length(tag: Tag) -> int:
    """Characters of text, without the space around it."""
    return sum(map(len, tag.stripped_strings))


@cache
def _blocks() -> Set[str]:
    from bs4.builder import HTMLTreeBuilder

    return HTMLTreeBuilder.DEFAULT_BLOCK_ELEMENTS | _MORE_BLOCKS


def _block_lines(root: Tag) -> Iterator[tuple[Tag, list[str]]]:
    """Each run of text with the block that it stands in, split into its lines."""
    from bs4.element import NavigableString

    blocks = _blocks()
    current, words = root, [""]
    for node in root.descendants:
        if type(node) is not NavigableString:  # subclasses are comments, declarations and such
            continue
        block = next((tag for tag in node.parents if tag.name in blocks), root)
        if block is not current:
            yield current, _lines("".join(words), current)
            current, words = block, []
        words.append(str(node))
    yield current, _lines("".join(words), current)


def _lines(text: str, block: Tag) -> list[str]:
    breaks = "\n" if block.name == "pre" else _BREAK
    lines = (" ".join(line.split()) for line in text.replace(_BREAK, breaks).split(breaks))
    return [line for line in lines if line]


# --------------------------------------------------------------------------- PDF


def _read_pdf(data: bytes, builder: _Builder, source: str) -> None:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError

    reader = PdfReader(BytesIO(data))
    try:
        locked = reader.is_encrypted and not reader.decrypt("")
    except DependencyError:
        locked = True
    if locked:
        raise _UnreadableError("encrypted; save it without a password")
    builder.title(str((reader.metadata and reader.metadata.title) or ""))
    for number, page in enumerate(reader.pages, start=1):
        builder.heading(2, f"page {number}")
        _add_paragraphs(builder, page.extract_text())
    if not builder.document(source).sections:
        raise _UnreadableError("a PDF without text, a scan perhaps; run OCR on it first")


# --------------------------------------------------------------------------- CSV

_QUESTION = frozenset(("question", "questions", "q", "frage", "title"))
_ANSWER = frozenset(("answer", "answers", "a", "antwort", "text"))


def _read_faq(data: bytes, builder: _Builder, source: str) -> None:
    """A section for each question, which is its heading and opens its text."""
    rows = _rows(_decoded(data, source))
    ask, answer = _columns(next(rows, []))
    for row in rows:
        if len(row) <= max(ask, answer) or not row[ask].strip():
            continue
        builder.heading(2, row[ask])
        for line in (" ".join(row[ask].split()), *row[answer].splitlines()):
            builder.line(line)


_EXCEL_MARK = re.compile(r'\A"?sep=(?P<delimiter>.)"?\r?\n', re.I)
"""The line in which Excel says what parts the cells."""


def _rows(text: str) -> Iterator[list[str]]:
    if mark := _EXCEL_MARK.match(text):
        text, delimiter = text[mark.end() :], mark["delimiter"]
    else:
        header = text.partition("\n")[0]
        delimiter = max(",;\t|", key=header.count)
    return csv.reader(StringIO(text, newline=""), delimiter=delimiter)


def _columns(header: list[str]) -> tuple[int, int]:
    names = [name.strip().lower() for name in header]
    found = [
        next((at for at, name in enumerate(names) if name in known), -1)
        for known in (_QUESTION, _ANSWER)
    ]
    if min(found) < 0:
        raise _UnreadableError("its first row must name the columns question and answer")
    return found[0], found[1]


_READERS: Mapping[str, Callable[[bytes, _Builder, str], None]] = {
    ".md": _read_markdown,
    ".txt": _read_text,
    ".html": _read_html,
    ".pdf": _read_pdf,
    ".csv": _read_faq,
}
