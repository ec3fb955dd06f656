package page_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

func askAction() gateway.NextAction {
	return with(func(t *gateway.NextAction) {
		t.Kind, t.Prompts = gateway.ActionPrompt, []store.Prompt{
			{Name: "sms_OTP", Label: "Code from the message", Pattern: `\d{6}`}, {Name: "national_id", Label: "National ID"},
		}
	})
}

func answerForm() url.Values {
	return url.Values{"answer.sms_OTP": {"918 273"}, "answer.national_id": {"AB-77"}, "answer.other": {"x"}}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	w := show(t, askAction())
	require.Equal(t, 200, w.Code)
	require.Equal(t, openPolicy+"form-action 'self' https://shop.example; base-uri 'none'; frame-ancestors 'none'",
		w.Header().Get("Content-Security-Policy"))
	require.Equal(t, "same-origin", w.Header().Get("Referrer-Policy"))
	for _, text := range []string{
		"<h1>One more step</h1>", `action="../auth/` + token + `/answer"`,
		`<label for="answer-0">Code from the message</label>`,
		`id="answer-0" name="answer.sms_OTP" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="\d{6}" required`,
		`<label for="answer-1">National ID</label>`,
		`name="answer.national_id" type="text" inputmode="text" autocomplete="off" required`,
		`id="live" role="status" aria-live="polite"`, ">Continue</button>",
	} {
		require.Equal(t, 1, strings.Count(bodyOf(w), text), text)
	}
	require.NotContains(t, bodyOf(w), "not accepted")
	require.Equal(t, 1, strings.Count(bodyOf(w), " autofocus"))

	again := askAction()
	again.PromptedAgain, again.Declined = true, "the acquirer's own words"
	body := bodyOf(show(t, again))
	require.Contains(t, body, `role="alert" tabindex="-1" autofocus`)
	require.Contains(t, body, "That was not accepted. Please try again.")
	require.NotContains(t, body, "own words")
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	k := &kernel{next: askAction()}
	w := call(k, "POST", "/auth/"+token+"/answer", answerForm().Encode())
	require.Equal(t, http.StatusSeeOther, w.Code)
	require.Equal(t, "../"+token, w.Header().Get("Location"))
	require.Equal(t, []map[string]string{{"sms_OTP": "918273", "national_id": "AB-77"}}, k.answered)
}

func TestAnswerIsRefused(t *testing.T) {
	t.Parallel()
	fault := func(path string) error { return gateway.ErrInvalid.Fields(gateway.Fault{Path: path, Text: "no"}) }
	for _, c := range []struct {
		name, field, value string
		err                error
		sent               int
		has                string
	}{
		{"blank", "answer.national_id", " ", nil, 0, `id="answer-1-error">National ID: please fill this in.<`},
		{"too long", "answer.national_id", strings.Repeat("a", 256), nil, 0, `id="answer-1-error">National ID: at most 255 characters.<`},
		{"pattern", "answer.sms_OTP", "9182731", nil, 0, `id="answer-0-error">Code from the message: this is not valid.<`},
		{"by the kernel", "answer.x", "", fault("sms_OTP"), 1, `id="answer-0-error">Code from the message: this is not valid.<`},
		{"by the kernel, second", "answer.x", "", fault("a.national_id"), 1, `<a href="#answer-1">National ID: this is not valid.</a>`},
		{"by the kernel, no field", "answer.x", "", gateway.ErrNoMID, 1, `id="problems" role="alert" tabindex="-1" autofocus`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k, form := &kernel{next: askAction(), askErr: c.err}, answerForm()
			form.Set(c.field, c.value)
			w := call(k, "POST", "/auth/"+token+"/answer", form.Encode())
			body := bodyOf(w)
			require.Equal(t, http.StatusUnprocessableEntity, w.Code)
			require.Len(t, k.answered, c.sent)
			require.Contains(t, body, c.has)
			require.NotContains(t, body, "91827", "one-time codes are not shown again")
			require.NotContains(t, body, "918 273")
			require.Contains(t, body, `action="../../auth/`+token+`/answer"`)
			require.Contains(t, body, `href="../../page/assets/page.`)
			require.Equal(t, 1, strings.Count(body, " autofocus"))
			if c.field != "answer.national_id" {
				require.Contains(t, body, `value="AB-77"`)
			}
		})
	}
}

func TestAnswerNotTaken(t *testing.T) {
	t.Parallel()
	own := "/auth/" + token + "/answer"
	good := answerForm().Encode()
	for _, c := range []struct {
		name, method, target, body string
		k                          *kernel
		header                     []string
		status                     int
	}{
		{"not asked any more", "POST", own, good, &kernel{next: formAction()}, nil, 303},
		{"reload", "GET", own, "", &kernel{next: askAction()}, nil, 303},
		{"another site", "POST", own, good, &kernel{next: askAction()}, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another origin", "POST", own, good, &kernel{next: askAction()}, []string{"Origin", "https://evil.example"}, 403},
		{"in the query", "POST", own + "?" + good, "a=b", &kernel{next: askAction()}, nil, 422},
		{"too long", "POST", own, "a=" + strings.Repeat("a", 64<<10), &kernel{next: askAction()}, nil, 413},
		{"unknown link", "POST", "/auth/other/answer", good, &kernel{next: askAction()}, nil, 404},
		{"odd link", "GET", "/auth/%3Cb%3E/answer", "", &kernel{next: askAction()}, nil, 404},
		{"a fault", "POST", own, good, &kernel{turnErr: errors.New("hunter2")}, nil, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := call(c.k, c.method, c.target, c.body, c.header...)
			require.Equal(t, c.status, w.Code)
			require.Empty(t, c.k.answered)
			require.NotContains(t, bodyOf(w), "hunter2")
			if c.status == http.StatusSeeOther {
				require.Equal(t, "../"+token, w.Header().Get("Location"))
			}
		})
	}
	for _, err := range []error{errors.New("hunter2"), gateway.ErrUnavailable} {
		w := call(&kernel{next: askAction(), askErr: err}, "POST", own, good)
		require.Equal(t, 500, w.Code)
		require.NotContains(t, bodyOf(w), "hunter2")
	}
	require.Equal(t, 404, call(&kernel{next: askAction(), askErr: gateway.ErrNoSession}, "POST", own, good).Code)
}
