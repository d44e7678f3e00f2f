// WordPiece over ASCII words (Wu et al. 2016, as BERT has it). STL only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace privrag {

struct WordSpan {
    std::size_t begin;
    std::size_t end;
};

// Words and single symbols of text in printable ASCII and white space, as `detection.words` splits it:
// \w+(?:-\w+)*|\S
std::vector<WordSpan> split_words(std::string_view text);

// What `tokenizers` computes with BertNormalizer, BertPreTokenizer and WordPiece, for words of
// which each stands alone: letters made small if so wished, torn apart at punctuation, and each
// part cut into the longest pieces of the vocabulary, from the left; one that cannot be cut, or is
// too long, is unknown as a whole.
class WordPiece {
public:
    // vocabulary: pieces and their ids; one that continues a word begins with "##".
    WordPiece(const std::vector<std::pair<std::string, std::int64_t>>& vocabulary,
              std::int64_t unknown, std::size_t max_characters, bool lowercase);

    // Whether the word is of printable ASCII, which is all that this class reads.
    static bool reads(std::string_view word);

    // Appends the ids of such a word; returns how many.
    std::int64_t encode(std::string_view word, std::vector<std::int64_t>& ids) const;

private:
    // Piece -> id, in one piece of memory: what is not there costs one line of it, and words are
    // looked up when the caches are full of weights.
    class Pieces {
    public:
        void reserve(std::size_t count);
        void add(std::string_view piece, std::int64_t id);
        const std::int64_t* find(std::string_view piece) const;
        std::size_t longest() const { return longest_; }

    private:
        struct Slot {
            std::int64_t id;
            std::uint32_t hash;
            std::uint32_t begin;  // in `text_`
            std::uint32_t size;   // 0 where nothing is
        };

        std::size_t slot_of(std::string_view piece, std::uint32_t hash) const;

        std::vector<Slot> slots_;  // a power of two, at most half of them taken
        std::string text_;
        std::size_t longest_ = 0;
    };

    void encode_part(std::string_view part, std::vector<std::int64_t>& ids) const;

    Pieces first_;
    Pieces rest_;
    std::int64_t unknown_;
    std::size_t max_characters_;
    bool lowercase_;
};

}  // namespace privrag
