//! Compiled programs mean what `eval` means: on random terms, values and errors alike.

use alphorn_term::eval::Program;
use alphorn_term::{Model, TermId, Value, eval};
use alphorn_testkit::terms::World;

#[test]
fn programs_agree_with_eval() {
    for seed in 0..4 {
        let mut world = World::new(seed).with_vars(2).with_values(2);
        let mut made: Vec<TermId> = Vec::new();
        for step in 0..400 {
            let (op, args) = world.application();
            let mut term = world.store.app(op, &args).expect("generated terms are well-sorted");
            if step % 10 == 0 && world.store.sort(term) == alphorn_term::SortId::BOOL {
                let sort = world.rng.pick(&world.finite.clone());
                let var = world.vars[2 * world.position(sort)];
                term = world.store.exists(&[var], term);
            }
            world.add(term);
            made.push(term);
        }
        // Half of the variables are inputs, the others come from the model.
        let inputs: Vec<TermId> = world.vars.iter().copied().step_by(2).collect();
        let mut program = Program::new(&world.store, &inputs, &made);
        for round in 0..6 {
            let mut model = world.model();
            if round % 2 == 0 {
                model.choices = Default::default();
            }
            if round % 3 == 0 {
                model.vars.remove(&world.vars[1]);
            }
            let values: Vec<Value> = inputs.iter().map(|var| model.vars[var].clone()).collect();
            let without: Model = Model {
                vars: model
                    .vars
                    .iter()
                    .filter(|(var, _)| !inputs.contains(var))
                    .map(|(&var, value)| (var, value.clone()))
                    .collect(),
                ..model.clone()
            };
            program.run(&world.store, &values, &without);
            for (at, &term) in made.iter().enumerate() {
                let expected = eval(&world.store, term, &model);
                assert_eq!(program.output(at), expected.as_ref(), "{}", world.store.show(term));
                if world.store.sort(term) == alphorn_term::SortId::BOOL {
                    let holds = expected.map(|value| value == Value::Bool(true));
                    assert_eq!(program.holds(at), holds);
                }
            }
        }
    }
}
