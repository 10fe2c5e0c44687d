(set-logic UFDT)
(declare-datatypes ((C 0)) (((red) (green) (blue))))(declare-fun next (C) C)(assert (forall ((x C)) (distinct (next x) x)))(assert (forall ((x C) (y C)) (=> (= (next x) (next y)) (= x y))))(assert (= (next (next red)) red))
(check-sat)
