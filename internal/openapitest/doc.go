// Package openapitest holds the OpenAPI document against the specification of OpenAPI 3.1, and against the traffic of
// the protocols' tests: every request that is taken and every answer keeps its schema. A request that is refused breaks
// it, or is listed with the reason why a schema cannot say it.
package openapitest
