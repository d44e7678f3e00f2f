// Finds placeholders such as [BLOOD_TYPE_1] in text, however a language model spells them. STL only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace privrag {

struct Placeholder {
    std::u32string label;  // upper case, words joined by single underscores
    std::u32string lower;  // the same in lower case, of the same length
    std::int32_t number;   // 1 to 999,999
};

enum class Found {
    nothing,
    unfinished,  // what follows the text decides
    issued,
    unknown,  // reads like a placeholder, but is none of those given
};

struct Match {
    Found found = Found::nothing;
    std::size_t start = 0;  // half-open, in code points
    std::size_t end = 0;
    std::size_t index = 0;  // into the placeholders, where issued; else into their labels
    std::int32_t number = 0;  // where unknown; 0 where the label is too
};

// What is read as the placeholder BLOOD_TYPE_1, with the label in capitals, Blood_Type or
// blood_type. Full-width characters read as their ASCII twins, and all decimal digits alike.
//
//   in square brackets, full-width or lenticular too: any case, one to four of underscore, space,
//     hyphen, backslash, emphasis or backtick between the words, none needed before the number,
//     padding inside, escaped brackets, a hyphen inside a word ([E-MAIL_1] is EMAIL_1). Right after
//     a letter or digit only exactly [BLOOD_TYPE_1]: rows[age_1] is code.
//   in other brackets, guillemets and corner brackets: as without, and the brackets go.
//   without: BLOOD_TYPE_1 and Blood_Type_1 as whole words, the underscore escaped or not, in
//     underscores of emphasis or not; in capitals also a space or hyphen for the underscore, where
//     no number goes on (not AGE 1.5). Never age_1, Age 1 or age 1: those are words.
//
// The number decides: it is read to its last digit and must be the one that was issued. Nothing
// but what is listed here is ever taken for a placeholder.
class Placeholders {
public:
    explicit Placeholders(const std::vector<Placeholder>& placeholders);

    // What starts at text[at]. `before` stands in front of it, or 0. Unless `last`, more text may
    // follow.
    Match match(std::u32string_view text, std::size_t at, char32_t before, bool last) const;

    // LABEL_N of an unknown one that was found in this text.
    std::u32string name(const Match& unknown, std::u32string_view text) const;

    // Whether a match may start with this character.
    bool may_start(char32_t character) const {
        return character < ascii_starts_.size() ? ascii_starts_[character]
                                                : may_start_beyond_ascii(character);
    }

private:
    struct Label {
        std::u32string upper;
        std::u32string lower;
        std::unordered_map<std::int32_t, std::size_t> numbers;  // to index
    };
    class Reader;

    bool may_start_beyond_ascii(char32_t character) const;

    std::vector<Label> labels_;  // longest first
    std::u32string starts_;        // sorted
    std::array<bool, 128> ascii_starts_{};
};

}  // namespace privrag
