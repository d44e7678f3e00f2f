#include "placeholders.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <stdexcept>

namespace privrag {
namespace {

constexpr int longest_run = 4;  // of padding, of separators
constexpr std::size_t most_digits = 6;
constexpr std::size_t longest_name = 56;  // label, underscore, number

enum class Step { no, more, yes };

// How a label is written.
enum class Spelling { exact, capitals, title, any };
using Spellings = std::initializer_list<Spelling>;
constexpr Spellings plain = {Spelling::capitals, Spelling::title};

// Full-width forms as ASCII, and the decimal digits that models write instead.
char32_t fold(char32_t c) {
    if (c < 0x660) {
        return c;
    }
    for (const char32_t zero : {0x660, 0x6F0, 0x966}) {  // Arabic, Persian, Devanagari
        if (c >= zero && c <= zero + 9) {
            return c - zero + U'0';
        }
    }
    return c >= 0xFF01 && c <= 0xFF5E ? c - 0xFEE0 : c;
}

bool is_in(std::u32string_view set, char32_t c) { return set.find(c) != set.npos; }
bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_capital(char32_t c) { return c >= U'A' && c <= U'Z'; }
bool is_alnum(char32_t c) { return is_digit(c) || is_capital(c) || (c >= U'a' && c <= U'z'); }
bool is_word(char32_t c) { return is_alnum(c) || c == U'_'; }
bool is_hyphen(char32_t c) { return is_in(U"-\u2010\u2011", c); }
bool is_gap(char32_t c) { return is_in(U" -\u00a0\u202f\u2010\u2011", c); }
bool is_padding(char32_t c) { return is_in(U" _*`\u00a0\u202f\u200b\u200c\u200d\u2060\ufeff", c); }
bool is_glue(char32_t c) { return is_padding(c) || is_in(U"-\\\u2010\u2011\u2012\u2013\u2014", c); }

// Opening brackets, and at the same places those that close them.
constexpr std::u32string_view square_open = U"[\u3010\u3014\u3016\u27e6";
constexpr std::u32string_view square_close = U"]\u3011\u3015\u3017\u27e7";
constexpr std::u32string_view other_open =
    U"{<\u00ab\u00bb\u2039\u203a\u300c\u300e\u300a\u3008\u27e8";
constexpr std::u32string_view other_close =
    U"}>\u00bb\u00ab\u203a\u2039\u300d\u300f\u300b\u3009\u27e9";

// Reads on from a place in a text that may not have come to its end.
class Cursor {
public:
    Cursor(std::u32string_view text, std::size_t at, bool last)
        : text_(text), at_(at), last_(last) {}

    std::size_t at() const { return at_; }
    bool ended() const { return at_ == text_.size(); }
    Step at_end() const { return last_ ? Step::no : Step::more; }
    char32_t peek() const { return fold(text_[at_]); }
    void skip() { ++at_; }

    template <typename Test>
    Step one(Test test) {
        if (ended()) {
            return at_end();
        }
        if (!test(peek())) {
            return Step::no;
        }
        skip();
        return Step::yes;
    }

    Step one(char32_t wanted) {
        return one([wanted](char32_t c) { return c == wanted; });
    }

    Step times(char32_t wanted, int count) {
        Step step = Step::yes;
        for (int i = 0; i < count && step == Step::yes; ++i) {
            step = one(wanted);
        }
        return step;
    }

    // How many there are, at most `most`.
    template <typename Wanted>
    int run(Wanted wanted, int most) {
        int count = 0;
        while (count < most && one(wanted) == Step::yes) {
            ++count;
        }
        return count;
    }

private:
    std::u32string_view text_;
    std::size_t at_;
    bool last_;
};

Step number(Cursor& cursor, std::int32_t& value) {
    if (!cursor.ended() && cursor.peek() == U'0') {
        return Step::no;
    }
    std::size_t digits = 0;
    value = 0;
    while (!cursor.ended() && is_digit(cursor.peek())) {
        if (++digits > most_digits) {
            return Step::no;
        }
        value = value * 10 + static_cast<std::int32_t>(cursor.peek() - U'0');
        cursor.skip();
    }
    if (cursor.ended() && cursor.at_end() == Step::more) {
        return Step::more;
    }
    return digits > 0 ? Step::yes : Step::no;
}

// That a word has come to its end; after a gap also that no number goes on.
Step boundary(Cursor cursor, bool spaced) {
    if (cursor.ended()) {
        return cursor.at_end() == Step::more ? Step::more : Step::yes;
    }
    const char32_t next = cursor.peek();
    if (is_word(next) || (spaced && next == U'%')) {
        return Step::no;
    }
    const bool may_go_on = next == U'\\' || (spaced && is_in(U".,:/-'\u2019\u2013", next));
    if (!may_go_on) {
        return Step::yes;
    }
    cursor.skip();
    switch (cursor.one([next](char32_t c) { return next == U'\\' ? c == U'_' : is_digit(c); })) {
        case Step::yes:
            return Step::no;
        case Step::more:
            return Step::more;
        default:
            return Step::yes;
    }
}

constexpr Match unfinished{Found::unfinished};

}  // namespace

// One look at one place of a text.
class Placeholders::Reader {
public:
    Reader(const std::vector<Label>& labels, std::u32string_view text, std::size_t at,
           char32_t before, bool last)
        : labels_(labels), text_(text), last_(last), start_(text, at, last), before_(fold(before)) {}

