"""Values and sentence templates of the message generator, written for this project.

A slot ``{name}`` of a template is filled by :data:`privrag_fast.training.gliner_data.SLOTS`.
"""

from __future__ import annotations

from typing import Final


def split_list(text: str) -> tuple[str, ...]:
    """Items between bars."""
    return tuple(item.strip() for item in text.split("|"))


LOCALES: Final = split_list(
    "en_US|en_GB|de_CH|de_DE|fr_FR|it_IT|es_ES|pt_PT|pl_PL|tr_TR|nl_NL|sv_SE|hr_HR|en_IN|en_CA"
)

NATIONALITIES: Final = split_list(
    "Swiss|German|Italian|British|American|Portuguese|Turkish|Polish|Indian|Nigerian|Brazilian|"
    "French|Spanish|Ukrainian|Syrian|Chinese|Canadian|Kosovar|Croatian|Greek|Irish|Mexican|Dutch|"
    "Kenyan|Vietnamese|Filipino|Iranian|Norwegian|Israeli|Finnish|Ghanaian|Austrian|Eritrean|"
    "Serbian|Australian|Japanese|Korean|Thai|Moroccan|Egyptian|Peruvian|Colombian|Afghan|"
    "Pakistani|Romanian|Hungarian|Czech|Danish|Swedish|Belgian|Sri Lankan|South African"
)
JOBS: Final = split_list(
    "nurse|teacher|software engineer|electrician|truck driver|accountant|lawyer|cook|waiter|"
    "plumber|freelance designer|graphic designer|carpenter|sales assistant|dentist|farmer|"
    "civil servant|hairdresser|project manager|mechanic|pharmacist|journalist|police officer|"
    "cleaner|data analyst|bank clerk|warehouse worker|taxi driver|real estate agent|social worker|"
    "carer|midwife|professor|pilot|flight attendant|butcher|barista|firefighter|librarian|"
    "physiotherapist|veterinary assistant|bus driver|translator|photographer|bricklayer|"
    "kindergarten teacher|radiologist|security guard|receptionist|tax adviser|violinist|architect|"
    "gardener|baker|soldier|surgeon|paramedic|shop owner|call center agent|postman|roofer|tailor"
)
WORK_STATUS: Final = split_list(
    "retired|student|self-employed|unemployed|stay-at-home mum|housewife|pensioner|freelancer|"
    "apprentice|between jobs|on parental leave|part-time cleaner|university student|retiree|"
    "full-time carer|intern|semi-retired|jobless|stay-at-home dad|trainee|business owner"
)
JOB_PREFIXES: Final = split_list(
    "retired|self-employed|former|senior|part-time|freelance|unemployed|junior|head|trainee"
)
CONDITIONS: Final = split_list(
    "diabetes|type 2 diabetes|asthma|epilepsy|breast cancer|depression|multiple sclerosis|"
    "a bad back|high blood pressure|anxiety|Crohn's disease|arthritis|celiac disease|ADHD|"
    "a heart condition|chronic migraine|Parkinson's|a hearing impairment|HIV|long COVID|dyslexia|"
    "kidney failure|lupus|PTSD|a broken hip|dementia|sleep apnea|an eating disorder|hepatitis B|"
    "partial blindness|bipolar disorder|psoriasis|a slipped disc|leukemia|endometriosis|gout|"
    "cerebral palsy|a peanut allergy|type 1 diabetes|chronic back pain|burnout|osteoporosis|COPD|"
    "glaucoma|schizophrenia|cystic fibrosis|rheumatoid arthritis|a stroke|prostate cancer|autism|"
    "fibromyalgia|an underactive thyroid|hay fever|high cholesterol|insomnia|macular degeneration|"
    "a herniated disc|alcohol addiction|panic attacks|two heart attacks|sickle cell disease"
)
STATES: Final = split_list(
    "diabetic|disabled|pregnant|HIV positive|deaf|blind|paraplegic|in a wheelchair|autistic|"
    "visually impaired|chronically ill|in remission|on dialysis|wheelchair-bound|hard of hearing|"
    "six months pregnant|overweight|immunocompromised|epileptic|asthmatic"
)
MEDICATIONS: Final = split_list(
    "metformin|insulin|ibuprofen|sertraline|warfarin|lithium|methotrexate|prednisone|statins|"
    "levothyroxine|beta blockers|antidepressants|omeprazole|an inhaler|blood thinners|lisinopril|"
    "amlodipine|atorvastatin|simvastatin|ramipril|bisoprolol|candesartan|losartan|furosemide|"
    "citalopram|escitalopram|fluoxetine|mirtazapine|venlafaxine|quetiapine|olanzapine|diazepam|"
    "lorazepam|zopiclone|tramadol|codeine|morphine|oxycodone|gabapentin|pregabalin|naproxen|"
    "diclofenac|paracetamol|amoxicillin|clopidogrel|apixaban|rivaroxaban|salbutamol|Ventolin|"
    "Symbicort|Ozempic|semaglutide|tirzepatide|Humira|adalimumab|tamoxifen|letrozole|Truvada|PrEP|"
    "antiretrovirals|methadone|buprenorphine|naltrexone|methylphenidate|Ritalin|Concerta|Adderall|"
    "levetiracetam|lamotrigine|valproate|levodopa|donepezil|hydroxychloroquine|azathioprine|"
    "infliximab|tacrolimus|testosterone|estradiol|HRT|the pill|antihistamines|steroids|chemo|"
    "chemotherapy|dialysis|immunosuppressants|sleeping pills|painkillers|blood pressure tablets"
)
# What befell somebody, as it continues "I".
INJURIES: Final = split_list(
    "tore my ACL|broke my wrist|broke my leg|fractured my ankle|fractured two ribs|lost a finger|"
    "sprained my knee|had a miscarriage|had a heart attack|had a stroke|had a seizure|"
    "had a hip replacement|had knee surgery|had a bypass|had a mastectomy|had my gallbladder out|"
    "had a C-section|had an abortion|lost my sight in one eye|lost most of my hearing|"
    "slipped a disc|ruptured my Achilles tendon|dislocated my shoulder|caught pneumonia|"
    "got shingles|had a nervous breakdown|went into rehab|had IVF|gave birth by caesarean|"
    "had a kidney transplant|lost a leg|had my appendix removed|burned my hand|had a concussion"
)
# Names that are words as well, and given names and surnames from where Faker is thin.
WORD_NAMES: Final = split_list(
    "Will|Hope|Grace|Faith|Joy|May|June|April|Summer|Rose|Dawn|Mark|Bill|Art|Rich|Frank|Jack|Rob|"
    "Ivy|Lily|Violet|Daisy|Hazel|Olive|Ruby|Pearl|Amber|Crystal|Jade|Sky|River|Rain|Autumn|Eve|"
    "Angel|Christian|Chase|Hunter|Mason|Carter|Cooper|Miles|Drew|Pat|Sue|Gene|Ray|Cliff|Dean|Wade|"
    "Reed|Heath|Brook|Lance|Max|Guy|Penny|Mercy|Patience|Prudence|Charity|Honor|Destiny|Precious"
)
WORD_SURNAMES: Final = split_list(
    "Young|Small|Long|Short|Brown|Green|Black|White|Gray|King|Knight|Bishop|Pope|Cook|Baker|Rice|"
    "Berry|Bush|Woods|Fields|Hill|Lake|Rivers|Stone|Banks|Bell|Price|Cash|Rich|Case|Cross|Church|"
    "Christmas|Winter|Snow|Frost|Day|Knight|Love|Power|Strong|Wise|Best|Good|Moody|Sharp|Wild"
)
MORE_FIRST: Final = split_list(
    "Chukwuemeka|Oluwaseun|Ngozi|Adaeze|Babajide|Temitope|Ifeoma|Kwame|Akosua|Kofi|Abena|Yaw|"
    "Thabo|Nomvula|Sipho|Zanele|Tendai|Chipo|Wanjiru|Kamau|Achieng|Otieno|Fatoumata|Mamadou|Awa|"
    "Ji-hoon|Min-ji|Seo-yeon|Hyun-woo|Eun-ji|Li Na|Wei|Xiaoming|Jing|Haoran|Yuki|Haruto|Sakura|"
    "Kenji|Aiko|Nguyen Thi|Minh|Linh|Thanh|Siti|Putri|Budi|Aarav|Priya|Lakshmi|Rajesh|Sunita|"
    "Harpreet|Gurpreet|Fatima|Aisha|Khadija|Omar|Yousef|Layla|Zainab|Mehmet|Ayşe|Elif|Emre|Ioana|"
    "Zsófia|Bence|Agnieszka|Wojciech|Oksana|Taras|Dmytro|Svetlana|Siobhan|Niamh|Aoife|Rhys|Eilidh"
)
MORE_LAST: Final = split_list(
    "Obi|Adebayo|Okonkwo|Nwosu|Eze|Balogun|Mensah|Owusu|Boateng|Dlamini|Nkosi|Moyo|Ncube|Kamau|"
    "Odhiambo|Traoré|Diallo|Keita|Park|Kim|Choi|Jung|Lee|Chen|Wang|Zhang|Liu|Tanaka|Sato|Suzuki|"
    "Tran|Pham|Hoang|Wijaya|Santoso|Sharma|Patel|Iyer|Gupta|Kaur|Singh|Hussain|Rahman|Chowdhury|"
    "Al-Masri|Haddad|Nasser|Yılmaz|Demir|Popescu|Nagy|Kowalska|Shevchenko|Bondarenko|O'Connor|"
    "Ní Bhriain|Llewellyn|MacLeod"
)
DEGREES: Final = split_list(
    "bachelor's degree in economics|master's in computer science|PhD in chemistry|MBA|"
    "high school diploma|BSc in nursing|law degree|master's degree|apprenticeship as a baker|"
    "A-levels|bachelor's in psychology|associate degree in accounting|doctorate in physics|GED|"
    "diploma in hotel management|engineering degree|bachelor's degree|master's in biology|"
    "PhD in history|vocational diploma|BA in history|MSc in statistics|degree in medicine|"
    "secondary school certificate|teaching certificate|college degree|doctorate"
)
SCHOOLS: Final = split_list(
    "University of Zurich|ETH Zurich|Stanford University|King's College London|Harvard University|"
    "University of Lagos|Sorbonne|Ohio State University|Bocconi University|University of Warsaw|"
    "Lincoln High School|University of Bern|Delhi University|TU Munich|Trinity College"
)
MARITAL_STATES: Final = split_list(
    "single|married|divorced|widowed|separated|engaged|in a civil partnership|recently divorced|"
    "newly married|a widower|a widow|remarried|unmarried|never married|cohabiting|recently widowed|"
    "happily married|in the middle of a divorce|twice divorced|legally separated"
)
GENDERS: Final = split_list(
    "woman|man|female|male|non-binary|trans woman|transgender man|girl|lady|guy|cis male|"
    "trans man|transgender woman|genderfluid person|boy|gentleman"
)
ORIENTATIONS: Final = split_list(
    "gay|lesbian|bisexual|straight|heterosexual|asexual|queer|pansexual|homosexual"
)
PARTIES: Final = split_list(
    "conservative|liberal|Green voter|social democrat|Republican|Democrat|libertarian|socialist|"
    "Labour voter|member of the Green Party|Tory|communist|centrist|independent voter|left-wing|"
    "right-wing|SVP voter|SP member|progressive|Liberal Democrat"
)
PARTY_NAMES: Final = split_list(
    "Green|Labour|SVP|Conservative|Republican|SP|the Greens|Democrat|FDP|CDU|Lib Dem|the Centre|"
    "left|Tory|the Social Democrats|the Liberals"
)
STREETS: Final = split_list(
    "Bahnhofstrasse|Dorfstrasse|Hauptstrasse|Bergstrasse|Kirchstrasse|Gartenstrasse|Rosenweg|"
    "Birkenallee|Langgasse|Marktplatz|Via Roma|Rue du Lac|Wiesenstrasse|Schulweg|Am Bach|Mühlegasse"
)
RELIGIONS: Final = split_list(
    "Catholic|Muslim|Protestant|Jewish|Buddhist|Hindu|atheist|Orthodox Christian|Sikh|Lutheran|"
    "Evangelical|Mormon|agnostic|Roman Catholic|Christian|Jehovah's Witness|Sunni Muslim|Methodist|"
    "Baptist|practicing Catholic|Anglican|Taoist"
)
RELATIVES: Final = split_list(
    "wife|husband|daughter|son|mother|father|grandmother|sister|brother|partner|uncle|aunt|"
    "ex-husband|fiancé|girlfriend|stepson|mother-in-law|grandson|niece|cousin|boyfriend|dad|mum|"
    "younger sister|older brother|twin brother|ex-wife|granddaughter|spouse|nephew"
)
LOOKS: Final = split_list(
    "blond hair|green eyes|a beard|brown eyes|grey hair|a scar on my chin|a tattoo on my arm|"
    "curly hair|light freckles|blood type O+|blood type AB-|dimples|a shaved head|red hair"
)
PETS: Final = split_list(
    "a dog|two cats|a hamster|a golden retriever|three rabbits|a parrot|a horse"
)
HOBBIES: Final = split_list(
    "hiking|chess|playing the piano|stamp collecting|yoga|skiing|gardening|photography|cycling|"
    "astronomy|pottery|fishing|knitting|rock climbing|baking"
)
LANGUAGES: Final = split_list(
    "German|French|Italian|Portuguese|Albanian|Arabic|Tamil|Spanish|Ukrainian|Swiss German|Turkish"
)
VEHICLES: Final = split_list(
    "VW Golf|Tesla Model 3|Skoda Octavia|Toyota Corolla|Fiat 500|Ford Focus|BMW X3|Vespa|"
    "Peugeot 208"
)
COMPANIES: Final = split_list(
    "UBS|Migros|Nestlé|Google|Siemens|Tesco|Novartis|Walmart|the University Hospital|"
    "Deutsche Bahn|Swiss Post|Roche|Amazon|Starbucks|BMW|the city council|IKEA|Coop|Swisscom|"
    "Microsoft|Lidl|the Red Cross|Hotel Adler|Goldman Sachs|Infosys|Airbus|Spital Thun|SBB|Lonza|"
    "Kantonsspital Baden|DHL|Volkswagen|Philips|Ikea|Manor|Denner|Emirates|Shell|Vodafone|Sulzer|"
    "Toyota|Unilever|FedEx|Ryanair|Carrefour|Samsung|the fire department|the canton|ABB|Bosch|"
    "PwC|Deloitte|Marriott|a bakery called Sunrise|Lufthansa|St. Mary's Hospital|the railways|"
    "the local school|Barclays|Pfizer|Accenture|Decathlon|Burger King|Nokia"
)
INSTITUTIONS: Final = split_list(
    "AXA|Allianz|Credit Suisse|HSBC|Helsana|Zurich Insurance|PayPal|Revolut|the tax office|"
    "Deutsche Bank|Lloyds|Santander|Generali|Post Finance|the pension office|Netflix|Wells Fargo"
)
CITIES: Final = split_list(
    "Zurich|Geneva|Basel|London|Manchester|Berlin|Munich|Paris|Lyon|Rome|Milan|Madrid|Lisbon|"
    "Porto|New York|Chicago|Boston|Toronto|Mumbai|Delhi|Lagos|Nairobi|Warsaw|Vienna|Graz|Dublin|"
    "Cork|Leeds|Glasgow|Dallas|Phoenix|Bern|Lugano|Winterthur|Hamburg|Cologne|Seattle|Austin|Oslo|"
    "Stockholm|St. Gallen|Lucerne|Lausanne|Istanbul|Kyiv|Zagreb|Kraków|Athens|Bogotá|Accra|Cairo|"
    "Springfield, Illinois|Austin, Texas|Boulder, Colorado|Portland, Oregon|San Francisco|Tel Aviv|"
    "Chur|Thun|Biel|Aarau|Zug|Kreuzberg|Brooklyn|Marseille|Naples|Seville|Kandy|Hanoi|Manila"
)
COUNTRIES: Final = split_list(
    "Switzerland|Germany|Italy|the UK|the United States|Portugal|Turkey|Poland|India|Nigeria|"
    "Brazil|France|Spain|Ukraine|Canada|Austria|Ireland|Mexico|Kenya|Norway|Sweden|Greece|Croatia|"
    "England|Scotland|Japan|Australia|Kosovo|Eritrea|Ghana|Vietnam|Iran|Saudi Arabia|Morocco|Peru|"
    "Sri Lanka|Serbia|Syria|the Netherlands|Belgium|Denmark|South Africa|Thailand|Colombia|USA"
)
REGIONS: Final = split_list(
    "Ticino|Bavaria|Tuscany|Ontario|Andalusia|Yorkshire|Kerala|rural Montana|the Bernese Oberland|"
    "canton of Aargau|Brittany|California|Catalonia|Valais|northern Italy|Queensland"
)
NUMBER_WORDS: Final = split_list("one|two|three|four|five|six|seven")
PRODUCT_FIRST: Final = split_list(
    "Comfort|Flex|Senior|Pension|Young|Family|Student|Premium|Green|Home|Golden|Smart|Junior|"
    "Retirement|Future|Swiss|Classic|Basic|Vital|Care|Plus|Prime|Starter|First|Global|Security|"
    "Freedom|Business|Nurse|Veteran|Single Parent|Active|Health|Income|Balance|Travel|Life|Easy"
)
PRODUCT_SECOND: Final = split_list(
    "Saver|Plus|Mortgage|Pension|Care|Shield|Invest|Life|Income|Saving|Protect|Growth|Start|Flex|"
    "Home|Advance|Top|Choice|Bonus|Direct|Benefit"
)
PRODUCT_LAST: Final = split_list(
    "account|Plan|card|Fund|loan|Mortgage|policy|insurance|package|Account|Pension Plan|Card|"
    "deposit|cover|tariff|program|scheme|allowance|credit line"
)

