"""What the local model made of placeholders, and what it meant by them.

Answers of SmolLM2-135M-Instruct, greedy, as it comes and with the adapter, to invented messages:
"Write this in lower case", "Translate into German", "Put the names in code" and the like, some with
one example of how. All that were no exact copies, cut after some 190 characters; what was meant is
written by hand, with each placeholder as it was issued.
"""

from __future__ import annotations

from privrag_fast.privacy import Vault

ISSUED = {
    "PERSON": 3,
    "AGE": 2,
    "LOCATION": 2,
    "DATE_OF_BIRTH": 2,
    "IBAN": 2,
    **dict.fromkeys(
        ("HEALTH", "BLOOD_TYPE", "MONEY", "ADDRESS", "CUSTOMER_NUMBER", "OCCUPATION", "EMPLOYER",
         "INCOME", "EMAIL"), 1,
    ),
}  # fmt: skip


def vault() -> Vault:
    made = Vault()
    for label, count in ISSUED.items():
        for number in range(1, count + 1):
            made.placeholder(label, f"{label.lower()} no. {number}")
    return made


MEANT: list[tuple[str, str]] = [
    (
        "Ich habe die Frau [PERSON_1] auf [PERSON_2] auf [PERSON_1] und [PERSON_2] auf "
        "[PERSON_1] und [PERSON_2] auf [PERSON_1] und [PERSON_2] auf [PERSON_1] und [PERSON_2",
        "Ich habe die Frau [PERSON_1] auf [PERSON_2] auf [PERSON_1] und [PERSON_2] auf "
        "[PERSON_1] und [PERSON_2] auf [PERSON_1] und [PERSON_2] auf [PERSON_1] und "
        "[[PERSON_2]",
    ),
    (
        "PERSON_1: My name is [PERSON_1]. I live in [LOCATION_1]. My sister [PERSON_2] lives "
        "in [LOCATION_2]. Who pays the city tax?",
        "[PERSON_1]: My name is [PERSON_1]. I live in [LOCATION_1]. My sister [PERSON_2] "
        "lives in [LOCATION_2]. Who pays the city tax?",
    ),
    (
        "{\n  \"type\": \"MONEY_1\",\n  \"amount\": 100.00\n}",
        "{\n  \"type\": \"[MONEY_1]\",\n  \"amount\": 100.00\n}",
    ),
    (
        "{\n  \"type\": \"PERSON_1\",\n  \"name\": \"PERSON_1\",\n  \"age\": 18,\n  \""
        "location\": \"PERSON_1\"\n}\n```",
        "{\n  \"type\": \"[PERSON_1]\",\n  \"name\": \"[PERSON_1]\",\n  \"age\": 18,\n  \""
        "location\": \"[PERSON_1]\"\n}\n```",
    ),
    (
        "PERSON_1 and PERSON_2 were born on [DATE_OF_BIRTH_1] and [DATE_OF_BIRTH_2].",
        "[PERSON_1] and [PERSON_2] were born on [DATE_OF_BIRTH_1] and [DATE_OF_BIRTH_2].",
    ),
    (
        "{\n  \"PERSON_1\": {\n    \"PERSON_2\": {\n      \"PERSON_1\": {\n        \"PERSON_2"
        "\": {\n          \"PERSON_1\": {\n            \"PERSON_2\": {\n              \""
        "PERSON_1\": {\n                \"PERSON_2\": {\n   ",
        "{\n  \"[PERSON_1]\": {\n    \"[PERSON_2]\": {\n      \"[PERSON_1]\": {\n        \""
        "[PERSON_2]\": {\n          \"[PERSON_1]\": {\n            \"[PERSON_2]\": {\n       "
        "       \"[PERSON_1]\": {\n                \"[PERSON_2]\": {\n   ",
    ),
    (
        "{\n    \"type\": \"PERSON_1\",\n    \"blood_type\": \"BLOOD_TYPE_1\",\n    \"name\""
        ": \"PERSON_1\"\n}\n```\n\nThis JSON object is a JSON string that contains a list of "
        "the specified type and a list of the",
        "{\n    \"type\": \"[PERSON_1]\",\n    \"blood_type\": \"[BLOOD_TYPE_1]\",\n    \""
        "name\": \"[PERSON_1]\"\n}\n```\n\nThis JSON object is a JSON string that contains a "
        "list of the specified type and a list of the",
    ),
    (
        "{\n  \"type\": \"json\",\n  \"data\": {\n    \"name\": \"PERSON_1\",\n    \""
        "description\": \"I am a [OCCUPATION_1] at [EMPLOYER_1] and earn [INCOME_1] dollars."
        "\",\n    \"email\": \"PERSON_1@EMPLOYE_1\"\n ",
        "{\n  \"type\": \"json\",\n  \"data\": {\n    \"name\": \"[PERSON_1]\",\n    \""
        "description\": \"I am a [OCCUPATION_1] at [EMPLOYER_1] and earn [INCOME_1] dollars."
        "\",\n    \"email\": \"[PERSON_1]@EMPLOYE_1\"\n ",
    ),
    (
        "PERSON_1: [ADDRESS_1]",
        "[PERSON_1]: [ADDRESS_1]",
    ),
    (
        "PERSON_1: I am a [OCCUPATION_1] at [EMPLOYER_1] and earn [INCOME_1].",
        "[PERSON_1]: I am a [OCCUPATION_1] at [EMPLOYER_1] and earn [INCOME_1].",
    ),
    (
        "The message says: \"What is not told is what is not covered.\" It takes a date from "
        "1 to 20, and you ask for a date from 1 to 20. So the answer is yes, you can choose "
        "between PERSON_1 and",
        "The message says: \"What is not told is what is not covered.\" It takes a date from "
        "1 to 20, and you ask for a date from 1 to 20. So the answer is yes, you can choose "
        "between [PERSON_1] and",
    ),
    (
        "The message says: \"Transfer [MONEY_1] from [IBAN_1] to [IBAN_2]. This is given.\" "
        "It takes a customer who is an IBAN-1 or IBAN-2, and you are an IBAN-1. So the "
        "result is:\n\n{\n  \"MONEY_1\":",
        "The message says: \"Transfer [MONEY_1] from [IBAN_1] to [IBAN_2]. This is given.\" "
        "It takes a customer who is an [IBAN_1] or [IBAN_2], and you are an [IBAN_1]. So the "
        "result is:\n\n{\n  \"[MONEY_1]\":",
    ),
    (
        "The dictionary has the key \"PERSON_1\" and the value \"I am a [OCCUPATION_1] at "
        "[EMPLOYER_1] and earn [INCOME_1].",
        "The dictionary has the key \"[PERSON_1]\" and the value \"I am a [OCCUPATION_1] at "
        "[EMPLOYER_1] and earn [INCOME_1].",
    ),
    (
        "<div class=\"bold\">\n<p>PERSON_1</p> and PERSON_2 were born on [DATE_OF_BIRTH_1] "
        "and [DATE_OF_BIRTH_2]. Are both covered?</p>\n<p>PERSON_1</p> and PERSON_2 were "
        "born on [DATE_OF_BIRTH_1] and",
        "<div class=\"bold\">\n<p>[PERSON_1]</p> and [PERSON_2] were born on "
        "[DATE_OF_BIRTH_1] and [DATE_OF_BIRTH_2]. Are both covered?</p>\n<p>[PERSON_1]</p> "
        "and [PERSON_2] were born on [DATE_OF_BIRTH_1] and",
    ),
    (
        "PERSON_1. I live in [LOCATION_1], my sister [PERSON_2] lives in [LOCATION_2]. Who "
        "pays the city tax?",
        "[PERSON_1]. I live in [LOCATION_1], my sister [PERSON_2] lives in [LOCATION_2]. Who "
        "pays the city tax?",
    ),
    (
        "Here's a Python dictionary with the specified message:\n\n```python\n{\n    \""
        "PERSON_1\": {\n        \"AGE_1\": 25,\n        \"PERSON_1\": {\n            \""
        "PERSON_1\": {\n                \"PERSON_1\": {\n    ",
        "Here's a Python dictionary with the specified message:\n\n```python\n{\n    \""
        "[PERSON_1]\": {\n        \"[AGE_1]\": 25,\n        \"[PERSON_1]\": {\n            \""
        "[PERSON_1]\": {\n                \"[PERSON_1]\": {\n    ",
    ),
    (
        "The account is [Account_1] and the address is [Address_1].",
        "The account is [Account_1] and the address is [ADDRESS_1].",
    ),
    (
        "We want to rent a car in [LOCATION 1] for [AGE 2] years.",
        "We want to rent a car in [LOCATION_1] for [AGE_2] years.",
    ),
    (
        "transfer [MONEY_1] from iban_1 to iban_2, please. the account holder is [PERSON_1].",
        "transfer [MONEY_1] from [IBAN_1] to [IBAN_2], please. the account holder is "
        "[PERSON_1].",
    ),
    (
        "please, change my address to [address_1]. my customer number is "
        "[customer_number_1]. please, change it to [address_1]. my customer number is "
        "[customer_number_1]. please, change it to",
        "please, change my address to [ADDRESS_1]. my customer number is "
        "[CUSTOMER_NUMBER_1]. please, change it to [ADDRESS_1]. my customer number is "
        "[CUSTOMER_NUMBER_1]. please, change it to",
    ),
    (
        "I am [NAME 1] and I live in [LOCATION 1]. I'm [AGE 1] and I'm [AGE 1] and I'm "
        "[PERSON 1] from [LOCATION 1].",
        "I am [NAME 1] and I live in [LOCATION_1]. I'm [AGE_1] and I'm [AGE_1] and I'm "
        "[PERSON_1] from [LOCATION_1].",
    ),
    (
        "Transfer [MONEY 1] from [IBAN 1] to [IBAN 2]. Please. The account holder is [PERSON "
        "1].",
        "Transfer [MONEY_1] from [IBAN_1] to [IBAN_2]. Please. The account holder is "
        "[PERSON_1].",
    ),
    (
        "I am [NAME 7] and I live in [HOME TOWN 9]. Please change my address to [ADDRESS 1]. "
        "My customer number is [CUSTOMER_NUMBER 1]. Regards, [PERSON 3]",
        "I am [NAME 7] and I live in [HOME TOWN 9]. Please change my address to [ADDRESS_1]. "
        "My customer number is [CUSTOMER_NUMBER_1]. Regards, [PERSON_3]",
    ),
    (
        "I am a [OCCUPATION 1] at [EMPLOYER 1] and earn [INCOME 1]. My e-mail is [EMAIL 1].",
        "I am a [OCCUPATION_1] at [EMPLOYER_1] and earn [INCOME_1]. My e-mail is [EMAIL_1].",
    ),
    (
        "We, [PERSON_1] and [PERSON_2] and [PERSON_3] would like to rent a car in [LOCATION "
        "1] for [AGE 2]-year-olds.",
        "We, [PERSON_1] and [PERSON_2] and [PERSON_3] would like to rent a car in "
        "[LOCATION_1] for [AGE_2]-year-olds.",
    ),
    (
        "I am [NAME\\_1] and I work for [EMPLOYER\\_1].",
        "I am [NAME\\_1] and I work for [EMPLOYER_1].",
    ),
    (
        "The code is: `MONEY_1 -> [IBAN_1] + [IBAN_2]`. This is the same for everybody.",
        "The code is: `[MONEY_1] -> [IBAN_1] + [IBAN_2]`. This is the same for everybody.",
    ),
    (
        "I am **PERSON_1** and I live in **LOCATION_1**, [AGE_1] and [PERSON_1] is a "
        "[PERSON_1] from [LOCATION_1].",
        "I am **[PERSON_1]** and I live in **[LOCATION_1]**, [AGE_1] and [PERSON_1] is a "
        "[PERSON_1] from [LOCATION_1].",
    ),
    (
        "I am **PERSON_1** and my sister [PERSON_2] lives in [LOCATION_2]. Who pays the city "
        "tax?",
        "I am **[PERSON_1]** and my sister [PERSON_2] lives in [LOCATION_2]. Who pays the "
        "city tax?",
    ),
    (
        "I have **HEALTH_1** and my blood type is **BLOOD_TYPE_1**. Please tell [PERSON_1] "
        "when I can donate.",
        "I have **[HEALTH_1]** and my blood type is **[BLOOD_TYPE_1]**. Please tell "
        "[PERSON_1] when I can donate.",
    ),
    (
        "I am **NAME_7** and I live in **ADDRESS_1** with a customer number of "
        "**CUSTOMER_NUMBER_1**. Regards, [PERSON_3]",
        "I am **NAME_7** and I live in **[ADDRESS_1]** with a customer number of "
        "**[CUSTOMER_NUMBER_1]**. Regards, [PERSON_3]",
    ),
    (
        "I am **NAME_1** and I am a [OCCUPATION_1] at **EMPLOYER_1** and earn **INCOME_1**.",
        "I am **NAME_1** and I am a [OCCUPATION_1] at **[EMPLOYER_1]** and earn "
        "**[INCOME_1]**.",
    ),
    (
        "I'm [PERSON\\_1] and I'm [AGE\\_1] years old. I'm [PERSON\\_1] and I live in "
        "[LOCATION\\_1].",
        "I'm [PERSON_1] and I'm [AGE_1] years old. I'm [PERSON_1] and I live in [LOCATION_1].",
    ),
    (
        "I am [PERSON_1] and I live in [LOCATION\\_1], my sister [PERSON\\_2] lives in "
        "[LOCATION\\_2]. Who pays the city tax?",
        "I am [PERSON_1] and I live in [LOCATION_1], my sister [PERSON_2] lives in "
        "[LOCATION_2]. Who pays the city tax?",
    ),
    (
        "I am \\[PERSON\\_1\\] and I am both born on [DATE\\_1] and [DATE\\_2]. Both are "
        "covered.",
        "I am [PERSON_1] and I am both born on [DATE\\_1] and [DATE\\_2]. Both are covered.",
    ),
    (
        "I am \\[PERSON\\_1\\] and I transfer [MONEY\\_1] from [IBAN\\_1] to [IBAN\\_2]. "
        "Please ensure that the account holder is [PERSON\\_1] and the transfer is done in "
        "accordance with the [MONEY\\_1]",
        "I am [PERSON_1] and I transfer [MONEY_1] from [IBAN_1] to [IBAN_2]. Please ensure "
        "that the account holder is [PERSON_1] and the transfer is done in accordance with "
        "the [MONEY_1]",
    ),
    (
        "I am [PERSON\\_3] and I live in [ADDRESS\\_1]. Please change my address to [ADDRESS"
        "\\_1] and I will be happy to assist you. Regards, [PERSON\\_3]",
        "I am [PERSON_3] and I live in [ADDRESS_1]. Please change my address to [ADDRESS_1] "
        "and I will be happy to assist you. Regards, [PERSON_3]",
    ),
    (
        "I am \\[NAME\\_1\\] and I earn [INCOME\\_1] by [E-MAIL_1]. My e-mail is \\[EMAIL\\_1"
        "\\].",
        "I am \\[NAME\\_1\\] and I earn [INCOME_1] by [EMAIL_1]. My e-mail is [EMAIL_1].",
    ),
    (
        "I am [PERSON\\_1] and I would like to rent a [AGE\\_2]-year-old [PERSON\\_2] car in "
        "[LOCATION\\_1].",
        "I am [PERSON_1] and I would like to rent a [AGE_2]-year-old [PERSON_2] car in "
        "[LOCATION_1].",
    ),
    (
        "I am `PERSON_1` and I live in `LOCATION_1`, my sister is `PERSON_2` lives in "
        "`LOCATION_2`. Who pays the city tax?",
        "I am `[PERSON_1]` and I live in `[LOCATION_1]`, my sister is `[PERSON_2]` lives in "
        "`[LOCATION_2]`. Who pays the city tax?",
    ),
    (
        "I am `PERSON_1` and I am both born on `DATE_OF_BIRTH_1` and `PERSON_2` respectively.",
        "I am `[PERSON_1]` and I am both born on `[DATE_OF_BIRTH_1]` and `[PERSON_2]` "
        "respectively.",
    ),
    (
        "I have `HEALTH_1` and my blood type is `BLOOD_TYPE_1`. Please tell `PERSON_1` when "
        "I can donate.",
        "I have `[HEALTH_1]` and my blood type is `[BLOOD_TYPE_1]`. Please tell `[PERSON_1]` "
        "when I can donate.",
    ),
    (
        "I am `NAME_7` and I live in `ADDRESS_1` and my customer number is "
        "`CUSTOMER_NUMBER_1`. Regards, [PERSON_3]",
        "I am `NAME_7` and I live in `[ADDRESS_1]` and my customer number is "
        "`[CUSTOMER_NUMBER_1]`. Regards, [PERSON_3]",
    ),
    (
        "I am `NAME_1` and I earn [INCOME_1] by working at `EMPLOYER_1` and earning "
        "[INCOME_1].",
        "I am `NAME_1` and I earn [INCOME_1] by working at `[EMPLOYER_1]` and earning "
        "[INCOME_1].",
    ),
    (
        "<p>PERSON_1: Birthdate: 2022-01-01</p>\nPERSON_2: Birthdate: 2022-01-02</p>",
        "<p>[PERSON_1]: Birthdate: 2022-01-01</p>\n[PERSON_2]: Birthdate: 2022-01-02</p>",
    ),
    (
        "我是【HEALTH_1】，住在【HOME_TOWN_9】，你可以赎过我的任何人。",
        "我是[HEALTH_1]，住在【HOME_TOWN_9】，你可以赎过我的任何人。",
    ),
    (
        "我是【ADDRESS_1】，你的地点是【HOME_TOWN_9】，所以修改为【ADDRESS_1】.",
        "我是[ADDRESS_1]，你的地点是【HOME_TOWN_9】，所以修改为[ADDRESS_1].",
    ),
    (
        "我是【NAME_1】，住在【EMPLOYER_1」，并且在【HOME_TOWN_1】。",
        "我是【NAME_1】，住在【[EMPLOYER_1]」，并且在【HOME_TOWN_1】。",
    ),
    (
        "我是【PERSON_1】，住在【HOME_TOWN_9】，而且我们要求的是【PERSON_2」。",
        "我是[PERSON_1]，住在【HOME_TOWN_9】，而且我们要求的是【[PERSON_2]」。",
    ),
    (
        "JSON:\n{\n    \"name\": \"NAME_7\",\n    \"home\": \"HOME_TOWN_9\",\n    \""
        "blood_type\": \"BLOOD_TYPE_1\"\n}",
        "JSON:\n{\n    \"name\": \"NAME_7\",\n    \"home\": \"HOME_TOWN_9\",\n    \""
        "blood_type\": \"[BLOOD_TYPE_1]\"\n}",
    ),
    (
        "Je suis « NAME_7 » et j'habite à « CUSTOMER_NUMBER_1 ». Nous avons un client de « "
        "CUSTOMER_NUMBER_1 ». Nous avons un client de « CUSTOMER_NUMBER_1 ». Nous avons un "
        "client de «",
        "Je suis « NAME_7 » et j'habite à [CUSTOMER_NUMBER_1]. Nous avons un client de "
        "[CUSTOMER_NUMBER_1]. Nous avons un client de [CUSTOMER_NUMBER_1]. Nous avons un "
        "client de «",
    ),
    (
        "我是【NAME_1】，住在【EMPLOYER_1】，并有[INCOME_1]。Your e-mail is [EMAIL_1].",
        "我是【NAME_1】，住在[EMPLOYER_1]，并有[INCOME_1]。Your e-mail is [EMAIL_1].",
    ),
    (
        "{\"name\": \"PERSON_1\", \"age\": \"18\", \"location\": \"PERSON_1\"}",
        "{\"name\": \"[PERSON_1]\", \"age\": \"18\", \"location\": \"[PERSON_1]\"}",
    ),
    (
        "{\n  \"name\": \"PERSON_1\",\n  \"home\": {\n    \"city_tax_payer\": \"PERSON_2\"\n "
        " },\n  \"family\": {\n    \"family_name\": \"PERSON_1\"\n  }\n}",
        "{\n  \"name\": \"[PERSON_1]\",\n  \"home\": {\n    \"city_tax_payer\": \"[PERSON_2]"
        "\"\n  },\n  \"family\": {\n    \"family_name\": \"[PERSON_1]\"\n  }\n}",
    ),
    (
        "{\n  \"name\": \"PERSON_1\", \"age\": 25, \"birth_date\": \"2023-01-01\", \"gender\""
        ": \"MALE\"\n}\n\n{\n  \"name\": \"PERSON_2\", \"age\": 25, \"birth_date\": \""
        "2023-02-02\", \"gender\": \"FEMALE",
        "{\n  \"name\": \"[PERSON_1]\", \"age\": 25, \"birth_date\": \"2023-01-01\", \"gender"
        "\": \"MALE\"\n}\n\n{\n  \"name\": \"[PERSON_2]\", \"age\": 25, \"birth_date\": \""
        "2023-02-02\", \"gender\": \"FEMALE",
    ),
    (
        "{\n  \"name\": \"PERSON_1\",\n  \"home\": \"LOCATION_1\",\n  \"age\": \"2-year-old\""
        "\n}",
        "{\n  \"name\": \"[PERSON_1]\",\n  \"home\": \"[LOCATION_1]\",\n  \"age\": \""
        "2-year-old\"\n}",
    ),
    (
        "- **Name**: [Name 1]\n- **Location**: [Location 1]",
        "- **Name**: [Name 1]\n- **Location**: [LOCATION_1]",
    ),
    (
        "- **Name**: [Name 1]\n- **Age**: [Age 1]\n- **Birthday**: [Birthday 1]\n- "
        "**Birthplace**: [Birthplace 1]",
        "- **Name**: [Name 1]\n- **Age**: [AGE_1]\n- **Birthday**: [Birthday 1]\n- "
        "**Birthplace**: [Birthplace 1]",
    ),
    (
        "So yes, you can draw the Persona 1 and Persona 2.",
        "So yes, you can draw the [PERSON_1] and [PERSON_2].",
    ),
]  # fmt: skip
"""As the model wrote it, and as it was meant."""

