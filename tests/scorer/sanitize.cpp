// Runs tree, plan, spans, restorer and scorer on random input, to be built with AddressSanitizer and UBSan.
// Usage: sanitize MODEL.gguf. Exits 0 where every check held.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "log_softmax.h"
#include "restorer.h"
#include "span_decoder.h"
#include "tree_scorer.h"

namespace {

using privrag::BatchLimits;
using privrag::PrefixTree;
using privrag::TokenSequences;

std::mt19937 rng(7);  // NOLINT: seeded, so that a failure can be seen again

int32_t pick(int32_t low, int32_t high) {
    return std::uniform_int_distribution<int32_t>(low, high)(rng);
}

void check(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "failed: %s\n", what);
        std::exit(1);
    }
}

struct Variants {
    std::vector<int32_t> tokens;
    std::vector<int64_t> offsets{0};
    std::vector<int32_t> prompt_lengths;

    TokenSequences view() const {
        return {tokens.data(), offsets.data(), prompt_lengths.data(), prompt_lengths.size()};
    }
};

Variants random_variants(int32_t count, int32_t values, int32_t longest) {
    Variants variants;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t length = pick(1, longest);
        for (int32_t t = 0; t < length; ++t) {
            variants.tokens.push_back(3 + pick(0, values - 1));
        }
        variants.offsets.push_back(static_cast<int64_t>(variants.tokens.size()));
        variants.prompt_lengths.push_back(pick(1, length));
    }
    return variants;
}

void plans() {
    for (int round = 0; round < 2000; ++round) {
        const auto variants = random_variants(pick(0, 20), pick(1, 3), 12);
        const PrefixTree tree(variants.view());
        std::vector<int32_t> trunk;
        std::vector<double> known;
        for (int32_t i = pick(0, 12); i > 0; --i) {
            trunk.push_back(3 + pick(0, 2));
            known.push_back(pick(0, 1) ? -1.0 : std::nan(""));
        }
        const BatchLimits limits{pick(12, 40), pick(1, 9), pick(1, 6), pick(1, 9)};
        const auto path = privrag::reusable_path(tree, trunk, known);
        const auto plan = privrag::plan_batches(tree, path, limits);
        check(plan.evaluated + plan.reused == static_cast<int64_t>(tree.nodes().size()),
              "each node is evaluated or reused");
    }
}

void rows() {
    for (size_t size : {size_t{1}, size_t{15}, size_t{16}, size_t{1023}, size_t{1025}, size_t{49152}}) {
        std::vector<float> row(size);
        double expected = 0;
        for (auto& logit : row) {
            logit = static_cast<float>(pick(-3000, 3000)) / 100.0f;
        }
        for (const float logit : row) {
            expected += std::exp(static_cast<double>(logit) - 30.0);
        }
        const double got = privrag::log_sum_exp(row.data(), size);
        check(std::abs(got - (30.0 + std::log(expected))) < 1e-5, "log_sum_exp");
    }
}

void spans() {
    for (int round = 0; round < 300; ++round) {
        const int64_t words = pick(0, 9), width = pick(1, 5), labels = pick(1, 4);
        std::vector<float> logits(static_cast<size_t>(words * width * labels));
        for (auto& logit : logits) {
            logit = static_cast<float>(pick(-3, 3));
        }
        const std::vector<float> thresholds(static_cast<size_t>(labels), 0.5f);
        for (const bool flat : {true, false}) {
            for (const bool multi : {true, false}) {
                privrag::decode_spans(logits.data(), words, width, labels, thresholds.data(), flat,
                                      multi);
            }
        }
    }
}

void scores(const char* model) {
    privrag::ScorerOptions options;
    options.n_ctx = 256;
    options.n_batch = 32;
    options.n_seq_max = 4;
    options.n_trunks = 3;
    options.n_threads = 1;
    privrag::TreeScorer scorer(model, options);
    for (int round = 0; round < 60; ++round) {
        const auto variants = random_variants(pick(0, 9), 4, 30);
        const auto result = scorer.score(variants.view(), [] { return false; });
        for (const float log_prob : result.log_probs) {
            check(log_prob <= 0.0f && std::isfinite(log_prob), "a log-probability");
        }
        try {
            scorer.score(variants.view(), [] { return true; });
        } catch (const privrag::Stopped&) {
        }
        const std::vector<int32_t> prompt(variants.tokens.begin(),
                                          variants.tokens.begin() +
                                              std::min<std::ptrdiff_t>(
                                                  20, static_cast<std::ptrdiff_t>(
                                                          variants.tokens.size())));
        if (!prompt.empty()) {
            scorer.draft(prompt, pick(0, 5), [] { return false; }, [](int32_t token) { return token % 7 == 0; });
        }
    }
    scorer.close();
}

std::u32string random_text() {
    static const std::u32string pieces[] = {
        U"[",  U"]",       U"\\",  U"_",  U" ",      U"{",      U"\u00ab", U"\u00bb", U"PERSON",
        U"ID", U"Person_1", U"ID_2", U"1",  U"123456", U"0",      U"\"",     U"\\u00", U"\\n",
        U"\u3010", U"\uff11", U"-", U"*", U"id",     U"\u0661", U"",        U"x",      U"."};
    std::u32string text;
    for (int32_t i = pick(0, 30); i > 0; --i) {
        text += pieces[static_cast<size_t>(pick(0, static_cast<int32_t>(std::size(pieces)) - 1))];
    }
    return text;
}

void restorer() {
    const std::vector<privrag::Placeholder> known = {
        {U"PERSON", U"person", 1}, {U"ID", U"id", 2}, {U"ID_2", U"id_2", 1}};
    for (int round = 0; round < 20000; ++round) {
        const bool json = pick(0, 1) == 1;
        privrag::Restorer whole(known, {U"a\"", U"\n", U""}, json);
        privrag::Restorer pieces(known, {U"a\"", U"\n", U""}, json);
        const std::u32string text = random_text();
        std::u32string restored;
        for (size_t at = 0; at < text.size();) {
            const auto length = static_cast<size_t>(pick(0, 4));
            restored += pieces.feed(std::u32string_view(text).substr(at, length));
            at += length;
        }
        restored += pieces.flush();
        std::u32string expected = whole.feed(text);
        expected += whole.flush();
        check(expected == restored, "pieces give what the whole gives");
        check(whole.unknown() == pieces.unknown(), "and report the same");
        for (const auto& [start, end] : whole.find(text)) {
            check(start < end && end <= text.size(), "spans lie in the text");
        }
    }
}

}  // namespace

int main(int, char** arguments) {
    plans();
    rows();
    spans();
    restorer();
    scores(arguments[1]);
    return 0;
}
