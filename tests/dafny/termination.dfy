method Down(n: nat) decreases n { if n > 0 { Down(n - 1); } }
function Gcd(a: nat, b: nat): nat decreases b { if b == 0 then a else Gcd(b, a % b) }