PERSONAL: Final = """\
Hi, I'm {name}, {age}, from {city} and I work as a {job}.
Hello, my name is {name}.
Hi, this is {name} from {city}, {country}.
{name} here.
I am {age} and live in {city}.
I'm a {agej} {gender} from {country}.
I'm {agen}.
I just turned {agen} last month
I will be {agen} in {when}.
As a {agej} {job} I need some help.
as a {agen} year old {job} in {city} what can i do?
I was born on {dob}.
Born {dob} in {city}.
My date of birth is {dob}.
dob: {dob}
I was born in {year}.
I live at {address}.
My address is {address}.
We moved to {address} in {when}, please update our records.
Please send the documents to {address}.
My zip code is {zip}.
You can reach me at {email}.
My email is {email} and my phone is {phone}.
email: {email}, tel: {phone}
Call me on {phone}.
Please call {phone} after {when}.
I'm {marital} with {children}.
I am {marital}.
I've been {marital} since {year}.
i'm a {marital} parent of {kids}
I am a mother of {kids} and work as a {job}.
I'm a {marital} father of {kids}.
My rent is {amount} a month.
I pay {amount} a month for my flat in {city}.
My salary went up from {income} to {income}.
I have been with {employer} for {term}.
My employer is {employer}.
I am on {amount} of credit card debt and earn {income}.
My {relative} and I have {children}, she is {agen}.
I'm {job} and {marital}.
The person named {name}, born {dob}, is my {relative}.
I'm a former {job}, {agen}, with {health}.
Hi, {name}, {agen}, {job}, {city}.
my husband {name} ({agen}) is a {job} and earns {income}
I got {amount} from selling my {vehicle}.
My religion is {religion}, my party is {politics}.
Politically I am {politics}.
I have {children}.
We have {children} and I am {marital}.
I'm raising {children} on my own.
My {relative} {name} is {age}.
My {relative} {name}, {agen}, lives in {city}.
My {relative} is {agen} and has {health}.
My {relative} has {health}.
My {relative} works at {employer} as a {job}.
My {relative} earns {income}.
I live with my {relative} in {place}.
I work as a {job}.
I'm a {job}.
I am {job} and {agen}.
I'm {job}, what can I get?
I'm a {job} at {employer}.
I've been a {job} for most of my life.
I used to be a {job}, now I'm {job}.
I have been employed at {employer} since {year}.
I work for {employer} and earn {income}.
My boss at {employer} says I should ask you.
{employer} let me go in {when}.
I make {income}.
My salary is {income}.
Our household income is {income}.
I earn {income} as a {job}.
My income is around {income} and I have savings of {amount}.
My pension pays {income}.
Salary {income}, savings {amount}.
I owe {amount} on my mortgage.
I'd like to invest {amount}.
I have {amount} in debt.
I inherited {amount} from my {relative}.
We need a loan of {amount}.
I transferred {amount} on {when} but it never arrived.
The transfer of {amount} to {iban} has not arrived.
My account number is {account}.
The account {account} was charged {amount}.
My card {card} was blocked.
Card number {card}, please check.
I paid {amount} with card {card} on {when}.
My IBAN is {iban}.
Please transfer it to {iban}.
IBAN {iban}, holder {name}
My social security number is {ssn}.
SSN {ssn}.
AHV number {ssn}, born {dob}
My customer id is {code}.
Passport no. {code}.
My policy number is {code} with {org}.
my case number: {code}
ID {code}
I have {health}.
I have {health} and {health}.
I was diagnosed with {health} in {when}.
I suffer from {health} and can't work full time.
I'm {state}.
I'm {state} and live alone in {city}.
Since my {health} I can't walk far.
I've had {health} for {term}.
I take {medication} for my {health}.
I am on {medication}.
My doctor put me on {medication} for {health}.
I take {medication} every day, does it matter?
i'm on {medication} and {medication}
They prescribed {medication} in {when}.
I stopped taking {medication} because of the side effects.
I need {medication} for my {relative}.
Is {medication} covered? I take it for {health}.
my prescription for {medication} has run out
I {injury}.
I {injury} in {when} and cannot work.
Last year I {injury}.
my {relative} {injury2}, who pays?
i {injury} at work, can i claim?
My claim is {code}.
my claim is {code} and nobody answers
ref {code}
Order no {code} never came.
booking {code} was cancelled
Your reference: {code}, my name: {name}
My car {plate} was hit in {city}.
The plate is {plate}.
{plate} is my car, a {vehicle}
cheers, {word_name}
thx, {word_name}
{word_name} here, {agen}, from {city}.
its {word_full} here
My name is {word_full}.
Hi this is {more_name} from {city}
{more_name}, {agen}, {job}
I'm {more_name} and I work for {employer}.
This is about my {relative}, {more_name}.
I have a {degree}.
I just finished my {degree}.
I hold a {degree} and work as a {job}.
I studied at {school}.
I'm doing a {degree} at {school}.
My highest qualification is a {degree}.
I'm {nationality}.
I'm a {nationality} citizen living in {country}.
I am {nationality} and moved to {city} in {when}.
As a {nationality} national, do I need a visa?
I'm from {country} originally but live in {place} now.
I hold a {nationality} passport.
I am {religion}.
Our family is {religion}.
As a {religion} I cannot pay interest.
I'm a practising {religion}.
I'm a {politics}.
I vote as a {politics}.
I am {orientation} and my {relative} is {nationality}.
I'm {orientation}.
As a {orientation} {gender} I want to be sure that I'm welcome.
I have {appearance}.
I am {appearance} tall.
I weigh {appearance}.
I identify as {gender}.
I am a {gender}.
{agen}, {gender}, {city}.
I'm a {gender}, {agen}, from {city}.
My IP is {ip}.
I saw it on {url}.
My driver's license number is {license}.
I moved from {city} to {city}.
I live in {country}.
I rent a flat in {city}.
My {relative} and I live in {country}.
We have {pet}.
In my free time I enjoy {hobby}.
I speak {language} and a little {language}.
I drive a {vehicle}.
I have a policy with {org}.
{org} refused my claim on {when}.
Regards, {name}
Best wishes
{name}
Thanks, {name}, {city}
{name}, {address}
I lost my job at {employer} in {city}.
I retired from {employer} at {agen}.
Since {year} I have been working as a {job} in {country}.
I'm {job} since {year}.
My {relative} {name} died in {when} and left me {amount}.
I'm {age}, {marital}, and earn {income} at {employer}.
I receive a disability pension because of {health}.
I came from {country} in {year} and work as a {job}.
Both of us are {agen}, {marital}, with {children}.
I drive deliveries for {employer}.
I'm on sick leave from {employer}.
After {term} at {employer} I am {job}.
{employer} pays me {income}.
I left {employer} and joined {employer}.
I was a {job} for {employer} until {year}.
I have {amount} saved up.
I've put aside {amount}.
we have {amount} saved and earn {income}
My debts are {amount}.
I still owe {amount} to {org}.
I vote {party}.
I have always voted {party}.
I am a member of {party}.
You say {limit}, but I am {agen}.
I'm {agen} and the {product} starts at {limit}.
Is {limit} the limit? I am {agen}.
I am {agen}, so still under {limit}.
I get {income} as a {job} in {city}.
As a {nationality} {job} in {country} I earn {income}.
{marital}, {children}, {health}.
Pension {income}, {marital}, {agen}.
I'm {marital} and {orientation}.
{iban} is my account.
Wrong amount sent to {iban} on {when}.
card {card}, ssn {ssn}
My ssn is {ssn} and my id is {code}.
Id {code}, IBAN {iban}, card {card}
I have lived at {address} since {year}.
home is {address}
I'm {marital}, my {relative} is a {job}.
""".splitlines()

