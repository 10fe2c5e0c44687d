; Money goes from one balance to another, and the sum stays.
; expect: safe
(set-logic HORN)
(declare-datatypes ((state 0)) (((state (alice Int) (bob Int) (steps Int)))))
(declare-fun run (state) Bool)
(assert (forall ((s state)) (=> (= s (state 100 0 0)) (run s))))
(assert (forall ((s state) (t state) (amount Int))
  (=> (and (run s) (<= 0 amount) (<= amount (alice s))
           (= t (state (- (alice s) amount) (+ (bob s) amount) (+ (steps s) 1))))
      (run t))))
(assert (forall ((s state)) (=> (and (run s) (not (= (+ (alice s) (bob s)) 100))) false)))
(check-sat)
