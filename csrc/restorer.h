// Puts values back for placeholders, in text that arrives in pieces. STL only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "placeholders.h"

namespace privrag {

// One pass over one text; any split of it gives the same. Holds back only what may still become a
// placeholder. Not for two threads at once.
class Restorer {
public:
    // With `json` the text is, or holds, JSON: escapes in string literals are read as what they
    // stand for, and values are escaped where they stand in one. All else keeps its spelling.
    Restorer(const std::vector<Placeholder>& placeholders, std::vector<std::u32string> values,
             bool json);

    // What is certain once this piece has come; may be empty.
    std::u32string feed(std::u32string_view piece);

    // What was held back, at the end of the text.
    std::u32string flush();

    // LABEL_N of what reads like a placeholder but is none, in order of first appearance.
    const std::vector<std::u32string>& unknown() const { return unknown_; }

    // Half-open spans of another, whole text that would be replaced. JSON is not looked into.
    std::vector<std::pair<std::size_t, std::size_t>> find(std::u32string_view text) const;

private:
    // From held_[at] on, what is read at i is spelled at raw_[i + extra].
    struct Mark {
        std::size_t at;
        std::size_t extra;
        bool quoted;  // inside a string literal
    };

    void read_json(std::u32string_view piece);
    bool read_escape(char32_t next);
    void take(std::u32string_view text);
    void take_escape(char32_t meant);
    std::u32string release(bool last);
    void keep(std::size_t from, std::size_t to, std::u32string& out) const;
    void put(const Match& match, std::u32string& out) const;
    void drop(std::size_t count);
    void report(const std::u32string& name);
    const Mark& mark(std::size_t at) const;

    Placeholders placeholders_;
    std::vector<std::u32string> values_;
    bool json_;
    std::u32string held_;    // as it is read: not released yet
    char32_t before_ = 0;    // what was released last
    // With json_ only.
    std::u32string raw_;  // held_ as it is spelled
    std::vector<Mark> marks_{{0, 0, false}};
    std::u32string escape_;  // an escape that has not come to its end
    bool quoted_ = false;
    std::vector<std::u32string> unknown_;
};

}  // namespace privrag