FORMS: Final = """\
Name: {name}
Full name: {name}
Acct holder: {name}
Account holder: {more_name}
Patient: {more_name}
Tenant: {word_full}
NI: {ssn}
A/C: {account}
Ref: {code}
Claim no: {code}
Vehicle reg: {plate}
Medication: {medication}
Current meds: {medication}, {medication}
Age: {age}
Date of birth: {dob}
Sex: {gender}
Gender: {gender}
City: {city}
Country: {country}
Location: {city}
Address: {address}
Nationality: {nationality}
Marital status: {marital}
Civil status: {marital}
Canton: {place}
State: {place}
Debts: {amount}
Works for: {employer}
Children: {children}
Job: {job}
Occupation: {job}
Employer: {employer}
Company: {employer}
Education: {degree}
Income: {income}
Salary: {income}
Savings: {amount}
Loan amount: {amount}
Health: {health}
Known conditions: {health}
Religion: {religion}
Political party: {politics}
Orientation: {orientation}
E-mail: {email}
Phone: {phone}
Mobile: {phone}
IBAN: {iban}
Card no: {card}
SSN: {ssn}
Customer no: {code}
Passport: {code}
Account: {account}
Postcode: {zip}
Product: {product}
""".splitlines()

# One attribute as it stands in a run: "I'm Laura Meier, 67, a retired nurse from Zurich, ..."
RUN: Final = """\
{name}
{age}
{agen}
{agen}
{agen} years of age
a {gender}
from {city}
from {country}
living in {city}
based in {place}
in {city}, {country}
{nationality}
a {nationality} citizen
{marital}
{marital}
{marital} with {children}
{marital} and {job}
with {children}
employed by {employer}
on leave from {employer}
{children}
a {job}
{job}
a {job} at {employer}
working at {employer}
a {job} from {city}
earning {income}
income {income}
income of {income}
I make {income}
savings of {amount}
{amount} in the bank
I have {health}
with {health}
{state}
{religion}
a {politics}
{orientation}
born {dob}
born in {year}
with a {degree}
reachable at {phone}
email {email}
id {code}
""".splitlines()

