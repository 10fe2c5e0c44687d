(set-logic ALIA)
(declare-const a (Array Int Int))(assert (forall ((i Int) (j Int)) (=> (and (<= 0 i) (<= i j) (< j 10)) (<= (select a i) (select a j)))))(assert (< (select a 2) (select a 5)))
(check-sat)
