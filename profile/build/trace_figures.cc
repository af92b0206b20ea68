#include "profile/build/trace_figures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "wire/trace_bucket.h"

namespace walkabout::profile {
namespace {

using recording::TraceFigures;
using recording::TraceTotals;
using Buckets = std::map<uint32_t, uint64_t>;

uint64_t sum_of(const TraceTotals::Spread& spread) {
  uint64_t sum = 0;
  for (const auto& [bucket, calls] : spread) sum += calls;
  return sum;
}

uint64_t without(uint64_t time, double probes_ns) {
  constexpr double kTooMuch = 1e19;
  const uint64_t probes = probes_ns >= kTooMuch ? UINT64_MAX : static_cast<uint64_t>(probes_ns);
  return time > probes ? time - probes : 0;
}

uint64_t key_of(base::ThreadId thread, uint32_t node) { return uint64_t{thread.value} << 32 | node; }

uint64_t middle_of(uint32_t bucket) {
  const uint64_t begin = wire::trace_bucket_begin(bucket);
  if (bucket + 1 >= wire::kTraceBuckets) return begin;
  return begin + (wire::trace_bucket_begin(bucket + 1) - begin) / 2;
}

// The duration that so great a share of the calls is below.
uint64_t percentile(const Buckets& buckets, double share) {
  uint64_t all = 0;
  for (const auto& [bucket, calls] : buckets) all += calls;
  const auto wanted = static_cast<uint64_t>(std::ceil(static_cast<double>(all) * share));
  uint64_t seen = 0;
  for (const auto& [bucket, calls] : buckets) {
    seen += calls;
    if (seen >= wanted) return middle_of(bucket);
  }
  return 0;
}

// probe_ns: what each call has of its own probe.
void set_durations(const Buckets& buckets, double probe_ns, CallFigures& figures) {
  const auto duration = [&](double share) {
    const uint64_t time = percentile(buckets, share);
    return without(std::clamp(time, figures.least, std::max(figures.least, figures.most)), probe_ns);
  };
  if (!buckets.empty()) {
    figures.spread_known = true;
    figures.median = duration(0.5);
    figures.p99 = duration(0.99);
  }
  figures.least = without(figures.least, probe_ns);
  figures.most = without(figures.most, probe_ns);
}

// Calls that were not timed have no longest one.
void add_durations(uint64_t least, uint64_t most, CallFigures& to) {
  if (most == 0) return;
  to.least = to.most == 0 ? least : std::min(to.least, least);
  to.most = std::max(to.most, most);
}

// What does not go up the tree.
void add_own(const TraceFigures& from, const RowFigures& row, CallFigures& to) {
  add_durations(from.least, from.most, to);
  to.calls += from.calls;
  to.exceptions += from.exceptions;
  to.self += row.self;
  to.raw_self += from.self;
  to.self_cpu += row.self_cpu;
  to.waiting += from.waiting;
  to.allocated += from.allocated;
}

// Visits the nodes so that it knows which have none of their method above them.
class OuterNodes {
 public:
  explicit OuterNodes(const Traces& traces)
      : nodes_(traces.nodes), first_(nodes_.size()), next_(nodes_.size()), open_(traces.methods.size()) {
    for (size_t i = nodes_.size(); i-- > 1;) {
      next_[i] = first_[nodes_[i].parent];
      first_[nodes_[i].parent] = static_cast<uint32_t>(i);
    }
  }

  template <typename Visit>
  void each(Visit visit) {
    uint32_t node = first_[0];
    while (node != 0) {
      if (open_[nodes_[node].method]++ == 0) visit(node);
      if (first_[node] != 0) {
        node = first_[node];
        continue;
      }
      for (;;) {
        --open_[nodes_[node].method];
        if (next_[node] != 0) break;
        node = nodes_[node].parent;
        if (node == 0) return;
      }
      node = next_[node];
    }
  }

