package guides_test

import (
	_ "github.com/prometheus/client_golang/prometheus/promhttp" // of the program in production.md

	_ "github.com/tollgatepay/gateway/store/postgres" // of that program with a shared database
)
