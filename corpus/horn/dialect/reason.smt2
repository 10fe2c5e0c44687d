; expect: unsafe
; engines: forward
; Asks why an answer is unknown, if it is.
(set-logic HORN)
(declare-fun up (Int) Bool)
(assert (up 0))
(assert (forall ((x Int)) (=> (up x) (up (+ x 1)))))
(assert (forall ((x Int)) (=> (and (up x) (= x 40)) false)))
(check-sat)
(get-info :reason-unknown)
(get-model)