NOT_ISSUED: list[str] = [
    "It takes a customer's name, and you say [CUSTOMER_3]. It takes a customer's "
    "address, and you live at [ADDRESS_1]. So yes, you can change your address.",
    "El proceso de la menudad debería hacerlo en el proceso de la menudad de [PROCEO_1].",
    "Dear [PERSON_1],\n\nI hope this message finds you well. I'm [PERSON_1] and I'm "
    "[AGE_1] from [LOCATION_1]. I'm looking for a [SALARY_1] account. I'm sure you'll "
    "find it.\n\nI'm [PERSON_1] and",
    "Ich habe die Frau [PERSON_1] in [LOCATION_1] haben, die [PERSON_2] in [LOCATION_2] "
    "haben, die [PERSON_3] in [LOCATION_3] haben.\n\nIn German, the phrase \"Ich habe\" "
    "translates to \"I am\" or \"I",
    "Je suis [PERSON_1], [AGE_1], avec [LOCATION_1], et je peux aller à [SUR_LES_BRE_1].",
    "Je suis le client de [CUSTOMER_1]. Je suis le client de [CUSTOMER_3]. Je suis le "
    "client de [CUSTOMER_2]. Je suis le client de [CUSTOMER_4]. Je suis le client de "
    "[CUSTOMER_5]. Je suis le",
    "We rent a car in [LOCATION_1] for [AGE_2] years, and the age of the child is "
    "between [AGE_2] and [AGE_3].",
    "Dear [Customer_1]\n\nDear [Cust_1]\n\nDear [Cust_1]\n\nDear [Cust_1]\n\nDear "
    "[Cust_1]\n\nDear [Cust_1]\n\nP.S. Please change my address to [ADDRESS_1]\n\nP.S. "
    "Please change my address to [ADDRESS_2]\n\nP.S",
    "Please change my address to [ADDRESS_2]. My customer number is [CUSTOMER_NUMBER_2]. "
    "Regards, [PERSON_3]",
    "It takes a home in [city_1], and you live in [city_1]. So yes, you can open a "
    "savings account.",
    "hello, I am [NAME_7] and I live in [city_1] for [AGE_2]. I cannot answer from "
    "[LOCATION_1].",
    "It takes a home in [HOME_TOWN_9], and you live in [HOME_TOWN 9]. So yes, you can "
    "open a savings account.",
    "It takes a home in [HOME_TOWN_9], and you live in [HOME_TOWN_9]. So yes, you can "
    "open a savings account.",
    "The city tax is paid by the city of [City_1]. So the city tax is $1 for you.",
    "Ich habe [HEALTH_1] und [BLOOD_TYPE_1] und [PERSON_1] auf [DEN_BREISEL_1] auf.",
    "Ich habe [OCCUPATION_1] und [EMPLOYER_1] auf [INCOME_1]. Sie hatte [EINBERRICH_1] "
    "für [DEUTEL_1] und [DEUTEL_2] für [DEUTEL_3].",
    "{\"name\": \"NAME_7\", \"home\": \"HOME_TOWN_9\"}",
    "JSON:\n{\n    \"name\": \"NAME_7\",\n    \"home\": \"HOME_TOWN_9\",\n    \"age_2\": "
    "18\n}",
    "It takes a home outside [HOME_TOWN_9] but you live in [HOME_TOWN_9]. So no, you "
    "cannot have [PERSON_1] and [PERSON_2].",
    "Je suis [MONEY_1] et j'aime [PERSON_1] pour faire [BON_1] à [PERSON_1].",
    "Je suis [OCCUPATION_1] et j'aime à [EMPLOYER_1] et le serveur est [PERSONAN_1].",
    "I'm [PERSON_1] and I'm here to help you save money. I'm a [NAME_7] and I live in "
    "[HOME_TOWN_9].",
    "I am [NAME_7] and I live in [HOME_TOWN_9].",
    "| name | birthdate |\n|---|date_of_birth |\n| [NAME_1] | [2023-01-01] |\n| [NAME_2] "
    "| [2023-02-01] |",
    "The card [CARD_2] is both [NAME_7]'s own card and [NAME_7]'s own card.",
]  # fmt: skip
"""Placeholders that the model made up beside those it was given, which it copied."""

MISSED = {
    "transfer [MONEY_1] from iban_1 to iban_2, please. the account holder is [PERSON_1].",
    "So yes, you can draw the Persona 1 and Persona 2.",
}
"""What is left as the model wrote it: `iban_1` may be a variable, and `Persona` is another word."""
