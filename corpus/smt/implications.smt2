; expect: unsat unsat sat
; Assumptions alone, and definitions with parameters.
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(define-fun all ((a Bool) (b Bool)) Bool (and a b))
(assert (=> p q))
(assert (=> q r))
(check-sat-assuming (p (not r)))
(check-sat-assuming ((all p q) (not r)))
(check-sat-assuming (p r))
