; expect: safe
; engines: vacuous pdr duality la
; Propositional clauses that are Horn clauses once s, q, r, a and p are negated (Hojjat
; 2013). No clause is a fact, so that nothing is derived.
(set-logic HORN)
(declare-fun s () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(declare-fun a () Bool)
(declare-fun p () Bool)
(declare-fun b () Bool)
(assert (=> s a))
(assert (=> a p))
(assert (=> (and p b) false))
(assert (=> (and p r) b))
(assert (=> q p))
(check-sat)
