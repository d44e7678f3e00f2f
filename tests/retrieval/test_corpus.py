from __future__ import annotations

import logging
from io import BytesIO

import pytest
from pypdf import PdfWriter

from privrag_fast.retrieval import Section, read_corpus
from privrag_fast.types import CorpusError


def write(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read_one(tmp_path, name, content):
    (document,) = read_corpus(write(tmp_path, name, content))
    return document


def pdf(*pages, title=None):
    """A PDF with one line of Helvetica for each string; written by hand, as pypdf writes none."""
    contents = [f"BT /F1 12 Tf 40 700 Td ({text}) Tj ET".encode() for text in pages]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for number, content in enumerate(contents):
        objects += [
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]"
            b"/Resources<</Font<</F1 3 0 R>>>>/Contents %d 0 R>>" % (5 + 2 * number),
            b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        ]
    objects.append(f"<</Title({title or ''})>>".encode())
    body, offsets = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return (
        body
        + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R/Info %d 0 R>>\n"
        % (
            len(objects) + 1,
            table,
            len(objects) + 1,
            len(objects),
        )
        + b"startxref\n%d\n%%%%EOF" % len(body)
    )


# --------------------------------------------------------------------------- Markdown

MARKDOWN = """\
Before any heading.

# Heating *grant*

A [grant](https://example.org/x "a title") for **cold** homes,
wrapped; see `form A`.\\
New line. ![a radiator](r.png)

## Who may apply

- people over 60
- people who

  rent

1. first
2. second

### Income

| Household | Limit |
|-----------|-------|
| one       | 900   |

<p>Raw <b>HTML</b></p>

## Costs

```
code  stays
```

> quoted
"""


def test_markdown_titles_sections_lists_and_tables(tmp_path):
    document = read_one(tmp_path, "grant.md", MARKDOWN)

    assert document.title == "Heating grant"
    assert document.source == "grant.md"
    assert document.sections == (
        Section(
            "",
            "Before any heading.\n"
            "A grant for cold homes, wrapped; see form A.\n"
            "New line. a radiator",
        ),
        Section(
            "Who may apply",
            "- people over 60\n- people who\nrent\n1. first\n2. second",
        ),
        Section("Who may apply > Income", "Household | Limit\none | 900\nRaw HTML"),
        Section("Costs", "code  stays\nquoted"),
    )


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        (r"Ages 18\-25 pay 1\.5 \$ \[a\]", "Ages 18-25 pay 1.5 $ [a]"),
        ("AT&amp;T is &lt; 5 &euro; &#167;", "AT&T is < 5 € §"),
        (r"![18\-25 &amp; *more*](a.png)", "18-25 & more"),
        ("62<br>or older<BR/>or ill", "62\nor older\nor ill"),
        ("<b>62</b> or<wbr>older <!-- a note -->still", "62 orolder still"),
        ("| Who | Limit |\n|-|-|\n| 62<br>or<p>older | 1\\|2 |", "Who | Limit\n62 or older | 1|2"),
        ("| Who |\n|-|\n| <ul><li>old</li><li>ill</li></ul> |", "Who\nold ill"),
        ("- <br>old", "- old"),
    ],
)
def test_markdown_escapes_entities_and_inline_html_lose_no_words(tmp_path, markdown, text):
    assert read_one(tmp_path, "a.md", markdown).sections == (Section("", text),)


def test_front_matter_is_not_text_and_may_name_the_title(tmp_path):
    document = read_one(
        tmp_path,
        "a.md",
        '---\r\nlayout: page\r\ntitle: "The grant"\r\n---\r\n# Welcome\r\n\r\nHello.',
    )
    assert document.title == "The grant"
    assert document.sections == (Section("Welcome", "Hello."),)


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("---\ntitle: >\n  The grant\n  for homes\nlayout: page\n---", "The grant for homes"),
        ("---\ntitle: |-\n  The grant\n---", "The grant"),
        ("---\ntitle: The grant\n  for homes\nlayout: page\n---", "The grant for homes"),
        ("---\ntitle: >-\nlayout: page\n---", "a"),
        ("---\nlayout: page\n...", "a"),
        ("---\n---", "a"),
        ('+++\ntitle = "The grant" # note\n[menu]\ntitle = "Menu"\n+++', "The grant"),
        ("+++\ntitle = 3\n+++", "a"),
        ("+++\ntitle = no TOML\n+++", "a"),
    ],
)
def test_front_matter_in_yaml_and_toml(tmp_path, front, title):
    document = read_one(tmp_path, "a.md", f"{front}\nHello.\n\n---\n\n+++\n")

    assert document.title == title
    assert document.sections == (Section("", "Hello.\n+++"),)


