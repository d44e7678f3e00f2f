#include "word_piece.h"

#include <algorithm>

namespace privrag {
namespace {

constexpr std::string_view kContinues = "##";

bool is_punctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
}

// FNV-1a
std::uint32_t hash_of(std::string_view text) {
    std::uint32_t hash = 2166136261u;
    for (const char c : text) {
        hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619u;
    }
    return hash;
}

bool is_word(char c) {
    return c == '_' || (c > ' ' && !is_punctuation(c));
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::vector<WordSpan> split_words(std::string_view text) {
    std::vector<WordSpan> words;
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t begin = i++;
        if (text[begin] <= ' ') {
            continue;
        }
        while (is_word(text[begin]) && i < text.size()) {
            if (text[i] == '-' && i + 1 < text.size() && is_word(text[i + 1])) {
                ++i;
            } else if (!is_word(text[i])) {
                break;
            }
            ++i;
        }
        words.push_back({begin, i});
    }
    return words;
}

void WordPiece::Pieces::reserve(std::size_t count) {
    std::size_t size = 1;
    while (size < 2 * count + 1) {
        size *= 2;
    }
    slots_.assign(size, Slot{});
}

void WordPiece::Pieces::add(std::string_view piece, std::int64_t id) {
    const std::uint32_t hash = hash_of(piece);
    Slot& slot = slots_[slot_of(piece, hash)];
    if (piece.empty() || slot.size != 0) {
        return;
    }
    slot = {id, hash, static_cast<std::uint32_t>(text_.size()),
            static_cast<std::uint32_t>(piece.size())};
    text_ += piece;
    longest_ = std::max(longest_, piece.size());
}

const std::int64_t* WordPiece::Pieces::find(std::string_view piece) const {
    const Slot& slot = slots_[slot_of(piece, hash_of(piece))];
    return slot.size == 0 ? nullptr : &slot.id;
}

// Where the piece is, or would be.
std::size_t WordPiece::Pieces::slot_of(std::string_view piece, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].size != 0) {
        const Slot& slot = slots_[at];
        if (slot.hash == hash &&
            std::string_view(text_).substr(slot.begin, slot.size) == piece) {
            break;
        }
        at = (at + 1) & mask;
    }
    return at;
}

WordPiece::WordPiece(const std::vector<std::pair<std::string, std::int64_t>>& vocabulary,
                     std::int64_t unknown, std::size_t max_characters, bool lowercase)
    : unknown_(unknown), max_characters_(max_characters), lowercase_(lowercase) {
    first_.reserve(vocabulary.size());
    rest_.reserve(vocabulary.size());
    for (const auto& [piece, id] : vocabulary) {
        const std::string_view whole(piece);
        if (whole.substr(0, kContinues.size()) == kContinues) {
            rest_.add(whole.substr(kContinues.size()), id);
        } else {
            first_.add(whole, id);
        }
    }
}

bool WordPiece::reads(std::string_view word) {
    return std::all_of(word.begin(), word.end(), [](char c) { return c > ' ' && c <= '~'; });
}

std::int64_t WordPiece::encode(std::string_view word, std::vector<std::int64_t>& ids) const {
    const std::size_t before = ids.size();
    std::string small(word);
    if (lowercase_) {
        std::transform(small.begin(), small.end(), small.begin(), lower);
    }
    const std::string_view whole(small);
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= whole.size(); ++i) {
        const bool parts = i == whole.size() || is_punctuation(whole[i]);
        if (!parts) {
            continue;
        }
        if (i > begin) {
            encode_part(whole.substr(begin, i - begin), ids);
        }
        if (i < whole.size()) {
            encode_part(whole.substr(i, 1), ids);
        }
        begin = i + 1;
    }
    return static_cast<std::int64_t>(ids.size() - before);
}

void WordPiece::encode_part(std::string_view part, std::vector<std::int64_t>& ids) const {
    const std::size_t before = ids.size();
    std::size_t begin = 0;
    while (begin < part.size() && part.size() <= max_characters_) {
        const Pieces& pieces = begin == 0 ? first_ : rest_;
        std::size_t length = std::min(pieces.longest(), part.size() - begin);
        const std::int64_t* id = nullptr;
        while (length > 0 && (id = pieces.find(part.substr(begin, length))) == nullptr) {
            --length;
        }
        if (id == nullptr) {
            break;
        }
        ids.push_back(*id);
        begin += length;
    }
    if (begin < part.size()) {
        ids.resize(before);
        ids.push_back(unknown_);
    }
}

}  // namespace privrag
