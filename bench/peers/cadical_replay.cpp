// Repeats the calls that the example `ic3_record` wrote down, with CaDiCaL's library.
//
// Usage: cadical_replay TRACE [--constrain]. The format is described in crates/sat/examples/ic3/trace.rs.
// Groups are activation literals; releasing one adds its negation. A temporary clause has an
// activation literal of its own for the one query, or, with --constrain, is CaDiCaL's constraint.
// Domains mean nothing to CaDiCaL. Time is processor time of everything after the circuit is encoded.

#include <cadical.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/resource.h>
#include <vector>

enum Op { SOLVER, VARIABLES, GATE, CLAUSE, GROUP, GROUP_CLAUSE, RELEASE, KEEP, DOMAIN, QUERY };

static double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
         1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

struct Side {
  CaDiCaL::Solver solver;
  int variables = 0;
  std::vector<int> groups;

  int fresh() { return ++variables; }
  static int literal(uint32_t code) {
    int var = static_cast<int>(code >> 1) + 1;
    return code & 1 ? -var : var;
  }
  void clause(const std::vector<uint32_t> &codes) {
    for (uint32_t code : codes) solver.add(literal(code));
  }
};

int main(int argc, char **argv) {
  const char *path = nullptr;
  bool constrain = false;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--constrain")) constrain = true;
    else path = argv[i];
  }
  FILE *file = path ? fopen(path, "rb") : nullptr;
  if (!file) {
    fprintf(stderr, "usage: cadical_replay TRACE [--constrain]\n");
    return 4;
  }
  std::vector<uint32_t> words;
  uint32_t buffer[4096];
  for (size_t n; (n = fread(buffer, 4, 4096, file)) > 0;) words.insert(words.end(), buffer, buffer + n);
  fclose(file);

  std::vector<std::unique_ptr<Side>> sides;
  Side *side = nullptr;
  uint64_t gates = 0, queries = 0, sat = 0, wrong = 0;
  double began = -1;
  size_t at = 0;
  std::vector<uint32_t> first, second, third;
  auto list = [&](std::vector<uint32_t> &into) {
    size_t length = words.at(at++);
    into.assign(words.begin() + at, words.begin() + at + length);
    at += length;
  };
  while (at < words.size()) {
    switch (words[at++]) {
    case SOLVER: {
      size_t index = words.at(at++);
      while (sides.size() <= index) sides.push_back(std::make_unique<Side>());
      side = sides[index].get();
      break;
    }
    case VARIABLES:
      side->variables = words.at(at++);
      break;
    case GATE: {
      int out = Side::literal(words.at(at)), left = Side::literal(words.at(at + 1)),
          right = Side::literal(words.at(at + 2));
      at += 3;
      gates++;
      for (int lit : {-out, left, 0, -out, right, 0, out, -left, -right, 0}) side->solver.add(lit);
      break;
    }
    case CLAUSE:
      list(first);
      side->clause(first);
      side->solver.add(0);
      break;
    case GROUP: {
      if (began < 0) began = cpu_seconds();
      size_t name = words.at(at++);
      if (side->groups.size() <= name) side->groups.resize(name + 1);
      side->groups[name] = side->fresh();
      break;
    }
    case GROUP_CLAUSE: {
      size_t name = words.at(at++);
      list(first);
      side->clause(first);
      side->solver.add(-side->groups.at(name));
      side->solver.add(0);
      break;
    }
    case RELEASE:
      side->solver.add(-side->groups.at(words.at(at++)));
      side->solver.add(0);
      break;
    case KEEP:
    case DOMAIN:
      list(first);
      break;
    case QUERY: {
      uint32_t expected = words.at(at++);
      list(first);
      list(second);
      list(third);
      int activation = 0;
      if (!third.empty() && constrain) {
        for (uint32_t code : third) side->solver.constrain(Side::literal(code));
        side->solver.constrain(0);
      } else if (!third.empty()) {
        activation = side->fresh();
        side->clause(third);
        side->solver.add(-activation);
        side->solver.add(0);
      }
      for (uint32_t name : first) side->solver.assume(side->groups.at(name));
      if (activation) side->solver.assume(activation);
      for (uint32_t code : second) side->solver.assume(Side::literal(code));
      uint32_t answer = side->solver.solve() == 10;
      if (activation) {
        side->solver.add(-activation);
        side->solver.add(0);
      }
      queries++;
      sat += answer;
      wrong += answer != expected;
      break;
    }
    default:
      fprintf(stderr, "the trace is damaged\n");
      return 4;
    }
  }
  double seconds = cpu_seconds() - began;
  printf("gates %llu queries %llu sat %llu wrong %llu seconds %.3f us %.2f\n",
         (unsigned long long)(gates / (sides.empty() ? 1 : sides.size())), (unsigned long long)queries,
         (unsigned long long)sat, (unsigned long long)wrong, seconds, 1e6 * seconds / queries);
  return wrong > 0;
}
