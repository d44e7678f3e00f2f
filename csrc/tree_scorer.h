// Scores many variants of a prompt on a llama.cpp context, each shared token computed once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "batch_plan.h"
#include "llama.h"
#include "token_sequences.h"

namespace privrag {

struct ScorerOptions {
    int32_t n_ctx = 8192;      // cells of the KV cache, shared by all sequences
    int32_t n_batch = 512;     // tokens per decode, and per ubatch
    int32_t n_seq_max = 64;    // sequences alive at once; llama.cpp allows 256
    int32_t n_outputs = 256;   // logits rows alive at once
    int32_t n_threads = 0;     // 0: as many as the machine has cores
    int32_t n_gpu_layers = 0;  // negative: all
    bool flash_attention = true;
    bool kv_float32 = false;   // KV cache in F32 instead of F16
};

struct Scores {
    std::vector<float> log_probs;      // continuation tokens of all variants, one after another
    std::vector<int64_t> offsets;      // [count + 1] into log_probs
    std::vector<double> sums;          // [count], nats
    int64_t asked = 0;                 // sum of the variants' lengths
    int64_t unique = 0;                // nodes of their prefix tree
    int64_t evaluated = 0;             // tokens computed
    int64_t reused = 0;                // tokens that an earlier call had left in the cache
};

struct Draft {
    std::vector<int32_t> tokens;
    std::vector<float> log_probs;
    bool finished = false;  // ended by an end-of-generation token, not by max_tokens
};

struct LlamaError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Thrown when the caller's stop check asks for it; the scorer stays usable.
struct Stopped : std::runtime_error {
    Stopped() : std::runtime_error("stopped") {}
};

// Called between batches; true asks to stop. May throw.
using StopCheck = std::function<bool()>;
using TokenSink = std::function<void(int32_t)>;

class TreeScorer {
public:
    // Throws LlamaError if the file is no model that llama.cpp loads.
    TreeScorer(const std::string& model_path, const ScorerOptions& options);

    // Throws TooLong, LlamaError, Stopped. One call at a time; others wait.
    Scores score(const TokenSequences& sequences, const StopCheck& stop);

    // Greedy continuation of a prompt of at least one token. `sink` sees every token as it comes.
    Draft draft(const std::vector<int32_t>& prompt, int32_t max_tokens, const StopCheck& stop,
                const TokenSink& sink);

    const llama_model* model() const { return model_.get(); }
    const llama_vocab* vocab() const { return vocab_; }
    int32_t n_ctx() const { return limits_.cells; }
    // Frees the context once the running call is over; every later call throws LlamaError.
    void close();
    // Frees the weights. Only after close(), and not while another thread uses vocab() or model().
    void free_model();
    bool closed() const { return context_ == nullptr; }

private:
    struct FreeModel {
        void operator()(llama_model* model) const { llama_model_free(model); }
    };
    struct FreeContext {
        void operator()(llama_context* context) const { llama_free(context); }
    };
    class TokenBatch;

    Scores score_tree(const TokenSequences& sequences, const StopCheck& stop);
    Scores score_separately(const TokenSequences& sequences, const StopCheck& stop);
    void start_wave(const PrefixTree& tree, const Wave& wave);
    void decode(const PrefixTree& tree, const Wave& wave, const Batch& batch,
                std::vector<double>& node_log_probs);
    void decode_tokens(const int32_t* tokens, int32_t count, int32_t position);
    void run_decode();
    void keep(const PrefixTree& tree, const Wave& wave);
    void forget();
    void require_open() const;

    std::mutex mutex_;
    std::unique_ptr<llama_model, FreeModel> model_;
    std::unique_ptr<llama_context, FreeContext> context_;
    std::shared_ptr<TokenBatch> batch_;
    const llama_vocab* vocab_ = nullptr;
    size_t n_vocab_ = 0;
    BatchLimits limits_{};
    bool shares_cells_ = true;  // false where the model's memory is recurrent

    // The one path that the last call left in the cache, under this sequence id.
    std::vector<int32_t> kept_tokens_;
    llama_seq_id kept_sequence_ = 0;

    // Scored children of each node as a linked list: reused between calls.
    std::vector<int32_t> first_scored_;
    std::vector<int32_t> next_scored_;
};

}  // namespace privrag