    Match match() const {
        const char32_t first = start_.peek();
        if (is_word(first)) {
            return is_word(before_) ? Match{} : first == U'_' ? emphasized() : bare();
        }
        if (first == U'\\') {
            return in_square_brackets(true);
        }
        if (is_in(square_open, first)) {
            const Match match = in_square_brackets(false);
            return match.found == Found::nothing ? never_issued() : match;
        }
        if (is_in(other_open, first)) {
            return in_other_brackets();
        }
        return is_word(before_) ? Match{} : bare();
    }

private:
    // What is replaced: the name, or with the brackets around it all that was looked at.
    enum class Extent { name, all };

    Match in_square_brackets(bool escaped) const {
        Cursor cursor = start_;
        if (escaped) {
            cursor.skip();
        }
        if (cursor.ended()) {
            return cursor.at_end() == Step::more ? unfinished : Match{};
        }
        const std::size_t kind = square_open.find(cursor.peek());
        if (kind == square_open.npos) {
            return {};
        }
        const char32_t close = square_close[kind];
        cursor.skip();
        if (!escaped && is_alnum(before_)) {
            return first_of(cursor, Extent::all, {Spelling::exact},
                            [=](Cursor& tail, bool) { return tail.one(close); });
        }
        cursor.run(is_padding, longest_run);
        return first_of(cursor, Extent::all, {Spelling::any}, [=](Cursor& tail, bool) {
            tail.run(is_padding, longest_run);
            if (escaped || (!tail.ended() && tail.peek() == U'\\')) {
                const Step step = tail.one(U'\\');
                return step == Step::yes ? tail.one(close) : step;
            }
            return tail.one(close);
        });
    }

    // One pair, or two of the same: {{PERSON_1}}.
    Match in_other_brackets() const {
        const std::size_t kind = other_open.find(start_.peek());
        Cursor cursor = start_;
        const int depth = cursor.run(other_open[kind], 2);
        cursor.run(is_padding, longest_run);
        return first_of(cursor, Extent::all, plain, [=](Cursor& tail, bool) {
            tail.run(is_padding, longest_run);
            return tail.times(other_close[kind], depth);
        });
    }

    Match emphasized() const {
        Cursor cursor = start_;
        const int width = cursor.run(U'_', 3);
        return first_of(cursor, Extent::name, plain, [=](Cursor& tail, bool spaced) {
            const Step step = tail.times(U'_', width);
            return step == Step::yes ? boundary(tail, spaced) : step;
        });
    }

    Match bare() const {
        return first_of(start_, Extent::name, plain,
                        [](Cursor& tail, bool spaced) { return boundary(tail, spaced); });
    }

    // The first label, longest first, of which this number was issued; `tail` must follow.
    template <typename Tail>
    Match first_of(const Cursor& start, Extent extent, Spellings spellings, Tail tail) const {
        Match unknown;
        for (const Label& label : labels_) {
            if (!start.ended() && start.peek() != label.upper.front() &&
                start.peek() != label.lower.front()) {
                continue;
            }
            for (const Spelling spelling : spellings) {
                Cursor cursor = start;
                bool spaced = false;
                std::int32_t value = 0;
                Step step = name(cursor, label, spelling, spaced, value);
                const std::size_t name_end = cursor.at();
                if (step == Step::yes) {
                    step = tail(cursor, spaced);
                }
                if (step == Step::more) {
                    return unfinished;
                }
                if (step == Step::no) {
                    continue;
                }
                const bool all = extent == Extent::all;
                const std::size_t from = all ? start_.at() : start.at();
                const std::size_t to = all ? cursor.at() : name_end;
                const auto known = label.numbers.find(value);
                if (known != label.numbers.end()) {
                    return {Found::issued, from, to, known->second};
                }
                if (unknown.found == Found::nothing && !spaced) {
                    const auto place = static_cast<std::size_t>(&label - labels_.data());
                    unknown = {Found::unknown, from, to, place, value};
                }
            }
        }
        return unknown;
    }

