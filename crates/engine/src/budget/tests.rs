//! What a context with a bound passes on, and when it stops.

use super::*;

/// What a context with a bound passes on of some work.
fn events(work: impl FnOnce(&mut Ctx<'_>)) -> Vec<Event> {
    let mut events = Vec::new();
    let mut sink = |event| events.push(event);
    let mut ctx = Ctx::new(1000, Stopper::new(), 0, &mut sink).bounded(Some(3));
    work(&mut ctx);
    events
}

#[test]
fn whoever_comes_to_the_bound_is_stopped() {
    events(|ctx| {
        assert_eq!(ctx.cleared(2), Ok(()));
        assert_eq!(ctx.tick(1), Ok(()));
        assert_eq!(ctx.cleared(3), Err(Stop::Budget(Limit::Bound)));
        assert_eq!(ctx.tick(1), Err(Stop::Budget(Limit::Bound)));
    });
    events(|ctx| {
        // One that does not ask is stopped, too.
        ctx.emit(Event::Bound { depth: 7 });
        assert_eq!(ctx.tick(1), Err(Stop::Budget(Limit::Bound)));
    });
}

#[test]
fn depths_of_other_problems_count_only_if_they_are_in_step() {
    let depth = |depth| Event::Bound { depth };
    let told = events(|ctx| {
        ctx.apart(|ctx| {
            assert_eq!(ctx.cleared(9), Ok(()));
            ctx.in_step(|ctx| assert_eq!(ctx.cleared(9), Ok(())));
        });
        ctx.in_step(|ctx| {
            assert_eq!(ctx.cleared(1), Ok(()));
            assert_eq!(ctx.cleared(3), Err(Stop::Budget(Limit::Bound)));
        });
    });
    assert_eq!(told, [depth(1), depth(3)]);
}