# Nothing in these is about a person.
IMPERSONAL: Final = """\
Can I open the {product}?
Can I get the {product}?
Is the {product} right for me?
What does the {product} cost?
What is the difference between the {product} and the {product}?
The minimum age is {limit}.
The minimum age for the {product} is {limit}.
You must be at least {limit} to apply.
The {product} is open to anyone over {limit}.
Does the {product} have an age limit of {limit}?
The {product} requires an income of at least {fee}.
Do I need a minimum income of {fee}?
Must I earn at least {fee} for the {product}?
There is a minimum deposit of {fee}.
The maximum loan under the {product} is {fee}.
The fee is {fee} for the first {term}.
The {product} pays {rate} interest for {term}.
I read about the {product} on your site.
please tell me more about the {product}
How do I cancel the {product}?
Would the {product} suit me better than the {product}?
Retirees get {rate} off with the {product}.
Is there a discount for students or pensioners?
Do teachers get a better rate?
Am I eligible for the {product}?
Which documents do I need for the {product}?
The notice period is {term}.
What happens to the {product} when someone gets divorced?
Does it cover cancer or diabetes?
Do married couples pay less tax?
Is the {product} only for Swiss citizens?
How is a widow's pension calculated?
I tried {few} times already.
It shows error {error}.
There are {few} cards in the app, which one is better?
The {product} and the {product} look the same to me.
Is the {product} cheaper than the {product}?
Does the {product} pay out a lump sum of {fee}?
People under {limit} pay only {fee}.
I would like to switch from the {product} to the {product}.
The {product} brochure says {rate}, is this guaranteed for {term}?
My colleague recommended the {product}.
""".splitlines()

