-- Peterson's algorithm for mutual exclusion of N processes, after Myths about the mutual exclusion problem (1981).
const N: 3;
type
  pid: scalarset(N);
  priority: 0..N;
  label: enum { L0, L1, L2, L3, L4 };
var
  P: array [pid] of label;
  Q: array [pid] of priority;
  turn: array [priority] of pid;
  localj: array [pid] of priority;

ruleset i: pid do
  rule "begin" P[i] = L0 ==> begin localj[i] := 1; P[i] := L1; end;
  rule "say level" P[i] = L1 ==> begin Q[i] := localj[i]; P[i] := L2; end;
  rule "give way" P[i] = L2 ==> begin turn[localj[i]] := i; P[i] := L3; end;
  rule "wait" P[i] = L3 ==> begin
    if (forall k: pid do (k != i) -> (Q[k] < localj[i]) end | (turn[localj[i]] != i)) then
      localj[i] := localj[i] + 1;
      if (localj[i] < N) then P[i] := L1; else P[i] := L4; end;
    end;
  end;
  rule "leave" P[i] = L4 ==> begin Q[i] := 1; P[i] := L0; end;
end;

startstate begin
  for i: pid do P[i] := L0; Q[i] := 0; end;
  for i: priority do undefine turn[i]; end;
  clear localj;
end;

invariant "mutual exclusion"
  !exists a: pid do exists b: pid do a != b & P[a] = L4 & P[b] = L4 end end;
