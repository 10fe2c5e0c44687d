; expect: safe
; engines: int-pdr ideal-pdr
; A recursive procedure that never returns less than it was given, unless the sum overflows, which the
; bound on the argument excludes.
(set-logic HORN)
(declare-fun climb ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((n (_ BitVec 32))) (=> (and (bvsle #x00000000 n) (bvsle n #x00001000)) (climb n n))))
(assert (forall ((n (_ BitVec 32)) (m (_ BitVec 32)) (r (_ BitVec 32)))
  (=> (and (climb n m) (climb m r) (bvslt r #x00001000)) (climb n (bvadd r #x00000001)))))
(assert (forall ((n (_ BitVec 32)) (r (_ BitVec 32))) (=> (and (climb n r) (bvslt r n)) false)))
(check-sat)
