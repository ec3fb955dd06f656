package shop

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// exchange is one request and its answer, for people to read.
type exchange struct {
	At              time.Time
	Name            string
	Method, Path    string
	Request, Answer string // indented JSON, or the lines of a form
	Status          int    // HTTP status, 0 without an answer
	Fault           string // why there was no answer
}

// Asks reports whether the request changes nothing. Such requests are made whenever a page is shown.
func (e exchange) Asks() bool { return e.Name == "Status" || e.Name == "SCHEDULE_INFO" }

// OK reports whether the request was accepted.
func (e exchange) OK() bool { return e.Status == http.StatusOK }

// decode reads the answer.
func (e exchange) decode(into any) error {
	switch {
	case e.Fault != "":
		return errors.New(e.Fault)
	case !e.OK():
		return fmt.Errorf("the gateway answered with status %d", e.Status)
	}
	return json.Unmarshal([]byte(e.Answer), into)
}
