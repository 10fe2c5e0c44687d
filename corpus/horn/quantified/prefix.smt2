; expect: safe
; engines: pdr
; An array is filled with ones from the left; the query has that all cells so far are one, and one that is not.
(set-logic HORN)
(declare-fun Cell (Int Int (Array Int Int)) Bool)
(assert (forall ((i Int) (n Int) (a (Array Int Int)))
  (=> (and (<= 0 i) (< i n) (= (select a i) 1)) (Cell i n a))))
(assert (forall ((k Int) (n Int) (a (Array Int Int)))
  (=> (and (forall ((i Int)) (=> (and (<= 0 i) (< i n)) (Cell i n a)))
           (<= 0 k) (< k n) (< (select a k) 0))
      false)))
(check-sat)
