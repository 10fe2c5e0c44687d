; expect: safe
; engines: forward
; Clauses as people write them: curried implications, lets over body and head, names, define-fun.
(set-info :status sat)
(set-logic HORN)
(define-fun next ((x Int)) Int (ite (>= x 4) 0 (+ x 1)))
(declare-fun P (Int) Bool)
(assert (! (=> true (P 0)) :named start))
(assert (forall ((x Int)) (let ((y (next x))) (=> (P x) (=> (distinct x y) (P y))))))
(assert (forall ((x Int)) (=> (P x) (<= 0 x 4))))
(check-sat)
(get-model)
