(set-logic AUFLIA)
(declare-fun a () (Array Int Int))(declare-fun b () (Array Int Int))(declare-const n Int)(assert (forall ((i Int)) (=> (< i n) (= (select a i) (select b i)))))(assert (exists ((i Int)) (and (< i (+ n 1)) (distinct (select (store a n (select b n)) i) (select b i)))))
(check-sat)
