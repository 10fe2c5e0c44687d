; expect: safe
; Cells are cleared up to a bound: indices are words.
(set-logic HORN)
(declare-fun loop ((_ BitVec 8) (_ BitVec 8) (Array (_ BitVec 8) Int)) Bool)
(assert (forall ((n (_ BitVec 8)) (a (Array (_ BitVec 8) Int))) (loop #x00 n a)))
(assert (forall ((i (_ BitVec 8)) (n (_ BitVec 8)) (a (Array (_ BitVec 8) Int)))
  (=> (and (loop i n a) (bvult i n)) (loop (bvadd i #x01) n (store a i 0)))))
(assert (forall ((i (_ BitVec 8)) (n (_ BitVec 8)) (a (Array (_ BitVec 8) Int)) (k (_ BitVec 8)))
  (=> (and (loop i n a) (not (bvult i n)) (bvult k n) (not (= (select a k) 0))) false)))
(check-sat)