 private:
  const std::vector<TracedNode>& nodes_;
  std::vector<uint32_t> first_, next_;
  std::vector<uint32_t> open_;  // by method: calls of it on the way from the root
};

void sum_up_methods(const TraceTotals& totals, double probe_ns, Traces& traces) {
  for (size_t i = 1; i < traces.nodes.size(); ++i) {
    const CallFigures& from = traces.nodes[i].figures;
    CallFigures& to = traces.methods[traces.nodes[i].method].figures;
    add_durations(from.least, from.most, to);
    to.calls += from.calls;
    to.exceptions += from.exceptions;
    to.self += from.self;
    to.raw_self += from.raw_self;
    to.self_cpu += from.self_cpu;
    to.allocated += from.allocated;
  }
  OuterNodes(traces).each([&traces](uint32_t node) {
    const CallFigures& from = traces.nodes[node].figures;
    CallFigures& to = traces.methods[traces.nodes[node].method].figures;
    to.total += from.total;
    to.raw_total += from.raw_total;
    to.total_cpu += from.total_cpu;
    to.waiting += from.waiting;
  });
  std::unordered_map<uint32_t, Buckets> by_method;
  for (const auto& [node, spread] : totals.spreads()) {
    for (const auto& [bucket, calls] : spread) by_method[traces.nodes[node].method][bucket] += calls;
  }
  for (size_t i = 0; i < traces.methods.size(); ++i) {
    const auto buckets = by_method.find(static_cast<uint32_t>(i));
    set_durations(buckets == by_method.end() ? Buckets() : buckets->second, probe_ns,
                  traces.methods[i].figures);
  }
}

}  // namespace

std::vector<double> timed_shares(const TraceTotals& totals) {
  std::vector<double> shares(totals.nodes().size(), 1.0);
  std::vector<uint64_t> calls(shares.size());
  for (const TraceTotals::Row& row : totals.rows()) calls[row.node] += row.figures.calls;
  const std::vector<uint64_t>& untimed = totals.state().untimed;
  for (size_t i = 1; i < shares.size(); ++i) {
    if (calls[i] == 0 || !std::binary_search(untimed.begin(), untimed.end(), totals.nodes()[i].method))
      continue;
    const auto spread = totals.spreads().find(static_cast<uint32_t>(i));
    const uint64_t timed = spread == totals.spreads().end() ? 0 : sum_of(spread->second);
    shares[i] = std::min(1.0, static_cast<double>(timed) / static_cast<double>(calls[i]));
  }
  return shares;
}

std::vector<RowFigures> without_probes(const TraceTotals& totals, const std::vector<double>& timed) {
  const double inside = static_cast<double>(totals.state().probe_inside_ps) / 1000;
  const double outside = static_cast<double>(totals.state().probe_outside_ps) / 1000;
  std::unordered_map<uint64_t, double> called;  // by thread and node: timed calls that it made
  for (const TraceTotals::Row& row : totals.rows()) {
    const uint32_t parent = totals.nodes()[row.node].parent;
    called[key_of(row.thread, parent)] += static_cast<double>(row.figures.calls) * timed[row.node];
  }
  std::vector<RowFigures> figures;
  figures.reserve(totals.rows().size());
  for (const TraceTotals::Row& row : totals.rows()) {
    const auto callees = called.find(key_of(row.thread, row.node));
    const double probes = static_cast<double>(row.figures.calls) * timed[row.node] * inside +
                          (callees == called.end() ? 0 : callees->second * outside);
    figures.push_back({without(row.figures.self, probes), without(row.figures.self_cpu, probes)});
  }
  return figures;
}

void sum_up(const TraceTotals& totals, const std::vector<RowFigures>& rows, Traces& traces) {
  for (size_t i = 0; i < rows.size(); ++i)
    add_own(totals.rows()[i].figures, rows[i], traces.nodes[totals.rows()[i].node].figures);
  for (size_t i = traces.nodes.size(); i-- > 1;) {
    CallFigures& own = traces.nodes[i].figures;
    own.total += own.self;
    own.raw_total += own.raw_self;
    own.total_cpu += own.self_cpu;
    CallFigures& parent = traces.nodes[traces.nodes[i].parent].figures;
    parent.total += own.total;
    parent.raw_total += own.raw_total;
    parent.total_cpu += own.total_cpu;
  }
  traces.nodes[0].figures = {};
  const double probe_ns = static_cast<double>(totals.state().probe_inside_ps) / 1000;
  sum_up_methods(totals, probe_ns, traces);
  for (size_t i = 1; i < traces.nodes.size(); ++i) {
    const auto spread = totals.spreads().find(static_cast<uint32_t>(i));
    Buckets buckets;
    if (spread != totals.spreads().end()) buckets.insert(spread->second.begin(), spread->second.end());
    set_durations(buckets, probe_ns, traces.nodes[i].figures);
  }
}

}  // namespace walkabout::profile
