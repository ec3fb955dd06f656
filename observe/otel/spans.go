package otel

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/methods"
)

// Connector returns a connector whose calls are spans. What it calls with the span's context, like an HTTP client that
// is instrumented, is below it. A call whose effect is not known or that was not sent is an error.
func (t *Telemetry) Connector(name string, c methods.Connector) methods.Connector {
	return methods.Wrap(c, func(ctx context.Context, call methods.Call,
		next func(context.Context) methods.Answer) (a methods.Answer) {
		op := &call.Operation
		ctx, span := t.tracer.Start(ctx, "connector "+name+" "+string(call.Power), trace.WithSpanKind(trace.SpanKindClient),
			trace.WithAttributes(attribute.String("tollgate.connector", name),
				attribute.String("tollgate.payment", op.PaymentID),
				attribute.String("tollgate.transaction", op.TransactionID),
				attribute.String("tollgate.operation", string(op.Kind)), attribute.String("tollgate.mid", op.MID.ID),
				attribute.String("tollgate.amount", op.Amount.String()), attribute.String("tollgate.currency", op.Currency),
				attribute.Bool("tollgate.test", op.Test)))
		defer span.End() // even if the connector panics
		a = next(ctx)
		span.SetAttributes(attribute.String("tollgate.result", string(a.Result)))
		if a.Result == methods.ResultUnknown || a.Result == methods.ResultNotSent {
			span.SetStatus(codes.Error, string(a.Result))
		}
		return a
	})
}

// Notifier returns a notifier whose deliveries are spans. One that is not accepted is an error.
func (t *Telemetry) Notifier(n callback.Notifier) callback.Notifier { return notifier{t, n} }

type notifier struct {
	t    *Telemetry
	next callback.Notifier
}

// Deliver implements callback.Notifier.
func (n notifier) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	ctx, span := n.t.tracer.Start(ctx, "callback "+d.Type, trace.WithSpanKind(trace.SpanKindProducer),
		trace.WithAttributes(attribute.String("tollgate.merchant", d.MerchantID),
			attribute.String("tollgate.payment", d.PaymentID), attribute.String("tollgate.transaction", d.TransactionID),
			attribute.String("tollgate.callback", d.ID), attribute.Int("tollgate.attempt", d.Attempt),
			attribute.String("server.address", hostOf(d.URL))))
	defer span.End()
	r := n.next.Deliver(ctx, d)
	span.SetAttributes(attribute.String("tollgate.verdict", string(r.Verdict)),
		attribute.Int("http.response.status_code", r.Status))
	if r.Verdict != callback.Accepted {
		span.SetStatus(codes.Error, string(r.Verdict)) // what the merchant's server said may have data of a payer
	}
	return r
}

// hostOf returns the host of a target, or the scheme of a sink. Its path and query may be a secret.
func hostOf(target string) string {
	u, err := url.Parse(target)
	switch {
	case err != nil:
		return ""
	case u.Host != "":
		return u.Host
	default:
		return u.Scheme + ":"
	}
}

// Middleware makes a span of every request, and counts it in http.server.request.duration. A span of the host's own
// around it is its parent; the trace that a request's headers name is not continued, because callers are strangers.
func (t *Telemetry) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		method := attribute.String("http.request.method", methodOf(r.Method))
		ctx, span := t.tracer.Start(r.Context(), method.Value.AsString(), trace.WithSpanKind(trace.SpanKindServer),
			trace.WithAttributes(method))
		defer span.End()
		own, answer := r.WithContext(ctx), &answered{ResponseWriter: w}
		done := func(status int) {
			facts := []attribute.KeyValue{method, attribute.Int("http.response.status_code", status)}
			r.Pattern = own.Pattern // for the middleware around this one
			if route := routeOf(own.Pattern); route != "" {
				facts = append(facts, attribute.String("http.route", route))
				span.SetName(method.Value.AsString() + " " + route)
			}
			if span.SetAttributes(facts...); status >= http.StatusInternalServerError {
				span.SetStatus(codes.Error, http.StatusText(status))
			}
			t.latency.Record(ctx, time.Since(began).Seconds(), metric.WithAttributes(facts...))
		}
		defer func() {
			if fault := recover(); fault != nil {
				done(http.StatusInternalServerError)
				panic(fault)
			}
			done(answer.code())
		}()
		next.ServeHTTP(answer, own)
	})
}

// methodOf returns a method of HTTP; a word of the caller's own makes no series.
func methodOf(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	default:
		return "_OTHER"
	}
}

// routeOf returns a pattern without its method.
func routeOf(pattern string) string {
	if _, path, ok := strings.Cut(pattern, " "); ok {
		return path
	}
	return pattern
}

// answered notes the status of an answer.
type answered struct {
	http.ResponseWriter
	status int
}

func (a *answered) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK { // the first one that is not informational counts
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answered) code() int {
	if a.status == 0 {
		return http.StatusOK
	}
	return a.status
}

// Unwrap is for http.ResponseController.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }
