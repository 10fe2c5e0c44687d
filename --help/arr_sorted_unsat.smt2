(set-logic ALIA)
(declare-const a (Array Int Int))(assert (forall ((i Int) (j Int)) (=> (and (<= 0 i) (<= i j)) (<= (select a i) (select a j)))))(declare-const k Int)(assert (> k 3))(assert (< (select a k) (select a 1)))
(check-sat)
