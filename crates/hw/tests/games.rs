//! Safety games: engines against brute force, and the examples of the literature.

use alphorn_check::accept::accept;
use alphorn_engine::{Card, Ctx, Stopper};
use alphorn_hw::engines::GAME_ENGINES;
use alphorn_hw::games::settle_game;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::evidence::game::Controller;
use alphorn_problem::{Game, Verdict};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, or};
use alphorn_testkit::circuit::games::{judge, random_game};

#[test]
fn engines_agree_with_brute_force_on_random_games() {
    for seed in 0..200 {
        let game = random_game(&mut Rng::new(seed));
        for card in engines() {
            judge(&game, card, settle_game).expect("there is no limit");
        }
    }
}

/// An arbiter of two clients that may be late by a step, or not at all.
fn arbiter(is_late: bool) -> Game {
    // Requests 0 and 1, grants 2 and 3, and what is pending.
    let mut made = circuit(4, 2);
    let (request, grant) = ([made.input(0), made.input(1)], [made.input(2), made.input(3)]);
    let mut error = and(&mut made, grant[0], grant[1]);
    for client in 0..2 {
        let pending = made.latch(client);
        let waits = if is_late { pending } else { request[client] };
        let missed = and(&mut made, waits, !grant[client]);
        error = or(&mut made, error, missed);
        made.latches[client].next = and(&mut made, request[client], !grant[client]);
    }
    made.bads = vec![error];
    Game::new(made, vec![false, false, true, true]).expect("it is a game")
}

/// The engines for games that are circuits.
fn engines() -> impl Iterator<Item = &'static Card<Game>> {
    GAME_ENGINES.iter().filter(|card| card.refutes)
}

fn decided(game: &Game, engine: &Card<Game>) -> Verdict<Game> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink);
    let finding = (engine.build)().run(game, &mut ctx).expect("no limit");
    settle_game(game, finding, &mut ctx).expect("it is proved")
}

#[test]
fn a_late_arbiter_needs_no_gate_and_one_that_is_never_late_is_impossible() {
    for engine in engines() {
        let game = arbiter(true);
        let verdict = decided(&game, engine);
        let Verdict::Safe(Controller { circuit, .. }) = &verdict else { panic!("it is won") };
        assert_eq!(circuit.ands.len(), 0, "grants follow what is pending");
        accept(&game, (), verdict).expect("accepted");
        let game = arbiter(false);
        let verdict = decided(&game, engine);
        assert!(matches!(&verdict, Verdict::Unsafe(found) if found.steps == 1));
        accept(&game, (), verdict).expect("accepted");
    }
}

#[test]
fn what_is_uncontrollable_and_unused_does_no_harm() {
    let mut made = circuit(3, 1);
    made.bads = vec![made.latch(0)];
    made.latches[0].next = Lit::new(2, true);
    let game = Game::new(made, vec![false, true, false]).expect("it is a game");
    for engine in engines() {
        let verdict = decided(&game, engine);
        assert!(matches!(verdict, Verdict::Safe(_)));
        accept(&game, (), verdict).expect("accepted");
    }
}

#[test]
fn a_constant_is_preferred_where_it_wins() {
    // What is asked for must be granted a step later, and granting always is allowed.
    let mut made = circuit(2, 1);
    let (request, grant, pending) = (made.input(0), made.input(1), made.latch(0));
    made.latches[0].next = request;
    let missed = and(&mut made, pending, !grant);
    made.bads = vec![missed];
    let game = Game::new(made, vec![false, true]).expect("it is a game");
    let diagrams = GAME_ENGINES.iter().find(|card| card.name == "game-bdd");
    let verdict = decided(&game, diagrams.expect("it is an engine"));
    let Verdict::Safe(Controller { circuit, .. }) = &verdict else { panic!("it is won") };
    assert_eq!(circuit.outputs, vec![Lit::TRUE]);
    accept(&game, (), verdict).expect("accepted");
}

#[test]
fn promises_that_the_environment_breaks_end_the_game() {
    // The environment promises never to raise its input; a grant without that is an error, and one is asked for.
    let mut made = circuit(2, 1);
    let (raised, grant, broken) = (made.input(0), made.input(1), made.latch(0));
    let now = or(&mut made, broken, raised);
    made.latches[0].next = now;
    let missed = and(&mut made, !grant, !now);
    made.bads = vec![missed];
    let game = Game::new(made.clone(), vec![false, true]).expect("it is a game");
    let both = and(&mut made, grant, !now);
    made.bads.push(both);
    let hopeless = Game::new(made, vec![false, true]).expect("it is a game");
    for engine in engines() {
        let verdict = decided(&game, engine);
        assert!(matches!(verdict, Verdict::Safe(_)));
        accept(&game, (), verdict).expect("accepted");
        let verdict = decided(&hopeless, engine);
        assert!(matches!(verdict, Verdict::Unsafe(_)));
        accept(&hopeless, (), verdict).expect("accepted");
    }
}

#[test]
fn a_counter_that_need_not_run_stays_at_rest_until_promises_are_broken() {
    // Latches 0 to 5 count the steps without a grant for what is asked for, and an error shows when all are set. The
    // environment promises not to raise two inputs at once; when it has (latch 6), grants do not help.
    let mut made = circuit(4, 7);
    let (asks, raised, grant) = (made.input(0), [made.input(1), made.input(2)], made.input(3));
    let broken = made.latch(6);
    let breaks = and(&mut made, raised[0], raised[1]);
    let now = or(&mut made, broken, breaks);
    made.latches[6].next = now;
    let waits = or(&mut made, !grant, now);
    let runs = and(&mut made, asks, waits);
    let (mut carry, mut all) = (runs, !now);
    for bit in 0..6 {
        let latch = made.latch(bit);
        let both = and(&mut made, latch, carry);
        let neither = and(&mut made, !latch, !carry);
        let sum = and(&mut made, !both, !neither);
        made.latches[bit].next = and(&mut made, sum, runs);
        carry = both;
        all = and(&mut made, all, latch);
    }
    made.bads = vec![all];
    let game = Game::new(made, vec![false, false, false, true]).expect("it is a game");
    let diagrams = GAME_ENGINES.iter().find(|card| card.name == "game-bdd");
    let verdict = decided(&game, diagrams.expect("it is an engine"));
    let Verdict::Safe(Controller { certificate, .. }) = &verdict else { panic!("it is won") };
    let Invariant::Clauses(clauses) = &certificate.invariant else { panic!("it is short") };
    // That a bit is not set, or the promises are broken.
    assert!(clauses.iter().all(|clause| clause.len() <= 2), "{clauses:?}");
    accept(&game, (), verdict).expect("accepted");
}
