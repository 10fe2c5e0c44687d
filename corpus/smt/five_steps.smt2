; expect: unsat sat
; f applied five times and three times to a gives a: then f(a) = a.
(set-logic QF_UF)
(declare-sort U 0)
(declare-const a U)
(declare-fun f (U) U)
(assert (= (f (f (f (f (f a))))) a))
(push 1)
(assert (= (f (f (f a))) a))
(assert (not (= (f a) a)))
(check-sat)
(pop 1)
(assert (not (= (f a) a)))
(check-sat)
