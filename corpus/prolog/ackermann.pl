% expect: unsafe
% engines: bmc pdr duality
% ack(2, 2) is 7, one relation per number of arguments.
ack(M, N, R) :- M = 0, R = N + 1.
ack(M, 0, R) :- M > 0, ack(M - 1, 1, R).
ack(M, N, R) :- M > 0, N > 0, ack(M, N - 1, S), ack(M - 1, S, R).
ack(R) :- ack(2, 2, R).
false :- ack(R), \+ (R < 7 ; R > 7).
