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
    int32_t n_ctx = 4096;      // cells of the KV cache, shared by all sequences
    int32_t n_batch = 512;     // tokens per decode, and per ubatch
    int32_t n_seq_max = 64;    // variants alive at once; with n_trunks at most 256
    int32_t n_outputs = 256;   // logits rows alive at once
    int32_t n_trunks = 4;      // paths of earlier calls that stay in the cache
    int32_t trunk_cells = 0;   // cells that they may hold together; 0: half of n_ctx
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
// Gets a token; true ends the draft.
using TokenSink = std::function<bool(int32_t)>;

class TreeScorer {
public:
    // Throws LlamaError if the file is no model that llama.cpp loads.
    TreeScorer(const std::string& model_path, const ScorerOptions& options);

    // Throws TooLong, LlamaError, Stopped. One call at a time; others wait.
    Scores score(const TokenSequences& sequences, const StopCheck& stop);

    // Greedy continuation of a prompt of at least one token. `sink` sees every token as it comes.
    Draft draft(const std::vector<int32_t>& prompt, int32_t max_tokens, const StopCheck& stop,
                const TokenSink& sink);

    // Log-probability of every token of the vocabulary after each of the last `count` tokens of a
    // path, row by row; 1 <= count <= tokens.size(), and not above max_rows().
    std::vector<float> next_log_probs(const std::vector<int32_t>& tokens, int32_t count,
                                      const StopCheck& stop);
    int32_t max_rows() const { return limits_.outputs; }

    // Writes a path of tokens, computing what is not in the cache, and reads it back as a trunk.
    // The file is llama.cpp's sequence state; whether it fits the model is for the caller to know.
    void save_trunk(const std::string& file, const std::vector<int32_t>& tokens,
                    const StopCheck& stop);
    std::vector<int32_t> load_trunk(const std::string& file);

    const llama_model* model() const { return model_.get(); }
    const llama_vocab* vocab() const { return vocab_; }
    int32_t n_ctx() const { return limits_.cells; }
    // False where the model's memory is recurrent: every variant is then evaluated by itself.
    bool shares_cells() const { return shares_cells_; }
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

    // A path of an earlier call, in the cache under a sequence id of its own.
    struct Trunk {
        std::vector<int32_t> tokens;
        std::vector<double> known;  // log-probability of each token where it was scored, else NaN
        llama_seq_id id;
        uint64_t last_used;
    };

    // What a call takes from a trunk.
    struct Reuse {
        llama_seq_id source = 0;
        std::vector<int32_t> path;  // nodes that are in the cache, root first
        int32_t common = 0;         // of these, nodes of every sequence: they cost no further cells
    };

    Scores score_tree(const TokenSequences& sequences, const StopCheck& stop);
    int32_t longest_of(const TokenSequences& sequences) const;
    // Picks the trunk that serves the tree best and makes room for the longest sequence beside it.
    Reuse reuse_trunk(const PrefixTree& tree, int32_t longest,
                      std::vector<double>& node_log_probs);
    static Scores gather(const PrefixTree& tree, const TokenSequences& sequences,
                         const BatchPlan& plan, const std::vector<double>& node_log_probs);
    Scores score_separately(const TokenSequences& sequences, const StopCheck& stop);
    void link_scored_children(const PrefixTree& tree);
    void start_wave(const PrefixTree& tree, const Wave& wave, llama_seq_id source);
    void decode(const PrefixTree& tree, const Wave& wave, const Batch& batch,
                std::vector<double>& node_log_probs);
    // Puts tokens from `position` on into the cache as sequence 0, with logits for the last one or
    // for all.
    void decode_tokens(const int32_t* tokens, int32_t count, int32_t position, bool all_rows);
    // Appends what may follow the token in `step`: what came after it and its forerunner before.
    // Answers repeat documents and messages, and to check several tokens costs little more than to
    // compute one (prompt lookup decoding, Saxena 2023).
    void append_guess(const std::vector<int32_t>& before, int32_t most,
                      std::vector<int32_t>& step) const;
    // Makes sequence 0 hold the path, from a trunk as far as one reaches.
    void fill(const std::vector<int32_t>& tokens, int32_t room, const StopCheck& stop);
    void run_decode();

    int32_t held_cells() const;
    // Drops the least recently used trunks but `spared` until `cells` are free, or none is left.
    void make_room(int64_t cells, const Trunk* spared);
    void keep_path(const PrefixTree& tree, const Wave& wave,
                   const std::vector<double>& node_log_probs);
    void keep(llama_seq_id source, std::vector<int32_t> tokens, std::vector<double> known);
    void drop(size_t trunk);
    void clear_working_sequences();
    template <typename Call>
    auto guarded(const Call& call) -> decltype(call());
    void require_open() const;

    std::mutex mutex_;
    std::unique_ptr<llama_model, FreeModel> model_;
    std::unique_ptr<llama_context, FreeContext> context_;
    std::shared_ptr<TokenBatch> batch_;
    const llama_vocab* vocab_ = nullptr;
    size_t n_vocab_ = 0;
    BatchLimits limits_{};
    int32_t n_trunks_ = 0;
    int32_t trunk_cells_ = 0;
    bool shares_cells_ = true;  // false where the model's memory is recurrent

    std::vector<Trunk> trunks_;
    uint64_t clock_ = 0;

    // Scored children of each node as a linked list: reused between calls.
    std::vector<int32_t> first_scored_;
    std::vector<int32_t> next_scored_;
};

}  // namespace privrag
