; expect: safe
; engines: pdr cells
; Accounts are handed on, and one cell is counted up; no other cell is ever looked at.
(set-logic HORN)
(declare-fun state (Int (Array Int Int)) Bool)
(assert (forall ((who Int) (accounts (Array Int Int)))
  (=> (>= (select accounts who) 0) (state who accounts))))
(assert (forall ((who Int) (other Int) (pay Int) (accounts (Array Int Int)))
  (=> (and (state who accounts) (> pay 0) (not (= who other)))
      (state who (store (store accounts who (+ (select accounts who) pay)) other 0)))))
(assert (forall ((who Int) (accounts (Array Int Int)))
  (=> (and (state who accounts) (< (select accounts who) 0)) false)))
(check-sat)
