(set-logic UF)
(declare-sort U 0)(declare-fun R (U U) Bool)(assert (forall ((x U) (y U) (z U)) (=> (and (R x y) (R y z)) (R x z))))(declare-const a0 U)(declare-const a1 U)(declare-const a2 U)(declare-const a3 U)(declare-const a4 U)(declare-const a5 U)(declare-const a6 U)(declare-const a7 U)(declare-const a8 U)(declare-const a9 U)(assert (R a0 a1))(assert (R a1 a2))(assert (R a2 a3))(assert (R a3 a4))(assert (R a4 a5))(assert (R a5 a6))(assert (R a6 a7))(assert (R a7 a8))(assert (R a8 a9))(assert (not (R a9 a0)))
(check-sat)
