; expect: safe
; engines: pdr
; Three queries, each about the rules before it: not reached, reached at once, reached by a rule
; that comes between.
(declare-rel P (Int))
(declare-var x Int)
(rule (P 0))
(query (P 1))
(query (P 0))
(rule (=> (P x) (P (+ x 1))))
(query (P 1))