    static Step name(Cursor& cursor, const Label& label, Spelling spelling, bool& spaced,
                     std::int32_t& value) {
        for (std::size_t k = 0; k < label.upper.size(); ++k) {
            const bool heads = k == 0 || label.upper[k - 1] == U'_';
            const bool parts = label.upper[k] == U'_';
            if (spelling == Spelling::any && !heads && !parts) {
                cursor.run(is_hyphen, 1);
            }
            const Step step = parts
                                  ? separator(cursor, label, spelling, 1, spaced)
                                  : letter(cursor, label.upper[k], label.lower[k], spelling, heads);
            if (step != Step::yes) {
                return step;
            }
        }
        const int least = is_digit(label.upper.back()) ? 1 : 0;
        const Step step = separator(cursor, label, spelling, least, spaced);
        return step == Step::yes ? number(cursor, value) : step;
    }

    static Step letter(Cursor& cursor, char32_t upper, char32_t lower, Spelling spelling,
                       bool heads) {
        switch (spelling) {
            case Spelling::any:
                return cursor.one([=](char32_t c) { return c == upper || c == lower; });
            case Spelling::title:
                return cursor.one(heads ? upper : lower);
            default:
                return cursor.one(upper);
        }
    }

    // Between words and before the number; `least` only counts in any spelling.
    static Step separator(Cursor& cursor, const Label& label, Spelling spelling, int least,
                          bool& spaced) {
        if (cursor.ended()) {
            return cursor.at_end();
        }
        if (spelling == Spelling::any) {
            return cursor.run(is_glue, longest_run) >= least ? Step::yes : Step::no;
        }
        const bool cased = label.upper != label.lower;
        if (spelling == Spelling::capitals && cased && is_gap(cursor.peek())) {
            cursor.skip();
            spaced = true;
            return Step::yes;
        }
        if (spelling != Spelling::exact && cursor.peek() == U'\\') {
            cursor.skip();
        }
        return cursor.one(U'_');
    }

    // [LABEL_1] with a label of which nothing was issued.
    Match never_issued() const {
        const std::u32string_view rest = text_.substr(start_.at());
        std::size_t length = 1;
        while (length < rest.size() && (is_capital(rest[length]) || is_digit(rest[length]) ||
                                        rest[length] == U'_')) {
            ++length;
        }
        const std::u32string_view name = rest.substr(1, length - 1);
        if (rest.front() != U'[' || length > longest_name || !starts_a_name(name)) {
            return {};
        }
        if (length == rest.size()) {
            return last_ ? Match{} : unfinished;
        }
        if (rest[length] != U']' || !ends_in_a_number(name)) {
            return {};
        }
        return {Found::unknown, start_.at(), start_.at() + length + 1};
    }

    static bool starts_a_name(std::u32string_view name) {
        return name.empty() || is_capital(name.front());
    }

    static bool ends_in_a_number(std::u32string_view name) {
        const std::size_t split = name.rfind(U'_');
        if (split == name.npos) {
            return false;
        }
        const std::u32string_view digits = name.substr(split + 1);
        return !digits.empty() && digits.size() <= most_digits &&
               std::all_of(digits.begin(), digits.end(), is_digit);
    }

    const std::vector<Label>& labels_;
    std::u32string_view text_;
    bool last_;
    Cursor start_;
    char32_t before_;
};

Placeholders::Placeholders(const std::vector<Placeholder>& placeholders) {
    std::map<std::u32string, std::size_t> places;
    for (std::size_t i = 0; i < placeholders.size(); ++i) {
        const Placeholder& own = placeholders[i];
        if (own.label.empty() || own.label.size() != own.lower.size()) {
            throw std::invalid_argument("a label needs a lower case of the same length");
        }
        const auto [place, is_new] = places.emplace(own.label, labels_.size());
        if (is_new) {
            labels_.push_back({own.label, own.lower, {}});
        }
        labels_[place->second].numbers[own.number] = i;
    }
    std::stable_sort(labels_.begin(), labels_.end(), [](const Label& a, const Label& b) {
        return a.upper.size() > b.upper.size();
    });
    starts_ = std::u32string(square_open) + std::u32string(other_open) + U"\\_";
    for (const Label& label : labels_) {
        starts_ += label.upper.front();
    }
    std::sort(starts_.begin(), starts_.end());
    for (const char32_t c : starts_) {
        if (c < ascii_starts_.size()) {
            ascii_starts_[c] = true;
        }
    }
}

bool Placeholders::may_start_beyond_ascii(char32_t character) const {
    const char32_t c = fold(character);
    if (c < ascii_starts_.size()) {
        return ascii_starts_[c];
    }
    return c <= starts_.back() && std::binary_search(starts_.begin(), starts_.end(), c);
}

std::u32string Placeholders::name(const Match& unknown, std::u32string_view text) const {
    if (unknown.number == 0) {
        return std::u32string(text.substr(unknown.start + 1, unknown.end - unknown.start - 2));
    }
    const std::string digits = std::to_string(unknown.number);
    return labels_[unknown.index].upper + U'_' + std::u32string(digits.begin(), digits.end());
}

Match Placeholders::match(std::u32string_view text, std::size_t at, char32_t before,
                          bool last) const {
    return Reader(labels_, text, at, before, last).match();
}

}  // namespace privrag
