; expect: unsafe
; engines: bits-ic3 bits-bmc int-pdr
; A sum of signed bytes that becomes negative: over integers it never would.
(set-logic HORN)
(declare-fun sum ((_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (=> (= x #x40) (sum x))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
  (=> (and (sum x) (bvsle #x10 y) (bvsle y #x20)) (sum (bvadd x y)))))
(assert (forall ((x (_ BitVec 8))) (=> (and (sum x) (bvslt x #x00)) false)))
(check-sat)
