// Replays a recorded trace of queries through Z3's API and reports the time of its calls.
//
//     c++ -O2 -I $Z3/include bench/peers/z3_replay.cpp $Z3/lib/libz3.so -Wl,-rpath,$Z3/lib
//     z3_replay TRACE
//
// All terms of a Horn file are built before its first query. Only the calls that an engine would make are timed:
// check, then the core or a model with the values of the constants asked for.
#include <z3.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

void fail(Z3_context, Z3_error_code code) {
    std::fprintf(stderr, "z3: error %d\n", code);
    std::exit(1);
}

struct Query {
    unsigned solver;
    std::vector<unsigned> literals;
    char expected;
};

/// A solver with its literals; each is assumed by a constant that implies it, because assumptions
/// must be constants.
struct Solver {
    Z3_solver solver;
    std::vector<Z3_ast> literals, switches;
    std::vector<bool> is_asserted;
};

double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

char letter(Z3_lbool answer) {
    return answer == Z3_L_TRUE ? 's' : answer == Z3_L_FALSE ? 'u' : '?';
}

struct Totals {
    unsigned long queries = 0, formulas = 0, agreed = 0, agreed_formulas = 0;
    double queried = 0, decided = 0;
};

/// What belongs to one Horn file, in a context of its own.
class Part {
public:
    explicit Part(bool early) : early(early) {
        Z3_config config = Z3_mk_config();
        context = Z3_mk_context(config);
        Z3_del_config(config);
        Z3_set_error_handler(context, fail);
    }

    ~Part() { Z3_del_context(context); }

    void add_solver(Z3_ast_vector all) {
        Solver entry{Z3_mk_simple_solver(context), {}, {}, {}};
        Z3_solver_inc_ref(context, entry.solver);
        unsigned size = Z3_ast_vector_size(context, all);
        // The first assertion is the constraint; the others are the literals, in order.
        Z3_solver_assert(context, entry.solver, Z3_ast_vector_get(context, all, 0));
        for (unsigned i = 1; i < size; ++i) {
            Z3_ast literal = Z3_ast_vector_get(context, all, i);
            Z3_ast constant = Z3_mk_fresh_const(context, "switch", Z3_mk_bool_sort(context));
            Z3_ast implication = Z3_mk_implies(context, constant, literal);
            entry.literals.push_back(implication);
            entry.switches.push_back(constant);
            entry.is_asserted.push_back(early);
            if (early) Z3_solver_assert(context, entry.solver, implication);
        }
        solvers.push_back(entry);
    }

    void read_block(char kind, char expected, const std::string& text) {
        Z3_ast_vector all = Z3_parse_smtlib2_string(context, text.c_str(), 0, 0, 0, 0, 0, 0);
        Z3_ast_vector_inc_ref(context, all);
        if (kind == 'V') {
            formulas.push_back({all, expected});
        } else {
            add_solver(all);
        }
    }

    void replay(Totals& totals) {
        double begin = seconds();
        for (const Query& query : queries) totals.agreed += query.expected == ask(query);
        totals.queried += seconds() - begin;
        totals.queries += queries.size();
        for (Solver& entry : solvers) Z3_solver_dec_ref(context, entry.solver);
        begin = seconds();
        for (auto& [all, expected] : formulas) {
            Z3_solver solver = Z3_mk_simple_solver(context);
            Z3_solver_inc_ref(context, solver);
            Z3_solver_assert(context, solver, Z3_ast_vector_get(context, all, 0));
            totals.agreed_formulas += expected == letter(Z3_solver_check(context, solver));
            Z3_solver_dec_ref(context, solver);
        }
        totals.decided += seconds() - begin;
        totals.formulas += formulas.size();
    }

    std::vector<Query> queries;

private:
    char ask(const Query& query) {
        Solver& entry = solvers[query.solver];
        assumptions.clear();
        for (unsigned literal : query.literals) {
            if (!entry.is_asserted[literal]) {
                entry.is_asserted[literal] = true;
                Z3_solver_assert(context, entry.solver, entry.literals[literal]);
            }
            assumptions.push_back(entry.switches[literal]);
        }
        Z3_lbool answer = Z3_solver_check_assumptions(context, entry.solver, assumptions.size(),
                                                      assumptions.data());
        if (answer == Z3_L_TRUE) {
            Z3_model model = Z3_solver_get_model(context, entry.solver);
            Z3_model_inc_ref(context, model);
            unsigned size = Z3_model_get_num_consts(context, model);
            for (unsigned i = 0; i < size; ++i) {
                Z3_func_decl constant = Z3_model_get_const_decl(context, model, i);
                Z3_model_get_const_interp(context, model, constant);
            }
            Z3_model_dec_ref(context, model);
        } else if (answer == Z3_L_FALSE) {
            Z3_ast_vector core = Z3_solver_get_unsat_core(context, entry.solver);
            Z3_ast_vector_inc_ref(context, core);
            Z3_ast_vector_dec_ref(context, core);
        }
        return letter(answer);
    }

    bool early;
    Z3_context context;
    std::vector<Solver> solvers;
    std::vector<std::pair<Z3_ast_vector, char>> formulas;
    std::vector<Z3_ast> assumptions;
};

}  // namespace

int main(int count, char** words) {
    if (count < 2) return 2;
    // With `--early` the implications are asserted before the clock starts.
    bool early = count > 2 && std::string(words[2]) == "--early";
    std::ifstream file(words[1]);
    std::unique_ptr<Part> part;
    Totals totals;
    std::string line, text;
    while (std::getline(file, line)) {
        std::istringstream in(line);
        char kind = ' ', expected = '?';
        in >> kind;
        if (kind == 'F') {
            if (part) part->replay(totals);
            part.reset(new Part(early));
        } else if (kind == 'Q') {
            Query query;
            in >> query.solver >> query.expected;
            unsigned literal;
            while (in >> literal) query.literals.push_back(literal);
            part->queries.push_back(query);
        } else if (kind == 'S' || kind == 'V') {
            in >> expected;
            text.clear();
            while (std::getline(file, line) && line != ".") text += line + "\n";
            part->read_block(kind, expected, text);
        }
    }
    if (part) part->replay(totals);
    std::printf("%lu queries, %lu answers as recorded, %.3f s processor, %.0f per second\n",
                totals.queries, totals.agreed, totals.queried, totals.queries / totals.queried);
    std::printf("%lu formulas, %lu answers as recorded, %.3f s processor\n", totals.formulas,
                totals.agreed_formulas, totals.decided);
}
