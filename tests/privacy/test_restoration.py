"""Cases res-01 to res-05, and: every split of a stream gives the unstreamed result."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast.privacy import Restoration, StreamRestorer, Vault, restore, restore_json

from . import drafted, mangled, reference


def vault_of(**values: list[str]) -> Vault:
    vault = Vault()
    for label, strings in values.items():
        for string in strings:
            vault.placeholder(label, string)
    return vault


PEOPLE = [f"Person Nr{number}" for number in range(1, 13)]


def stream(chunks: list[str], vault: Vault, *, json: bool = False) -> list[str]:
    restorer = StreamRestorer(vault, json=json)
    return [*(restorer.feed(chunk) for chunk in chunks), restorer.flush()]


def test_res_01_a_number_never_eats_the_start_of_a_longer_one() -> None:
    vault = vault_of(PERSON=PEOPLE)
    assert restore("[PERSON_1] greets [PERSON_10] and [PERSON_11]", vault) == (
        "Person Nr1 greets Person Nr10 and Person Nr11"
    )
    assert restore("PERSON_1 greets PERSON_10, PERSON_12", vault) == (
        "Person Nr1 greets Person Nr10, Person Nr12"
    )
    assert restore("PERSON_13 PERSON_100 PERSON_1a", vault) == "PERSON_13 PERSON_100 PERSON_1a"


@pytest.mark.parametrize(
    ("mangled", "restored"),
    [
        ("[PERSON_1]", "Nora"),
        ("PERSON_1", "Nora"),
        ("[person_1]", "Nora"),
        ("[PERSON_1]'s", "Nora's"),
        ("PERSON_1's", "Nora's"),
        ("[PERSON 1]", "Nora"),
        ("[Person-1]", "Nora"),
        ("**[PERSON_1]**", "**Nora**"),
        ("**PERSON_1**", "**Nora**"),
        ("[**PERSON_1**]", "Nora"),
        ("[ PERSON_1 ]", "Nora"),
        (r"\[PERSON\_1\]", "Nora"),
        (r"\[PERSON_1\]", "Nora"),
        (r"PERSON\_1", "Nora"),
        ("[[PERSON_1]]", "[Nora]"),
        ("<PERSON_1>", "Nora"),
        ("[PERSON1]", "Nora"),
        ("Person_1", "Nora"),
        ("PERSON 1", "Nora"),
        ("«Person_1»", "Nora"),
        (r"rows\[PERSON_1\]", "rowsNora"),
        ("rows[PERSON_1]", "rowsNora"),
        ("__PERSON_1__", "__Nora__"),
        ("[PERSON_1, PERSON_2]", "[Nora, Ida]"),
        ("[PERSON_1 and PERSON_2]", "[Nora and Ida]"),
        ("[PERSON_1][PERSON_2]", "NoraIda"),
        ("我是PERSON_1。", "我是Nora。"),
        ("[blood type 1]", "0+"),
        (r"\[BLOOD\_TYPE\_1\]", "0+"),
        ("[PER-SON_1]", "Nora"),
        ("[Blood-Ty-pe 1]", "0+"),
    ],
)
def test_res_02_mangled_placeholders_are_restored(mangled: str, restored: str) -> None:
    vault = vault_of(PERSON=["Nora", "Ida"], BLOOD_TYPE=["0+"])
    assert restore(f"So {mangled} it is", vault) == f"So {restored} it is"


@pytest.mark.parametrize(
    "text",
    ["[P-E-R_SON_1]", "[PER--SON_1]", "PER-SON_1", "[-PERSON-S_1]",
     "person 1", "person_1", "Person 1", "PERSON1", "Person1", "[PERSON_]", "[1]", "PERSON 1.5",
     "rows[person_1]", "«person 1»", "{person_1}", "_PERSON_1__", "PErson_1",
     "X_PERSON_1", "PERSON_1_2", r"PERSON_1\_2", "[PERSON_01]", "[PERSONS_1]", "[PERSON_1_1]", ""],
)  # fmt: skip
def test_res_02_what_is_no_placeholder_stays(text: str) -> None:
    assert restore(text, vault_of(PERSON=["Nora"])) == text


def test_res_02_all_mangled_answers_are_restored_and_none_wrong() -> None:
    vault = mangled.vault()
    values = {placeholder[1:-1]: value for placeholder, value in vault.items()}
    answers = list(mangled.answers())
    assert len(answers) >= 300
    for kind, answer, meant in answers:
        assert (kind, restore(answer, vault)) == (kind, meant)
        assert (kind, reference.restore(answer, values)) == (kind, meant)


def as_issued(text: str, vault: Vault) -> str:
    """With the values of exact copies only."""
    for placeholder, value in vault.items():
        text = text.replace(placeholder, value)
    return text


DRAFTED = [*drafted.MEANT, *((answer, answer) for answer in drafted.NOT_ISSUED)]


def test_res_02_what_the_local_model_mangled_is_restored_and_nothing_wrong() -> None:
    vault = drafted.vault()
    values = {placeholder[1:-1]: value for placeholder, value in vault.items()}
    answers = dict(DRAFTED)
    assert len(answers) == len(DRAFTED) > 80
    for answer, meant in answers.items():
        left = answer in drafted.MISSED
        expected = as_issued(answer if left else meant, vault)
        assert restore(answer, vault) == reference.restore(answer, values) == expected
    assert len(drafted.MISSED) < 0.01 * (len(answers) + len(list(mangled.answers())))


def test_res_03_drafted_answers_split_at_every_place() -> None:
    vault = drafted.vault()
    for answer, _ in drafted.MEANT:
        whole = restore(answer, vault)
        for at in range(len(answer) + 1):
            assert "".join(stream([answer[:at], answer[at:]], vault)) == whole


@pytest.mark.parametrize("words", mangled.WORDS)
def test_res_02_words_are_no_placeholders(words: str) -> None:
    assert restore(words, mangled.vault()) == words


@pytest.mark.parametrize("kind", mangled.KINDS)
def test_res_02_no_kind_is_fuzzy_across_ids(kind: str) -> None:
    mangle, _ = mangled.KINDS[kind]
    vault = vault_of(PERSON=["Nora"], PERSONA=["Ida"])
    for other in ("PERSON_2", "PERSON_10", "PERSON_11", "PERSONS_1", "PERSONA_11", "APERSON_1"):
        answer = f"So {mangle(other)} it is"
        assert restore(answer, vault) == answer


@pytest.mark.parametrize("label", ["größe", "état", "ΣΟΦΊΑ", "年齢", "возраст", "İl", "2fa", "x"])
def test_res_02_labels_of_every_script(label: str) -> None:
    vault = vault_of(**{label: ["Nora"]})
    [(placeholder, _)] = vault.items()
    name = placeholder[1:-1]
    for form in (placeholder, name, f"【{name}】", f"«{name}»", rf"\[{name}\]"):
        assert restore(f"So {form}.", vault) == "So Nora."
    if label != "İl":  # whose lower case is longer
        assert restore(f"So [{name.lower()}].", vault) == "So Nora."
    assert restore("年齢 1, 年齢1", vault) == "年齢 1, 年齢1"


def test_labels_that_end_in_a_number_are_told_apart() -> None:
    vault = vault_of(ID=["a", "b"], ID_2=["c"])
    assert restore("[ID_2] [ID_2_1] ID_2 ID_2_1 [id 2 1]", vault) == "b c b c c"


ANSWER = r"Dear [PERSON_1]'s **[person 12]**, \[PERSON\_2\], PERSON_11: [x] \[y [PERSON_99] PERS"


def test_res_03_one_character_per_chunk() -> None:
    vault = vault_of(PERSON=PEOPLE)
    assert "".join(stream(list(ANSWER), vault)) == restore(ANSWER, vault)


@pytest.mark.parametrize("at", range(len(ANSWER) + 1))
def test_res_03_split_at_every_place(at: int) -> None:
    vault = vault_of(PERSON=PEOPLE)
    assert "".join(stream([ANSWER[:at], ANSWER[at:]], vault)) == restore(ANSWER, vault)


@pytest.mark.parametrize("form", ["[PERSON_1]", "PERSON_1 ", r"\[PERSON\_1\]", "[ person 1 ]"])
def test_res_03_no_part_of_a_placeholder_is_emitted(form: str) -> None:
    vault = vault_of(PERSON=["Nora"])
    chunks = stream(list(form), vault)
    assert "".join(chunks).strip() == "Nora"
    assert {chunk.strip() for chunk in chunks} == {"", "Nora"}


def test_only_what_may_be_a_placeholder_is_held_back() -> None:
    restorer = StreamRestorer(vault_of(PERSON=["Nora"]))
    assert restorer.feed("plain text, [see") == "plain text, [see"
    assert restorer.feed(" [PER") == " "
    assert restorer.feed("HAPS it rains") == "[PERHAPS it rains"
    endless = "[" + "A" * 1000
    at_once, late = restorer.feed(endless), restorer.flush()
    assert at_once + late == endless
    assert len(late) < 100


FRAGMENTS = st.lists(
    st.sampled_from(
        ["[", "]", "\\", "_", "-", " ", "*", "PERSON", "person", "1", "2", "12", "ID", "É", "é",
         "x", "[PERSON_1]", "PERSON_12", "ID_2_1", "[ID_2]", r"\[PERSON\_1\]", "[Q_7]", "住",
         "«", "»", "{", "{{", "}}", "<", ">", "【", "】", "］", "ＰERSON", "１", "١", ".", "%", "'",
         "\u00a0", "`", '"', "\\u005b", "\\n", "Person", "é_1", "ÉTAT", "État_1", "étatétat", "0"]
    )
    | st.text(max_size=3),
    max_size=25,
)  # fmt: skip


@given(FRAGMENTS)
def test_agrees_with_its_slow_twin(fragments: list[str]) -> None:
    text = "".join(fragments)
    vault = vault_of(PERSON=PEOPLE, ID=["a", "b"], ID_2=["c", "d"], ÉTAT=["e"])
    values = {placeholder[1:-1]: value for placeholder, value in vault.items()}
    assert restore(text, vault) == reference.restore(text, values)


@given(FRAGMENTS, st.booleans(), st.data())
def test_every_split_gives_the_unstreamed_result(
    fragments: list[str], json: bool, data: st.DataObject
) -> None:
    text = "".join(fragments)
    vault = vault_of(PERSON=[*PEOPLE[:-1], '"\\'], ID=["a", "b"], ID_2=["c", "d"], ÉTAT=["e"])
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    chunks = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    whole, pieces, letters = (StreamRestorer(vault, json=json) for _ in range(3))
    expected = whole.feed(text) + whole.flush()
    assert "".join(map(pieces.feed, chunks)) + pieces.flush() == expected
    assert "".join(map(letters.feed, text)) + letters.flush() == expected
    assert whole.unknown == pieces.unknown == letters.unknown


@pytest.mark.parametrize("kind", mangled.KINDS)
def test_res_03_every_kind_split_at_every_place(kind: str) -> None:
    mangle, _ = mangled.KINDS[kind]
    vault = mangled.vault()
    text = f"So {mangle('DATE_OF_BIRTH_12')} or {mangle('PERSON_1')}"
    whole = restore(text, vault)
    for at in range(len(text) + 1):
        assert "".join(stream([text[:at], text[at:]], vault)) == whole
    assert "".join(stream(list(text), vault)) == whole


@given(st.text(max_size=40))
def test_a_text_without_placeholders_is_untouched(text: str) -> None:
    assert restore(text, vault_of(NEVER_IN_A_TEXT_LIKE_THIS=["x"])) == text
    assert restore(text, Vault()) == text


def test_a_value_that_looks_like_a_placeholder_is_not_restored_again() -> None:
    vault = vault_of(PERSON=["[PERSON_2]", "Ida", r"\1 \g<0>"])
    assert restore("[PERSON_1] [PERSON_2] [PERSON_3]", vault) == r"[PERSON_2] Ida \1 \g<0>"


AWKWARD = 'Nora "No" O\'Lind\\\n\t\u2028é'


def test_res_04_restored_json_parses() -> None:
    vault = vault_of(PERSON=[AWKWARD], AGE=["67"])
    answer = '{"name": "[PERSON_1]",\n "said": ["hi \\"[PERSON_1]\\"", 1.50, null], "age": [AGE_1]}'
    parsed = json.loads(restore_json(answer, vault))
    value = vault.value("[PERSON_1]")
    assert parsed == {"name": value, "said": [f'hi "{value}"', 1.5, None], "age": 67}


@given(
    st.recursive(
        st.text(max_size=5) | st.just("[PERSON_1]") | st.integers(), st.lists, max_leaves=8
    ),
    st.text(),
)
def test_res_04_any_value_in_any_json(document: object, value: str) -> None:
    vault = vault_of(PERSON=[value or "x"])
    restored = json.loads(restore_json(json.dumps(document), vault))

    def walk(node: object) -> object:
        if isinstance(node, list):
            return [walk(item) for item in node]
        return restore(node, vault) if isinstance(node, str) else node

    assert restored == walk(document)


ESCAPED = (
    r'{"a": "\u005bPERSON\u005F1\u005d, \\[PERSON\\_1\\]", '
    r'"b": [PERSON_2], "c\"PERSON_1": "\ud83d"}'
)


def test_res_04_escapes_are_read_as_what_they_stand_for() -> None:
    vault = vault_of(PERSON=['N"x', "67"])
    assert json.loads(restore_json(ESCAPED, vault)) == {
        "a": 'N"x, N"x',
        "b": 67,
        'c"N"x': "\ud83d",
    }


@pytest.mark.parametrize("at", range(len(ESCAPED) + 1))
def test_res_04_arguments_of_a_tool_call_stream(at: int) -> None:
    vault = vault_of(PERSON=['N"x', "67"])
    whole = restore_json(ESCAPED, vault)
    assert "".join(stream([ESCAPED[:at], ESCAPED[at:]], vault, json=True)) == whole
    assert "".join(stream(list(ESCAPED[:at]), vault, json=True)) == restore_json(
        ESCAPED[:at], vault
    )


@pytest.mark.parametrize(
    "broken", ['"\\', '"\\u00', '"\\u00zz [PERSON_1]', '"\\x[PERSON_1]', '"[PERSON_1]']
)
def test_res_04_what_is_no_json_is_restored_all_the_same(broken: str) -> None:
    vault = vault_of(PERSON=["Nora"])
    assert restore_json(broken, vault) == broken.replace("[PERSON_1]", "Nora")


def test_restore_json_keeps_the_layout_and_the_prose_around_it() -> None:
    vault = vault_of(PERSON=['N"x'])
    answer = 'For [PERSON_1]:\n```json\n{ "a":1.0,  "b":"\\u00e9 x", "c":"PERSON_1" }\n```'
    assert restore_json(answer, vault) == (
        'For N"x:\n```json\n{ "a":1.0,  "b":"\\u00e9 x", "c":"N\\"x" }\n```'
    )


def test_res_05_unknown_placeholders_stay_and_are_reported() -> None:
    restorer = StreamRestorer(vault_of(PERSON=["Nora"]))
    text = "Ask [PERSON_99], [CITY_1] or [PERSON_99]; [Figure 2] and [RFC-2119] are none"
    assert restorer.feed(text) + restorer.flush() == text
    assert restorer.unknown == ("[PERSON_99]", "[CITY_1]")
    vault = vault_of(PERSON=["Nora"], AGE=["67"])
    text = r"Dear [person 99], PERSON_98, \[PERSON\_97\], [Q_1] or AGE 62, age 3; [PERSON_1]"
    assert Restoration.of(text, vault) == Restoration(
        text.replace("[PERSON_1]", "Nora"),
        ("[PERSON_99]", "[PERSON_98]", "[PERSON_97]", "[Q_1]"),
    )
    assert "Nora" not in repr(Restoration.of(text, vault))


def test_what_the_user_typed_is_not_reported() -> None:
    vault = Vault()
    vault.reserve("I typed [PERSON_9]")
    restorer = StreamRestorer(vault)
    assert restorer.feed("You typed [PERSON_9]") + restorer.flush() == "You typed [PERSON_9]"
    assert restorer.unknown == ()
