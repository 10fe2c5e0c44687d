% expect: safe
% engines: forward pdr duality kind
% A counter in steps of two never hits an odd number.
count(0).
count(N + 2) :- count(N), N < 100.
false :- count(N), N mod 2 =:= 1.
