package sim

// partnerMutants are defects in how the kernel deals with acquirers and with what a person has to decide.
var partnerMutants = []mutant{}
