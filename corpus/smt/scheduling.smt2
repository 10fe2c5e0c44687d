; expect: sat unsat
; Three jobs of three hours each on one machine need nine hours.
(set-logic QF_IDL)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(declare-const end Int)
(define-fun apart ((s Int) (t Int)) Bool (or (>= (- s t) 3) (>= (- t s) 3)))
(define-fun within ((s Int)) Bool (and (>= s 0) (<= (+ s 3) end)))
(assert (and (apart a b) (apart b c) (apart a c)))
(assert (and (within a) (within b) (within c)))
(check-sat-assuming ((<= end 9)))
(check-sat-assuming ((<= end 8)))
