package kerneltest

import "time"

// Patience bounds how long a test waits for something to happen, on a busy machine too.
const Patience = time.Minute
