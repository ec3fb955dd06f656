package race_test

// more is the stores of other modules, which replace this file when they run these tests (store/postgres, TestRaces).
var more []backend
