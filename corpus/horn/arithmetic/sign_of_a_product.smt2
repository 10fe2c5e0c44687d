; expect: safe
; engines: houdini
; x counts, and y sums the squares: neither becomes negative, so their product does not.
(set-logic HORN)
(declare-fun sums (Int Int) Bool)
(assert (sums 0 0))
(assert (forall ((x Int) (y Int)) (=> (sums x y) (sums (+ x 1) (+ y (* x x))))))
(assert (forall ((x Int) (y Int)) (=> (and (sums x y) (< (* x y) 0)) false)))
(check-sat)
