#include "restorer.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace privrag {
namespace {

constexpr std::u32string_view escape_letters = U"\"\\/bfnrt";
constexpr std::u32string_view escaped_characters = U"\"\\/\b\f\n\r\t";
constexpr std::size_t unicode_escape = 6;  // \uXXXX

int hex_digit(char32_t c) {
    constexpr std::u32string_view lower = U"0123456789abcdef";
    constexpr std::u32string_view upper = U"0123456789ABCDEF";
    const std::size_t value = std::min(lower.find(c), upper.find(c));
    return value == lower.npos ? -1 : static_cast<int>(value);
}

void append_unicode_escape(char32_t c, std::u32string& out) {
    out += U"\\u";
    for (int shift = 12; shift >= 0; shift -= 4) {
        out += U"0123456789abcdef"[(c >> shift) & 15];
    }
}

// RFC 8259, section 7; lone surrogates too, which no encoding of the text could carry.
void append_escaped(std::u32string_view value, std::u32string& out) {
    for (const char32_t c : value) {
        const std::size_t place = escaped_characters.find(c);
        if (c != U'/' && place != escaped_characters.npos) {
            out += U'\\';
            out += escape_letters[place];
        } else if (c < 0x20 || (c >= 0xD800 && c <= 0xDFFF)) {
            append_unicode_escape(c, out);
        } else {
            out += c;
        }
    }
}

}  // namespace

Restorer::Restorer(const std::vector<Placeholder>& placeholders, std::vector<std::u32string> values,
                   bool json)
    : placeholders_(placeholders), values_(std::move(values)), json_(json) {
    if (placeholders.size() != values_.size()) {
        throw std::invalid_argument("placeholders and values must be equally many");
    }
}

std::u32string Restorer::feed(std::u32string_view piece) {
    if (json_) {
        read_json(piece);
    } else {
        held_ += piece;
    }
    return release(false);
}

std::u32string Restorer::flush() {
    take(std::exchange(escape_, {}));
    return release(true);
}

std::vector<std::pair<std::size_t, std::size_t>> Restorer::find(std::u32string_view text) const {
    std::vector<std::pair<std::size_t, std::size_t>> spans;
    std::size_t at = 0;
    while (at < text.size()) {
        const Match match = placeholders_.match(text, at, at > 0 ? text[at - 1] : 0, true);
        if (match.found == Found::issued) {
            spans.emplace_back(match.start, match.end);
        }
        at = match.found == Found::nothing ? at + 1 : match.end;
    }
    return spans;
}

void Restorer::read_json(std::u32string_view piece) {
    while (!piece.empty()) {
        if (!escape_.empty()) {
            piece.remove_prefix(read_escape(piece.front()) ? 1 : 0);
            continue;
        }
        const std::size_t plain = std::min(piece.size(), piece.find_first_of(U"\"\\"));
        take(piece.substr(0, plain));
        piece.remove_prefix(plain);
        if (piece.empty()) {
            return;
        }
        if (piece.front() == U'\\' && quoted_) {
            escape_ = U'\\';
        } else {
            take(piece.substr(0, 1));
        }
        // A quote is no part of any placeholder: no match reaches over the end of a string.
        if (piece.front() == U'"') {
            quoted_ = !quoted_;
            marks_.push_back({held_.size(), raw_.size() - held_.size(), quoted_});
        }
        piece.remove_prefix(1);
    }
}

// Whether the character belongs to the escape. What is no escape is taken as it is written.
bool Restorer::read_escape(char32_t next) {
    const bool begun = escape_.size() > 1;
    const std::size_t letter = begun ? escape_letters.npos : escape_letters.find(next);
    if (letter != escape_letters.npos) {
        escape_ += next;
        take_escape(escaped_characters[letter]);
        return true;
    }
    if (begun ? hex_digit(next) < 0 : next != U'u') {
        take(std::exchange(escape_, {}));
        return false;
    }
    escape_ += next;
    if (escape_.size() == unicode_escape) {
        char32_t meant = 0;
        for (const char32_t digit : std::u32string_view(escape_).substr(2)) {
            meant = meant * 16 + static_cast<char32_t>(hex_digit(digit));
        }
        take_escape(meant);
    }
    return true;
}

void Restorer::take(std::u32string_view text) {
    held_ += text;
    if (json_) {
        raw_ += text;
    }
}

void Restorer::take_escape(char32_t meant) {
    held_ += meant;
    raw_ += std::exchange(escape_, {});
    marks_.push_back({held_.size(), raw_.size() - held_.size(), quoted_});
}

std::u32string Restorer::release(bool last) {
    std::u32string out;
    out.reserve(held_.size());
    std::size_t kept = 0;  // up to here `out` tells
    std::size_t at = 0;
    while (at < held_.size()) {
        if (!placeholders_.may_start(held_[at])) {
            ++at;
            continue;
        }
        const Match match =
            placeholders_.match(held_, at, at > 0 ? held_[at - 1] : before_, last);
        if (match.found == Found::unfinished) {
            break;
        }
        if (match.found == Found::nothing) {
            ++at;
            continue;
        }
        if (match.found == Found::issued) {
            keep(kept, match.start, out);
            put(match, out);
            kept = match.end;
        } else {
            report(placeholders_.name(match, held_));
        }
        at = match.end;
    }
    keep(kept, at, out);
    drop(at);
    return out;
}

void Restorer::keep(std::size_t from, std::size_t to, std::u32string& out) const {
    if (json_) {
        from += mark(from).extra;
        to += mark(to).extra;
    }
    out.append(json_ ? raw_ : held_, from, to - from);
}

void Restorer::put(const Match& match, std::u32string& out) const {
    const std::u32string& value = values_[match.index];
    if (json_ && mark(match.start).quoted) {
        append_escaped(value, out);
    } else {
        out += value;
    }
}

void Restorer::drop(std::size_t count) {
    if (count == 0) {
        return;
    }
    before_ = held_[count - 1];
    held_.erase(0, count);
    if (!json_) {
        return;
    }
    const Mark first = mark(count);
    raw_.erase(0, count + first.extra);
    marks_.erase(marks_.begin(), marks_.begin() + (&mark(count) - marks_.data()));
    for (Mark& own : marks_) {
        own.at = own.at > count ? own.at - count : 0;
        own.extra -= first.extra;
    }
}

// The last that holds at a place.
const Restorer::Mark& Restorer::mark(std::size_t at) const {
    const auto next = std::upper_bound(marks_.begin(), marks_.end(), at,
                                       [](std::size_t place, const Mark& own) { return place < own.at; });
    return *(next - 1);
}

void Restorer::report(const std::u32string& name) {
    if (std::find(unknown_.begin(), unknown_.end(), name) == unknown_.end()) {
        unknown_.push_back(name);
    }
}

}  // namespace privrag