# What people ask about is not what they are: "power of attorney" is no occupation.
TOPICS: Final = split_list(
    "parental leave|paternity pay|adoption leave|sick pay|child benefit|child maintenance|"
    "a student loan|power of attorney|probate|a council tax discount|housing benefit|"
    "a work permit|a visitor visa|a tenancy agreement|an eviction notice|a redundancy payment|"
    "flexible working|the minimum wage|a driving licence|a taxi licence|a parking permit|"
    "the blue badge|a pension|a widow's allowance|a carer's allowance|jury duty|"
    "a small claims case|joint ownership|an insolvency plan|a debt relief order|tax credits|"
    "a tax return|value added tax|import duty|marriage allowance|divorce papers|"
    "a prenuptial agreement|shared custody|legal aid|bail|a death certificate|"
    "a birth certificate|a gender recognition certificate|a food hygiene rating|"
    "a certificate of sponsorship|a theory test|an eye test|an MOT test|a driving lesson|"
    "vehicle tax|a rent deposit|direct debit|self assessment|a business rate|an export license|"
    "a disciplinary hearing|a notice period|unpaid overtime|a pay slip|an apprenticeship scheme|"
    "a school place|a bursary|a citizenship test|a passport renewal|the electoral roll|"
    "a pet passport|a building permit|a boiler grant|a rent increase|a deposit scheme|"
    "a travel refund|lost luggage|the late payment fee|a chargeback|a standing order|"
    "health cover|dental cover|a hearing test|maternity clothes vouchers|a nursing home fee|"
    "a funeral payment|an inheritance|a will"
)
# People and places of work without a name say nothing about who writes.
GENERIC: Final = split_list(
    "my landlord|the tenant|my employer|the company|a firm|the agency|the manager|the council|"
    "the government|the court|a solicitor|the seller|the buyer|my neighbor|an adviser|the insurer|"
    "the clinic|the school|the bank|a charity|the owner|the other driver|a contractor|the shop"
)
COIN_STARTS: Final = split_list(
    "Ver|Luma|Nexo|Zin|Trel|Sola|Bril|Vita|Omni|Kal|Ori|Fen|Mar|Del|Qui|Pre|Cora|Tav|Lin|Gro|"
    "Hex|Bly|Stra|Nov|Ark|Pix|Rova|Sen|Uly|Wex|Yar|Jun|Ida|Cad|Ecto|Flo"
)
COIN_ENDS: Final = split_list(
    "ly|ify|ema|io|ora|ix|scope|wise|hub|lane|ware|ster|ana|entis|era|don|quil|path|ax|ado|ique|"
    "let|mint|via|tec|line|base|gen|stack|loop|dyne|ity"
)
COMPANY_FIRST: Final = split_list(
    "Blue|Bright|Northern|Open|Silver|Red|Clear|Urban|Iron|Quiet|Rapid|First|Green|Atlantic|Royal|"
    "United|Pacific|Stone|Little|General|Smart|Happy|Western|Bold|Paper|Cedar|Falcon|Harbor"
)
COMPANY_SECOND: Final = split_list(
    "Harbor|Systems|Lantern|Analytics|Foods|Robotics|Labs|Capital|Logistics|Works|Pharma|Motors|"
    "Records|Airlines|Partners|Networks|Insurance|Clinic|Press|Software|Solar|Bikes|Studios|Bank|"
    "Recycling|Consulting|Textiles|Kitchens|Telecom|Ventures|Biotech|Media|Travel|Data|Security"
)
COMPANY_FORMS: Final = split_list("Inc|Inc.|Ltd|Ltd.|LLC|PLC|GmbH|AG|Group|Holdings|SA|Co.|and Co")
STREET_FORMS: Final = split_list(
    "{} Street|{} Road|{} Lane|{} Avenue|{} Drive|{} Close|{} Court|{} Hill|Rue de {}|Rue {}|"
    "Via {}|"
    "Calle {}|Avenida {}|Rua {}|ul. {}|{}straße|{}strasse|{}weg|{}straat|{}gatan|{}vej|{} utca|"
    "Avda. {}|Place {}|Piazza {}|{} Square|{} Way|{} Terrace|Strada {}|{} tee|{}katu"
)
UNITS: Final = split_list("Apt. {}|Suite {}|Flat {}|Unit {}|Apt {}|Floor {}|No. {}|#{}|Room {}")
TITLES: Final = split_list("Mr.|Mrs.|Ms.|Dr.|Mr|Ms|Prof.|Miss|Sir|Judge|Captain")
WORKS: Final = split_list(
    "film|song|novel|band|album|podcast|series|play|restaurant|startup|exhibition|orchestra"
)
TAGS: Final = split_list("mondays|fail|love|win|travel|blessed|tbt|nofilter|weekend|news|food|gig")

