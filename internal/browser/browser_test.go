package browser_test

import "testing"

// TestBrowser runs all tests in one browser.
func TestBrowser(t *testing.T) {
	b := start(t)
	t.Run("watch", func(t *testing.T) { t.Parallel(); testWatch(t, b) })
	t.Run("cards", func(t *testing.T) { t.Parallel(); testCards(t, b) })
	t.Run("forms", func(t *testing.T) { t.Parallel(); testForms(t, b) })
	t.Run("hostile", func(t *testing.T) { t.Parallel(); testHostile(t, b) })
	t.Run("fields", func(t *testing.T) { t.Parallel(); testFields(t, b) })
	t.Run("keyboard", func(t *testing.T) { t.Parallel(); testKeyboard(t, b) })
	t.Run("twice", func(t *testing.T) { t.Parallel(); testTwice(t, b) })
	t.Run("eyes", func(t *testing.T) { t.Parallel(); testEyes(t, b) })
	t.Run("agreement", func(t *testing.T) { t.Parallel(); testAgreement(t, b) })
	t.Run("states", func(t *testing.T) { t.Parallel(); testStates(t, b) })
}
