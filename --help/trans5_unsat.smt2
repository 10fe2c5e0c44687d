(set-logic UF)
(declare-sort U 0)(declare-fun R (U U) Bool)(assert (forall ((x U) (y U) (z U)) (=> (and (R x y) (R y z)) (R x z))))(declare-const a0 U)(declare-const a1 U)(declare-const a2 U)(declare-const a3 U)(declare-const a4 U)(assert (R a0 a1))(assert (R a1 a2))(assert (R a2 a3))(assert (R a3 a4))(assert (not (R a0 a4)))
(check-sat)