# Words that no dictionary has and that name nobody: what a post is full of.
SLANG: Final = split_list(
    "lol|lmao|lmfao|rofl|smh|omg|omfg|wtf|idk|idc|tbh|imo|imho|ngl|fr|istg|btw|brb|ttyl|jk|fyi|"
    "ffs|ikr|tfw|mfw|afaik|icymi|nvm|ily|xoxo|yolo|fomo|goat|bruh|bro|sis|fam|boi|homie|buddy|"
    "dude|mate|yall|peeps|shawty|bae|hun|boo|babe|squad|gurl|dawg|yo|yep|nope|nah|yass|yeet|yikes|"
    "ugh|argh|meh|duh|doh|eww|ouch|oops|phew|blah|bleh|grr|hmm|huh|pfft|psst|woohoo|yay|yippee|"
    "hooray|aww|ahh|ooh|whoa|wow|damn|dang|darn|gosh|jeez|crikey|heck|hella|wicked|sick|lit|dope|"
    "legit|lowkey|highkey|salty|savage|extra|shook|woke|basic|petty|cringe|sus|cap|bet|flex|mood|"
    "vibe|tea|stan|slay|rekt|noob|pwned|epic|meme|selfie|swag|turnt|ratchet|bougie|hangry|adorbs|"
    "totes|obvs|deffo|cuppa|chuffed|gutted|knackered|skint|peckish|cheers|ta|innit|gonna|wanna|"
    "gotta|kinda|sorta|dunno|lemme|gimme|whatcha|cuz|tho|thru|tonite|tmrw|tmr|2day|2moro|2nite|"
    "b4|gr8|l8r|luv|ur|plz|pls|thx|ty|np|hbd|rt|dm|nsfw|afk|irl|asap|eta|tba|rsvp|holla|props"
)
FACES: Final = split_list(
    ":)|:-)|;)|:D|XD|xD|:P|:-P|:p|:(|:'(|:/|:-/|:o|<3|</3|^_^|-_-|o_O|:3|=)|=D|;-)|\\o/|:')|:*"
)
# Words of hashtags, run together: a hashtag is a place or a person only where it names one.
TAG_WORDS: Final = split_list(
    "just|saying|best|day|ever|so|true|not|fair|my|life|no|filter|real|talk|first|world|problems|"
    "team|sleep|mode|throwback|monday|friday|feeling|hungry|dont|care|never|again|too|much|love|"
    "this|song|game|time|on|point|work|hard|play|night|out|good|vibes|only|goals|we|win|lets|go|"
    "big|news|fan|follow|back|music|show|live|tour|party|over|it|sorry|bad|luck|hot|mess|happy|"
    "place|school|run|free|food|coffee|break|up|late|traffic|rain|snow|summer|winter|is|coming"
)
# Small talk of other tongues, with nobody in it.
FOREIGN: Final = split_list(
    "wat een dag weer|ik heb zo'n honger|dank je wel voor alles|so ein schöner Abend|"
    "ich kann nicht mehr|das darf doch nicht wahr sein|quelle belle journée|je suis mort de rire|"
    "on se voit demain|che bella giornata|non ci posso credere|ci vediamo stasera|"
    "qué calor hace hoy|no lo puedo creer|nos vemos mañana|que saudade da praia|bom dia a todos|"
    "não acredito nisso|vilken fin dag|det är helt sjukt|ale dzisiaj zimno|dobranoc wszystkim|"
    "bugün hava çok güzel|çok teşekkürler|aku lapar banget|selamat pagi semua|ang init naman|"
    "magandang umaga|kya baat hai yaar|bahut maza aaya|hyvää yötä|mikä päivä|jó reggelt"
)
VENUES: Final = split_list(
    "{} Lounge|{} Bar|{} Club|{} Diner|Café {}|{} Grill|{} Tavern|Club {}|The {} Room|{} Pub|"
    "{} Inn|{} House|Bar {}|{} Campus|{} College|{} Plaza|{} Gardens|{} Hotel|"
    "{} Convention Center|{} Pool|the {} Arms|{} Ballroom|{} Amphitheater|{} Galleries|{} Bakery|"
    "{}'s"
)
ACTS: Final = split_list(
    "The {}s|{} and the Strangers|The {} Brothers|{} Orchestra|{}|{}|DJ {}|{} Parade|Kid {}|The {}|"
    "{} Youth|Black {}|{} Machine|The {} Sisters|{} Theory"
)
# Offices of the state are nobody's employer just because someone writes to them.
AUTHORITIES: Final = split_list(
    "HMRC|DWP|the Home Office|the Jobcentre|Jobcentre Plus|DVLA|the IRS|USCIS|the DMV|"
    "Companies House|the Land Registry|the passport office|the tax office|the immigration office|"
    "the Foreign Office|the county court|the crown court|the ombudsman|the embassy|the consulate|"
    "Ofsted|the FCA|SECO|the registry office|the police|the council|the district council|"
    "border control|customs|the NHS|Student Finance|Citizens Advice|the labour office|"
    "the probate court|the housing association"
)

SHORT_PLACES: Final = split_list(
    "NYC|LA|UK|USA|US|SF|DC|Philly|Vegas|Cali|Jersey|Texas|Florida|ATL|Chi-town|Bama|the Bay Area|"
    "Ohio|Jozi|KL|BKK|HK|UAE|London|Essex|Long Island|the Bronx|Harlem|Soho|Hawaii|Bali|NZ|Oz|"
    "Scotland|Punjab|Goa|Cornwall|Alaska|Quebec|Wales|Europe|Asia|the Midwest|South Dakota|Ibiza"
)
# {} is a name or a town
SPOTS: Final = split_list(
    "{} Park|{} Stadium|{} Hall|{} Airport|Lake {}|Mount {}|{} Bay|{} Beach|{} Bridge|{} Square|"
    "{} Museum|{} Theatre|{} Center|{} Arena|{} Station|{} Mall|{} Island|Fort {}|Port {}|"
    "{} County|{} Valley|{} Castle|{} Market|{} University|{} High School|{} Library|{} Pier"
)
TEAMS: Final = split_list(
    "Hawks|Bears|Giants|Rovers|Rangers|Sharks|Knights|Wolves|Eagles|Rockets|Saints|Tigers|Comets|"
    "United|City FC|Lions|Pirates|Raiders|Wanderers|Athletic|Bulls|Storm|Kings|Warriors"
)

# Other people, places and firms, as in reports, reviews and small talk with a bot.
REPORTS: Final = """\
{named} was born in {town} and grew up in {land}.
{named} opened a {work} in {town} last spring.
The new {work} by {named} is out.
{company} has moved its headquarters from {town} to {town}.
{company} was founded by {named} and {named}.
{company} is a {term} old business that sells its goods in {land}.
{company} hires engineers in {town} and {town}.
{company} and {company} have merged.
Shares of {company} fell after {named} left.
{title} {surname} will chair the meeting of {company}.
Please forward this to {title} {surname} of {company}.
{first} said that {first} would pick up the keys.
{first} and {first} are coming to dinner.
Is {first} in today?
{first}, did you get my last message?
Have you seen {first}? The parcel for {first} is here.
How do I get from {town} to {town}?
What is the weather like in {town}?
When is the next train to {town}?
I would like to fly to {land} and back.
Do you ship to {land}?
Which documents do I need to travel to {land}?
They met in {town} and now live in {land}.
The office in {town} is closed, try the one in {town}.
A {nation} {work} won the prize in {town}.
Listen to the {work} of {named}.
{first} plays in a {work} from {town}.
The {work} "{coin}" starts with {named} on a train to {town}.
{company} will send the parcel to {mail}.
Our branch at {mail} is open until six.
The keys are at {mail}.
Is {mail} your present address?
Deliver it to {mail}, please, and ring twice.
We meet at {mail} at noon.
{named} lives at {mail}.
{company}, {mail}
I would like to change my address to {mail}.
Postcode {zip}, is that right?
The zip of {town} is {zip}.
{town} {zip}
{zip} {town}, {land}
Does {company} deliver to {zip}?
Contact {named} at {phone} or {email}.
{company} can be reached at {phone}.
The contract between {company} and {named} ends on {when}.
{named} ({company}) wrote on {when}:
{named}, {job} at {company}, could not be reached.
Ask {first} from {company} about it.
{named}'s lawyer did not answer.
{first}'s flat in {town} is for rent.
{company} offices in {town} and {land}
the {nation} branch of {company}
thanks {first}, {company} will call you.
The {company} opened a branch in {town}.
I know somebody at the {company} who can help.
The {company} in {town} employs {few} people.
the {company} of {town} was sold to {company}
{title} {surname} is not available today.
{title} {named} will see you at {few}.
Dear {title} {surname}, thank you for your letter.
{title} {surname} and {title} {surname} have signed.
We talked to {title} {named} about the {work}.
The {nation} singer {named} is on tour in {land}.
{named} is a {nation} {job} who lives in {town}.
{first}, {agen}, was the youngest in the room.
{named}, a {agej} {job}, won the race.
At {agen}, {first} still works as a {job}.
{named} ({agen}) joined {company} in {when}.
{mail} is where {first} lives now.
I grew up at {mail} near the river.
is {mail} close to the station
we are moving from {mail} to {mail} next month
Somebody parked in front of {mail} again.
Please pick up the parcel at {mail} before noon
the flat at {mail} has been sold
You will find us at {mail} behind the church.
My doctor's practice at {mail} has closed.
our office moved to {mail} last year
{mail} and {mail} are both for rent
The fire at {mail} started in the kitchen.
Send the invoice to {company} at {mail} by Friday.
There was an accident on {road} this morning.
{road} is closed between {town} and {town}.
Turn left into {road} and you see {spot}.
My office is on {road} right beside {spot}.
We walked from {spot} to {spot} in an hour.
The concert at {spot} in {town} was moved.
How far is {spot} from {town}?
The {team} beat the {team} in {town}.
{named} left the {team} for {few} million.
{company} opens {few} stores in {short} and {land}.
{named} moved from {short} to {town}.
""".splitlines()

