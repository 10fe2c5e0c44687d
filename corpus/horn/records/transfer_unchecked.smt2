; Without a look at the balance somebody owes money.
; expect: unsafe
(set-logic HORN)
(declare-datatypes ((state 0)) (((state (alice Int) (bob Int)))))
(declare-fun run (state) Bool)
(assert (forall ((s state)) (=> (= s (state 100 0)) (run s))))
(assert (forall ((s state) (amount Int))
  (=> (and (run s) (<= 0 amount) (<= amount 60))
      (run (state (- (alice s) amount) (+ (bob s) amount))))))
(assert (forall ((s state)) (=> (and (run s) (< (alice s) 0)) false)))
(check-sat)
