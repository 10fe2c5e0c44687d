; expect: safe
; engines: forward vacuous
; Nothing is asked: no clause concludes false.
(set-logic HORN)
(declare-fun light (Bool) Bool)
(assert (light false))
(assert (forall ((on Bool)) (=> (light on) (light (not on)))))
(check-sat)