# "¶" breaks the line.
LETTERHEADS: Final = """\
{company}¶{mail}
{company}¶{mail}¶{phone}
{company}¶¶{mail}¶{phone} Office¶{phone} Fax
{company}, {mail}, {phone}
{named}¶{mail}
{named}¶{company}¶{mail}
{named}¶¶{job}¶{company}
{named}¶{job}¶{email}¶{phone}
{named}, {job}¶{company}¶{mail}
{title} {named}¶{mail}
To: {named}¶{mail}
From: {named}¶{company}
Ship to:¶{named}¶{mail}
Bill to {company}¶{mail}
Address: {mail}
My address:¶{mail}
Tel. {phone}, fax {phone}
tel: {phone}¶web: {url}¶mail: {email}
Kind regards¶{named}¶{job}, {company}
Kind regards,¶{first}
Yours sincerely¶{named}¶¶{company}¶{mail}
{mail}¶{phone}
{company} | {mail} | {phone}
Contact: {named}¶{phone}¶{email}
{town} {zip}¶{land}
""".splitlines()

POSTS: Final = """\
@{handle} heading to {town} w {first} 2nite
rt @{handle}: {company} is hiring in {town} #{tag}
just saw {named} at the airport lol
{first} is the best!!! #{tag}
omg {first} pls call me back
@{handle} happy bday {first}!! :)
so tired of {town} traffic #{tag}
back in {town} after {term}, missed it
anyone in {town} up for coffee?
#{tagtown} here we come
good morning #{tagtown} #{tag}
watching {named} live with @{handle} #{tag}
lmaooo {first} really said that
{named} > everyone else
new post: a day in {town}, {land}
cant wait 4 {town} next week!!!!
who else thinks {named} should run again
snow in {town} again smh
@{handle} @{handle} tell {first} i said hi
first time at {company} in {town}, food was ok
{company} customer service is a joke #{tag}
dear {company}, where is my order
in {town} with {first}, {first} and {first} <3
thx @{handle} great gig in {town} last night
{land} vs {land} tonight, who wins?
ugh stuck at {town} station w/ no phone
{first} u up?
i miss {first} so much :(
RIP {named}, what a life
photo: sunset over {town} http://t.co/xyz
{surname} scores again!!! what a game
{surname} for president
is {surname} even serious rn
{team} in {few}, calling it now
lets go {team}!! #{tag}
{named} to {team}, wow
at {spot} with {first} and the kids
meet me at {spot} at {few}
fog over {spot} this morning #{tag}
so {spot} is closed AGAIN
{spot}, {town} > any beach in {land}
moving to {short} next month #{tag}
who from {short} is coming tonight
{short} weather be like
from {short} to {short} in {few} hrs
RT @{handle}: {named} spotted in {short}
the {coin} trailer is out and {named} looks amazing
{coin} by {named} on repeat
my {vehicle} broke down on the way to {short}
new {company} phone is {fee} lol no thanks
{company} down again? anyone in {short}?
Happy Birthday {named} !
This Is Why I Love {town}
I Can't Believe {named} Did That
Good Luck To Everyone At {spot} Today
{first} & {first} are getting married in {land} !!
{first} where r u
Today at {spot}: {named} and friends
{named}'s new {work} is everything
{title} {surname} gave us homework over the weekend
thank god 4 {first}
tonight at {venue} {face} #{hash}
{act} live at {venue} in {town} {slang}
who is coming to {venue} tonight {slang}
dinner at {venue} w/ {first} {face}
{venue} is the worst {slang}
{slang} {act} tickets sold out already
cant stop listening to {act} {slang}
@{handle} {slang} is {first} coming too
{slang} {first} did it again #{hash}
{foreign} {first}
{first} {slang}
{slang} i miss {short} {face} #{hash}
{named} is {slang} {face}
off to {venue} then {spot} {face}
{slang}, {surname} again #{hash}
me and {first} at {venue}, {town} {slang}
""".splitlines()

# One name in a plain sentence: nothing but the grammar says that it is one.
MENTIONS: Final = """\
{who} told me to write to you.
{who} never got the letter.
{who} is on the phone right now.
I asked {who} to help me with the form.
I am writing for {who}.
This is about {who}.
{who} paid for it, not me.
I gave the papers to {who}.
Can {who} use my card too?
{who} has moved out.
{who} moved to {town} in spring.
Yesterday {who} opened the letter by mistake.
The account is in the name of {who}.
The invoice went to {who}.
Who is {who}?
Do you know {who}?
My colleague {who} had the same problem.
My friend {who} said that you are quick.
{who} recommended you to me.
We share the flat with {who}.
{who} will come by at noon.
{who} cannot read your handwriting.
{who}, who lives upstairs, has a key.
Your agent {who} promised to call back.
I talked with {who} at the counter.
The lady at the desk, {who}, was friendly.
{who} from your team hung up on me.
Thank {who} for me, please.
{who} owes me {amount}.
I owe {who} {amount}.
I lent {amount} to {who}.
{who} still has my keys.
{who} was in hospital for a week.
{who} lost the job at {employer}.
{who} drove the car when it happened.
The other driver was {who}.
{who} and {who} are both on the contract.
{who} or {who} can sign for me.
Remove {who} from the policy, please.
Add {who} as a second driver.
Is {who} covered as well?
Does {who} have to pay, too?
{who}'s passport has expired.
{who}'s phone is broken.
The letter for {who} came back.
{who}'s number is {phone}.
Ask {who} about the date.
{who} wrote to you on {when}.
{who} was born in {town}.
{who} has no income at the moment.
For {who} nothing changes.
Without {who} I would not have noticed.
{who} knows the password.
I promised {who} to ask.
{who} thinks that I should cancel.
What did {who} say?
Where can {who} park?
{who} believes you, I do not.
{who} keeps calling me about it.
{who} left a message for me.
{who} died last month.
{who} takes care of the garden.
I look after {who} on weekends.
{who} and the kids live with me.
{who} cooks, I clean.
{who} was rude to me.
{who} got {amount} back.
{who} needs a new card.
i have it from {who}
{who} again!
sorry, {who} pressed the wrong button
{word_name} told me to write to you.
I gave the papers to {word_name}.
I owe {word_name} {amount}.
Is {word_name} covered as well?
{word_full} signed for me.
The other driver was {word_full}.
{more_name} never got the letter.
Add {more_name} as a second driver.
my colleague {more_name} had the same problem
Yours, {word_name}
""".splitlines()

