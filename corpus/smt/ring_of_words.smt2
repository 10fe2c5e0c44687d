; expect: unsat
; Two ways to add three numbers modulo 256, one with conditionals and one with carries: they differ by a multiple of 256, which the
; equations that conditionals choose say whatever the numbers are.
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(declare-const carry Int)
(declare-const over Int)
(define-fun small ((x Int)) Bool (and (<= 0 x) (< x 256)))
(define-fun wrap ((x Int)) Int (ite (< x 256) x (ite (< x 512) (- x 256) (- x 512))))
(assert (and (small a) (small b) (small c)))
(define-fun first () Int (wrap (+ (wrap (* 2 (wrap (+ (* 2 c) b)))) a)))
(define-fun second () Int (- (+ (* 4 c) (* 2 b) a) (* 256 carry) (* 256 over)))
(assert (and (<= 0 carry) (<= carry 6) (<= 0 over) (<= over 1)))
(assert (small second))
(assert (distinct first second))
(check-sat)
