"""What a detector may take for a value and what tells of nobody: greetings, field names, roles."""

from __future__ import annotations

import re
from unicodedata import normalize

from privrag_fast.types import Entity

# Casefolded; none is also a name.
_GREETINGS = """
hi|hello|hey|heya|howdy|oi|sup|wassup|greetings|good (?:day|morning|afternoon|evening|night)
g'day|dear|sir|sirs|madam|ma'am|maam|sir or madam|sir/madam
to whom it may concern|thanks|thanks (?:a lot|a mil|so much)|many thanks|thank you|thx|cheers
regards|(?:best|kind|warm) regards|kind wishes|best wishes|yours (?:sincerely|faithfully|truly)
sincerely|faithfully|goodbye|bye|please|sorry|ok|okay|dude|bruv|bro|guys|folks|everyone
lol|omg
hallo|hallöchen|guten (?:tag|morgen|abend)|grüss (?:gott|dich|euch)|servus|grüezi|gruezi|tschüss
danke|danke schön|danke sehr|(?:vielen|besten|herzlichen) dank|bitte|grüsse
(?:liebe|viele|beste|schöne|freundliche|herzliche) grüsse|mit (?:freundlichen|besten) grüssen
mit freundlichem gruss|mfg|sehr geehrte[rs]?|sehr geehrte(?:r herr|r| frau| damen| herren)
damen und herren|hochachtungsvoll
bonjour|bonsoir|salut|coucou|merci|merci (?:beaucoup|bien)|(?:bien )?cordialement|bien à vous
madame|monsieur|mesdames|messieurs|au revoir|à bientôt
s'il vous plaît
hola|buen[oa]s|buenos días|buen día|buenas (?:tardes|noches)|gracias|muchas gracias|saludos
un saludo|saludos cordiales|señor|señora|estimad[oa]s?|atentamente|por favor|adiós
olá|bom dia|boa (?:tarde|noite)|obrigad[oa]|muito obrigad[oa]|abraços|atenciosamente
ciao|buongiorno|buonasera|buona sera|grazie|grazie mille|(?:cordiali|distinti) saluti|arrivederci
hoi|goedendag|goede(?:morgen|middag|navond)|dank (?:u|je)|bedankt|groetjes
met vriendelijke groet(?:en)?|geachte|geachte (?:heer|mevrouw)
hej|hejsan|hei|god (?:dag|morgen|morgon|kveld)|tack så mycket|mange tak|tusen takk|takk|kiitos
med vänlig(?:a)? hälsning(?:ar)?|med vennlig hilsen|venlig hilsen|mvh|terve
cześć|dzień dobry|dziękuję|pozdrawiam|do widzenia|dobrý den|ahoj|děkuji
merhaba|teşekkürler|günaydın|iyi günler
as?s?[- ]?sal+a+m[ou]?[ -]?alai?y?kum|namaste|namaskar|shukriya|shukran|dhanyavaad
marhaba|konnichiwa|arigato|ni hao|xie xie|mahalo|jambo
привет|здравствуйте|добрый день|спасибо|пожалуйста|дякую|добрий день|καλημέρα|ευχαριστώ
你好|您好|谢谢|こんにちは|ありがとう(?:ございます)?|안녕하세요|감사합니다
""".strip().replace("\n", "|")
_GREETING = re.compile(rf"(?:(?:{_GREETINGS})(?:[\s,.!?]+|\Z))+")
_GREETED = frozenset({"PERSON", "LOCATION", "ADDRESS", "EMPLOYER"})

# Names too: a greeting only where they open the text, before a comma.
_OPENING = re.compile(
    r"\s*(?P<word>(?i:hiya|moin|moin moin|ola|salaa?m|selam|shalom|aloha|yo))(?=[,!])"
)
# Who speaks, in a transcript.
_ROLE = re.compile(
    r"[ \t]*(?P<word>(?i:agent|user|customer|client|bot|chatbot|support|assistant|advisor|operator"
    r"|system|visitor))(?=[ \t]*:)"
)

_FIELDS = frozenset(
    """
    a/c account acct address bank bic bsb card code credit date debit dob e-mail email holder iban
    id ifsc insurance mob mobile name national ni nino no nr number num phone postcode
    routing security social sort ssn surname swift tel telephone zip
    """.split()  # noqa: SIM905
)
# Some are names too, but of no number and of no place.
_THINGS = frozenset(
    """
    application bill booking car case certificate claim client contract customer emp employee file
    flight insta instagram invoice licence license member membership mrn order parcel passport
    password patient permit pin plate policy pw ref reference reg registration serial student
    telegram ticket tracking twitter user username van vehicle visa voucher whatsapp
    """.split()  # noqa: SIM905
)
_NUMBERED = frozenset({"ADDRESS", "EMAIL", "PHONE", "IBAN", "CARD", "SSN", "ID"})


def tells_of_nobody(text: str, entity: Entity) -> bool:
    """Whether the span is greetings and thanks alone ("Liebe Grüße"), names a field ("acct holder",
    or "case" as an ID), or says who speaks ("Agent:").
    """
    value = normalize("NFC", entity.value(text)).casefold().replace("’", "'")
    if entity.label in _GREETED and _GREETING.fullmatch(value):
        return True
    line = text.rfind("\n", 0, entity.start) + 1
    for word in (_OPENING.match(text), _ROLE.match(text, line)):
        if word and word.span("word") == (entity.start, entity.end):
            return True
    words = frozenset(re.split(r"[\s.:#]+", value)) - {""}
    if entity.label == "PERSON":
        return len(words) > 1 and words <= _FIELDS
    return entity.label in _NUMBERED and words <= _FIELDS | _THINGS
