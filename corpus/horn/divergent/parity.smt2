; expect: safe
; engines: pdr duality
; Two steps at a time never meet an odd number; no interval says so.
(set-logic HORN)
(declare-fun r (Int) Bool)
(assert (r 0))
(assert (forall ((i Int) (n Int))
  (=> (and (r i) (< i n)) (r (+ i 2)))))
(assert (forall ((i Int) (n Int))
  (=> (and (r i) (not (< i n)) (= i 41)) false)))
(check-sat)
