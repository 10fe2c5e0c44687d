(set-logic ALL)
(declare-datatypes ((C 0)) (((red) (green) (blue))))(declare-const a (Array C Int))(assert (forall ((x C)) (> (select a x) 3)))(assert (< (select a red) (select a blue)))
(check-sat)
