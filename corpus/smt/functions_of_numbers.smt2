; expect: unsat sat
; Arithmetic must tell the functions that their arguments are equal.
(set-logic QF_UFLIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(declare-fun f (Int) Int)
(assert (and (<= x y) (<= y x)))
(assert (= (f x) (+ (f y) z)))
(check-sat-assuming ((not (= z 0))))
(check-sat-assuming ((= z 0)))