# Posts that name nobody and no place.
RANTS: Final = """\
{slang} {face}
{slang} that was a long day
so {slang} rn #{hash}
{slang}, my phone died again {face}
why is the bus ALWAYS late #{hash}
{foreign} {face}
{foreign}
{foreign} #{hash}
cant believe its only tuesday {slang}
i was so tired i fell asleep on the sofa {slang}
who else is still awake {face}
@{handle} {slang} same
@{handle} {slang}, told u so {face}
@{handle} {slang} {slang} {slang}
rt @{handle}: {slang} this is me every morning #{hash}
RT @{handle}: when u finally get home and there is no food {slang}
i need coffee like now {slang}
{slang} the new update is so slow
this weather tho {face} #{hash}
my hair looks {slang} today {face}
not even mad, just {slang}
{slang} just got my exam back and i passed {face}
that game last night {slang}
i dont even know what to say {slang}
back to the gym {slang} #{hash} #{hash}
good night everybody {face}
gm yall {face}
happy friday {slang}
rip summer {face}
rip my bank account {slang}
the struggle is real #{hash}
somebody bring me pizza {slang}
2 more hours of work then home {face}
movie night w/ the kids {face}
my mum is watching the same show again {slang}
when your own dog ignores you {slang} #{hash}
{slang} forgot my umbrella AGAIN
this queue is not moving {slang} #{hash}
the lady at the counter was so nice {face}
someone explain this to me {slang}
just {slang}. nothing else to say
new shoes {face} #{hash}
i love this song sm {slang}
can u not {face}
{slang} u guys are the best
why do i even try {slang} #{hash}
if u know u know #{hash}
#{hash} #{hash} {face}
{slang}!!! {slang}!!!
todays mood: {slang}
me: im fine. also me: {slang}
so done with this week {face}
they said it would be quick {slang}
app wont load, {slang}
is it just me or is the site down {slang}
my order came and it was the wrong size {slang}
thanks for nothing {slang} #{hash}
3 hours on hold {slang} {face}
""".splitlines()

# Firms whose names are those of towns or things, bands, titles, offices: what stands around tells.
FIRMS: Final = """\
I work for {firm}.
I have an account with {firm}.
Shares in {firm} rose again.
{firm} is hiring, they pay well.
The CEO of {firm} stepped down.
{firm}'s customer service never answers.
My invoice from {firm} is wrong.
A spokesman for {firm} said so.
{firm} sold its branch in {town}.
{named} of {firm} signed the contract.
I used to be a manager at {firm}.
{firm} was bought by {firm}.
We compared {firm} with {firm}, both are expensive.
Could you cancel my contract with {firm}?
{firm} sponsors the {team}.
I applied to {firm} last month.
Our supplier is {firm}, in {town}.
I listen to {act} all day.
{act} played in {town} last night.
the new album by {act} is out
Do you like {act}?
{act} is my favorite band.
Please make it out to {title} {named}.
This is {title} {surname} speaking.
My name is {title} {named}.
I am {title} {surname}, we talked on the phone.
The card should say {title} {named}.
{title} {surname} and {title} {named} live next door.
{title} {surname} arrived in {town} on Monday.
My teacher, {title} {surname}, helped me with it.
I have written to {authority} about it.
{authority} sent me a letter.
{authority} says that I owe them something.
How do I appeal a decision by {authority}?
Do I have to tell {authority}?
My claim is with {authority} now.
{authority} refused my application for {topic}.
Can {authority} stop {topic}?
I got a form from {authority} today.
""".splitlines()

# Nobody's attributes, and words that look like some.
ASKED: Final = """\
How do I apply for {topic}?
Can I claim {topic} while I work part time?
Do I need {topic} to rent out a room?
What happens to {topic} when someone moves abroad?
Is {topic} taxable?
I want to know more about {topic}.
I have applied for {topic} and heard nothing.
Will {topic} affect {topic}?
{generic} says that I need {topic}.
Can {generic} refuse {topic}?
I had an argument with {generic} about {topic}.
{generic} has not answered yet.
Does {generic} have to tell {generic}?
Who pays for {topic}, {generic} or me?
What is the deadline for {topic}?
Someone told me that {topic} was abolished.
My application for {topic} was rejected, can I appeal?
{generic} sent me a letter about {topic}.
Do I have to tell {generic} when I get {topic}?
How long does {topic} last?
""".splitlines()

# How a run may go on in the same sentence.
RUN_ON: Final = """\
, can I open the {product}?
, can I get the {product}?
. Can I still join the {product}?
, is the {product} for me?
, should I take the {product}
 and want to know whether the {product} fits
, what is the minimum age for the {product}?
 - which is better, {product} or {product}?
, am I eligible for the {product}?
. Would the {product} be right for me?
, what can I do?
, do I have to pay more?
, how much can I borrow?
, is that enough to retire at {limit}?
; what about the {product}?
""".splitlines()

# Who speaks in a transcript, and titles of fields: nobody's occupation, and no values.
TRANSCRIPTS: Final = """\
Agent: How can I help you?
Agent: Thank you for waiting. May I have your name?
User: hello
Customer: hi, is anybody there
Bot: Please choose one of the options.
Agent: I have sent you the form.
User: ok thanks
Support: Is there anything else?
Customer: no that's all
Agent: Let me check that for you.
Assistant: Your ticket has been closed.
Operator: One moment, please.
User: will it take long?
Agent: I will pass it on to the back office.
""".splitlines()

CHAT: Final = """\
Can you help me?
What are my options?
I have a question about my pension.
Which mortgage suits me?
How much can I pay into a pillar 3a account?
Is this covered by my insurance?
I don't understand the letter I received.
What documents do I need?
Am I eligible for a rate reduction?
Please advise.
The app keeps crashing.
I would like to know more about this product.
I love the weather today.
Could you explain the fees?
How do I close my account?
What is the difference between the two cards?
I think I was overcharged.
Can I retire early?
How do I reset my PIN?
It's been a long week.
What happens if I cancel?
Do I have to pay tax on this?
How should I use my pillar 3a?
thx in advance!!
Any help appreciated :)
Hi there
Good morning,
Dear team,
what would you recommend?
Is it worth it?
My mortgage ends soon and I am worried about the rates.
The card machine swallowed my card again.
""".splitlines()