def test_a_rule_at_the_top_is_not_front_matter(tmp_path):
    document = read_one(tmp_path, "a.md", "---\n\nHello.")
    assert document.sections == (Section("", "Hello."),)


def test_headings_leave_the_path_as_they_close(tmp_path):
    document = read_one(tmp_path, "a.md", "# T\n## A\n#### B\nb\n### C\nc\n## D\nd\n# E\ne")

    assert [section.heading for section in document.sections] == ["A > B", "A > C", "D", "E"]


def test_the_file_name_is_the_title_of_last_resort(tmp_path):
    assert read_one(tmp_path, "heating-grant_2024.md", "Hello.").title == "heating grant 2024"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", ["word ", "*a_", "[", "> ", "- ", "<b>", "`", "\\"])
def test_a_megabyte_of_markup_on_one_line(tmp_path, unit):
    path = write(tmp_path, "a.md", "start " + unit * (1_000_000 // len(unit)) + " end")
    (document,) = read_corpus(path)

    assert document.sections[0].text.startswith("start")


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
def test_ten_megabytes_on_one_line(tmp_path, name):
    (document,) = read_corpus(write(tmp_path, name, "word " * 2_000_000))
    assert len(document.sections[0].text) == 10_000_000 - 1


# --------------------------------------------------------------------------- HTML

HTML = """\
<!doctype html><html><head><title>Grant | Site</title><style>p {color: red}</style></head>
<body><nav>Menu</nav><main>
<h1>Heating
 grant</h1><!-- a note -->
<p>For <b>cold</b>homes.<br>New line.</p>loose <i>words</i>
<div hidden>Secret</div><script>var text = "script"</script>
<h2>Who</h2><ul><li>over 60<li>who rent</ul>
<table><tr><th>Household</th><th>Limit</th></tr><tr><td><p>one</p></td><td>900</td></tr></table>
<h3>Income</h3><pre>a  b
c</pre>
</main><footer>Imprint</footer></body></html>
"""


def test_html_reads_the_main_part_and_nothing_hidden(tmp_path):
    document = read_one(tmp_path, "grant.html", HTML)

    assert document.title == "Heating grant"
    assert document.sections == (
        Section("", "For coldhomes.\nNew line.\nloose words"),
        Section("Who", "- over 60\n- who rent\nHousehold | Limit\none | 900"),
        Section("Who > Income", "a b\nc"),
    )


FAQ = "<article><h2>Who?</h2><p>You.</p></article><article><h2>When?</h2><p>Now.</p></article>"
TEASER = "<article><p>Also new: bread.</p></article>"
LONG = "<p>The grant is for whoever is over sixty and rents a home.</p>"


@pytest.mark.parametrize(
    ("body", "lost", "read"),
    [
        (FAQ, "", ("You.", "Now.")),
        (f"{TEASER}<div>{LONG}</div>", "", ("over sixty", "bread")),
        (f"<p>Ad.</p><article>{LONG}{TEASER}</article>", "Ad.", ("over sixty", "bread")),
        (f"<p>Ad.</p><main>{FAQ}</main>", "Ad.", ("You.", "Now.")),
        (f"<main></main><div>{LONG}</div>", "", ("over sixty",)),
        (f"<main>{FAQ}</main><main>{LONG}</main>", "", ("You.", "over sixty")),
    ],
    ids=["faq", "teaser", "article", "main", "empty main", "two mains"],
)
def test_html_leaves_out_only_what_stands_beside_the_one_main_part(tmp_path, body, lost, read):
    sections = read_one(tmp_path, "a.html", f"<body>{body}</body>").sections
    text = "\n".join(section.text for section in sections)
    assert all(part in text for part in read)
    assert not (lost and lost in text)


def test_html_title_where_there_is_no_heading(tmp_path):
    document = read_one(tmp_path, "a.html", "<title>The  grant</title><p>Hello.")

    assert document.title == "The grant"
    assert document.sections == (Section("", "Hello."),)


def test_html_is_decoded_as_it_declares(tmp_path, caplog):
    markup = '<meta charset="iso-8859-1"><p>Stra\xdfe</p>'.encode("iso-8859-1")

    assert read_one(tmp_path, "a.html", markup).sections[0].text == "Straße"
    assert not caplog.records


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("iso-8859-1", "cp1252"),
        ("us-ascii", "cp1252"),
        ("utf-16", "utf-8"),
        ("utf-8", "cp1252"),
        ("no-such", "utf-8"),
        ("no\0such", "utf-8"),
        ("hex", "utf-8"),
        ("windows-1251", "windows-1251"),
    ],
)
def test_html_is_decoded_as_browsers_do_where_its_declaration_is_wrong(
    tmp_path, declared, encoding
):
    text = "Straße – 5 €" if encoding != "windows-1251" else "Улица – 5 €"
    markup = f'<meta charset="{declared}"><p>{text} </p>'.encode(encoding)

    assert read_one(tmp_path, "a.html", markup).sections[0].text == text


def test_deeply_nested_html(tmp_path):
    document = read_one(tmp_path, "a.html", "<div>" * 3_000 + "deep" + "</div>" * 3_000)
    assert document.sections == (Section("", "deep"),)


# --------------------------------------------------------------------------- text


def test_text_joins_wrapped_lines_and_keeps_list_items(tmp_path):
    document = read_one(
        tmp_path, "a.txt", "A sentence that\nis wrapped.\n\nNext.\n- one\n  more\n- two\n1) three"
    )
    assert document.sections == (
        Section("", "A sentence that is wrapped.\nNext.\n- one more\n- two\n1) three"),
    )


@pytest.mark.parametrize(
    ("content", "text", "said"),
    [
        ("private – Grüße für 5 €".encode("cp1252"), "private – Grüße für 5 €", "cp1252"),
        ("Grüße für ".encode() + b"private \xff", "Grüße für private \ufffd", "utf-8"),
        (b"private \x81 \xfc", "private \ufffd ü", "cp1252"),
        (b"private\0 \xfc", "private \ufffd", "utf-8"),
    ],
    ids=["cp1252", "one bad byte in UTF-8", "a byte unknown to cp1252", "binary"],
)
def test_what_is_not_utf8_is_guessed_with_a_warning_that_names_only_file_and_guess(
    tmp_path, caplog, content, text, said
):
    assert read_one(tmp_path, "bad.txt", content).sections == (Section("", text),)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "bad.txt" in record.getMessage()
    assert f"read as {said}" in record.getMessage()
    assert "private" not in caplog.text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path, encoding, caplog):
    assert read_one(tmp_path, "a.txt", "Grüße".encode(encoding)).sections[0].text == "Grüße"
    assert not caplog.records


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
def test_nul_and_encoded_surrogates_do_not_reach_a_passage(tmp_path, name):
    document = read_one(tmp_path, name, b"one\0two \xed\xa0\x80 three")

    text = document.sections[0].text
    assert "\0" not in text
    assert text.startswith("one")
    assert text.endswith("three")
    text.encode()


# --------------------------------------------------------------------------- PDF


def test_pdf_pages_are_sections(tmp_path):
    document = read_one(tmp_path, "a.pdf", pdf("First page.", "Second page.", title="The grant"))

    assert document.title == "The grant"
    assert document.sections == (
        Section("page 1", "First page."),
        Section("page 2", "Second page."),
    )


def encrypted_pdf():
    writer = PdfWriter(clone_from=BytesIO(pdf("Secret.")))
    writer.encrypt("password", algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def blank_pdf():
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


# --------------------------------------------------------------------------- CSV


def test_questions_and_answers_are_sections(tmp_path):
    document = read_one(
        tmp_path,
        "support-faq.csv",
        'id,Question,"Answer"\r\n1,Who may apply?,"People over 60.\r\nOr who ""rent""."\r\n'
        "2,What does it cost?,Nothing.\r\n3,,Lost.\r\n4\r\n",
    )
    assert document.title == "support faq"
    assert document.sections == (
        Section("Who may apply?", 'Who may apply?\nPeople over 60.\nOr who "rent".'),
        Section("What does it cost?", "What does it cost?\nNothing."),
    )


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_other_delimiters_and_a_mark(tmp_path, delimiter):
    rows = [("Answer", "Question"), ("Yes, always; or not.", "Is it free?")]
    text = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)

    document = read_one(tmp_path, "a.csv", text.encode("utf-8-sig"))
    assert document.sections == (Section("Is it free?", "Is it free?\nYes, always; or not."),)


@pytest.mark.parametrize("mark", ["sep=;\r\n", '"SEP=;"\n'])
def test_the_line_in_which_excel_names_the_delimiter_is_no_header(tmp_path, mark):
    document = read_one(tmp_path, "a.csv", f"{mark}question;answer\r\nFree, or not?;Yes.\r\n")
    assert document.sections == (Section("Free, or not?", "Free, or not?\nYes."),)


def test_an_answer_is_never_without_its_question(tmp_path, chunker):
    answer = "It is for those who rent. " * 10
    (document,) = read_corpus(write(tmp_path, "a.csv", f"question,answer\nWho may?,{answer}"))

    passages = chunker.chunk([document])
    assert len(passages) > 3
    assert passages[0].text.startswith("Who may?\n")
    assert {passage.section for passage in passages} == {"Who may?"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("name,age\nprivate,67\n", "must name the columns question and answer"),
        ("", "must name the columns"),
        ("question,answer\n", "no text"),
        ("question,answer\nlong," + "private " * 20_000, "damaged"),  # the parser's own limit
    ],
)
def test_a_table_that_is_no_faq_is_skipped(tmp_path, content, reason):
    write(tmp_path, "a.csv", content)
    write(tmp_path, "good.md", "Hello.")

    documents = read_corpus(tmp_path)
    assert [document.source for document in documents] == ["good.md"]
    assert reason in documents.skipped[0].reason
    assert "private" not in documents.skipped[0].reason


# --------------------------------------------------------------------------- the folder


def test_bad_files_are_named_and_the_rest_goes_in(tmp_path, caplog):
    write(tmp_path, "good.md", "Hello.")
    write(tmp_path, "blank.txt", " \n")
    write(tmp_path, "broken.pdf", b"%PDF-1.4 private nonsense")
    write(tmp_path, "locked.pdf", encrypted_pdf())
    write(tmp_path, "scan.pdf", blank_pdf())
    (tmp_path / "dangling.md").symlink_to(tmp_path / "absent")

    documents = read_corpus(tmp_path)

    assert [document.source for document in documents] == ["good.md"]
    reasons = {skipped.source: skipped.reason for skipped in documents.skipped}
    assert reasons.keys() == {"blank.txt", "broken.pdf", "locked.pdf", "scan.pdf", "dangling.md"}
    assert "no text" in reasons["blank.txt"]
    assert "damaged" in reasons["broken.pdf"]
    assert "without a password" in reasons["locked.pdf"]
    assert "OCR" in reasons["scan.pdf"]
    assert "No such file" in reasons["dangling.md"]
    assert all(name in caplog.text for name in reasons)
    assert "private" not in " ".join(reasons.values())


def test_sorted_recursive_without_hidden_or_other_files(tmp_path):
    for name in ("b.md", "a/z.txt", "a/B.HTML", "a.md", ".hidden.md", ".git/x.md", "a/c.docx"):
        write(tmp_path, name, "Hello.")

    documents = read_corpus(tmp_path)
    assert [document.source for document in documents] == ["a.md", "a/B.HTML", "a/z.txt", "b.md"]
    assert documents == read_corpus(str(tmp_path))


def test_linked_folders_are_read_once_each(tmp_path):
    write(tmp_path, "docs/real/a.md", "Hello.")
    write(tmp_path, "elsewhere/deep/b.md", "Hello.")
    write(tmp_path, "elsewhere/.hidden/c.md", "Hello.")
    for name, target in {
        "docs/again": "docs/real",
        "docs/real/loop": "docs",
        "docs/linked": "elsewhere",
        "elsewhere/deep/back": "elsewhere",
        "docs/zzz": "elsewhere",
    }.items():
        (tmp_path / name).symlink_to(tmp_path / target)

    documents = read_corpus(tmp_path / "docs")
    assert [document.source for document in documents] == ["linked/deep/b.md", "real/a.md"]
    assert documents.skipped == ()


def test_the_same_file_twice_is_two_documents(tmp_path):
    write(tmp_path, "a.md", "Hello.")
    write(tmp_path, "copy/a.md", "Hello.")

    assert len(read_corpus(tmp_path)) == 2


def test_one_file_may_stand_for_the_folder(tmp_path):
    (document,) = read_corpus(write(tmp_path, ".hidden/a.md", "Hello."))
    assert document.source == "a.md"


def test_a_missing_or_empty_folder_names_the_cure(tmp_path):
    with pytest.raises(CorpusError, match="no such folder"):
        read_corpus(tmp_path / "absent")
    with pytest.raises(CorpusError, match=r"no \.md, \.txt, \.html, \.pdf, \.csv files in it; put"):
        read_corpus(tmp_path)
    with pytest.raises(CorpusError, match="convert it"):
        read_corpus(write(tmp_path, "a.docx", "Hello."))
    write(tmp_path, "blank.txt", "")
    with pytest.raises(CorpusError, match=r"no document could be read \(blank\.txt: no text"):
        read_corpus(tmp_path)
