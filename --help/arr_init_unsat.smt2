(set-logic AUFLIA)
(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const n Int)(assert (forall ((i Int)) (=> (and (<= 0 i) (< i n)) (= (select a i) 0))))(assert (= b (store a n 0)))(assert (exists ((i Int)) (and (<= 0 i) (<= i n) (distinct (select b i) 0))))
(check-sat)
