; expect: safe
; engines: recursion-free
; Two steps of one or two go up: the predicate of a step is used twice in one body, so that each use
; gets its own copy. After the example of succinct expansion in Hojjat's thesis (EPFL 2013).
(set-logic HORN)
(declare-fun step (Int Int) Bool)
(declare-fun twice (Int Int) Bool)
(assert (forall ((x Int)) (step x (+ x 1))))
(assert (forall ((x Int)) (step x (+ x 2))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (step x y) (step y z)) (twice x z))))
(assert (forall ((x Int) (z Int)) (=> (and (twice x z) (>= x 0) (<= z 0)) false)))
(check-sat)
