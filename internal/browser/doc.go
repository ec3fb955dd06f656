// Package browser has no code of its own: its tests drive a real Chromium through the hosted payment page.
//
// A browser is started once; every test has a tab and a gateway to itself, with the merchant's pages on
// another origin. The tests look for elements by id, name and autocomplete, never by what they say, so that
// the texts of the page may change.
//
// What it takes: Chromium, as TOLLGATE_CHROMIUM, or as chromium-headless-shell, chromium or google-chrome of the
// PATH. Without one the tests fail. With TOLLGATE_SHOTS=DIR every page state is written there as a picture,
// STATE.LANGUAGE.DEVICE.png.
//
//	go test ./...                                  # in this folder
//	go test -run TestBrowser/states/de ./...       # the states in one language
//	go test -run TestBrowser/cards -v ./...        # the test cards
//	go test -run TestBrowser/forms -v ./...        # payments with more than a card to fill in
//
// testdata/axe holds axe-core as its makers publish it, under the Mozilla Public License 2.0.
package browser
