package once_test

import (
	"testing"

	"github.com/tollgatepay/gateway/internal/kerneltest"
)

func TestMain(m *testing.M) { kerneltest.Main(m) }
