; expect: terminates
; engines: rank rank-union
; The input is positive, and what is left is never negative.
(declare-sort Loc 0)
(declare-const start Loc)
(declare-const loop Loc)
(assert (distinct start loop))
(define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool (and (= pc src) rel))
(define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool
  (and (= pc src) (= pc1 dst) rel))

(define-fun init_main ((pc Loc) (x Int)) Bool (cfg_init pc start true))
(define-fun next_main ((pc Loc) (x Int) (pc1 Loc) (x1 Int)) Bool
  (or
    (cfg_trans2 pc start pc1 loop true)
    (cfg_trans2 pc loop pc1 loop (exists ((i Int)) (and (> i 0) (>= x i) (= x1 (- x i)))))))
