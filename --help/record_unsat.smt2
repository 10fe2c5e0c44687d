(set-logic UFDTLIA)
(declare-datatypes ((P 0)) (((mk (fst Int) (snd Int)))))(declare-fun sw (P) P)(assert (forall ((p P)) (= (sw p) (mk (snd p) (fst p)))))(declare-const q P)(assert (distinct (sw (sw q)) q))
(check-sat)
