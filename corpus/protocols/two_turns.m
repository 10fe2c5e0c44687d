-- expect: safe
-- engines: explore ic3
-- Whoever has the turn may go in, and hands it to the other when leaving.
const N: 2;
type pid: 1..N;
var turn: pid;
    critical: array [pid] of boolean;

startstate begin
  turn := 1;
  for i: pid do critical[i] := false; end;
end;

ruleset i: pid do
  rule "enter" turn = i & !critical[i] ==> begin critical[i] := true; end;
  rule "leave" critical[i] ==> begin critical[i] := false; turn := 3 - i; end;
end;

invariant "one at a time" !(critical[1] & critical[2]);
