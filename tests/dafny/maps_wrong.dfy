method Maps(m: map<int, bool>) { var b := m[3]; }
