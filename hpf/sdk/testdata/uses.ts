/// <reference path="../assets/hosted-fields.d.ts" />
// Every documented use of the library, and wrong ones, which must not compile. A test compiles it.
export {};

const three = { card: { id: "card" }, expiry: { id: "expiry" }, cvv: { id: "cvv" } };

function right(): void {
  const fields = new HostedFields();
  fields.cardOn.input = (data) => { const ok: boolean = data.valid; console.log(ok); };
  fields.cardOn.focus = () => { console.log("focus"); };
  fields.cardOn.blur = function () { console.log("blur"); };
  fields.expiryOn.input = ({ valid }) => { console.log(valid); };
  fields.expiryOn.focus = null;
  fields.cvvOn = { input({ valid }) { console.log(valid); }, focus() { console.log(1); }, blur() { console.log(2); } };
  fields.onSubmitResult = function (data) {
    if (data.result === "success") { return; }
    const rest: "undefined" = data.result, message: string = data.message;
    console.log(rest, message);
  };
  fields.onSubmitResult = null;
  const up: Promise<void> = fields.init({
    sessionToken: "token",
    style: { input: { color: "#222", fontSize: "16px", opacity: 0.5, "font-family": "Arial" }, "::placeholder": { color: "red" } },
    fields: {
      card: {
        id: "card", placeholder: "1234", label: "رقم البطاقة", error: "رقم غير صالح",
        style: { ".hosted-field-card-brand-logo": { width: "40px" }, "input:focus": { color: "red" }, ".valid": {}, ".invalid": {}, body: { color: "red !important" }, ":hover": {}, "input:disabled": {}, ".invalid:focus::placeholder": {} },
      },
      expiry: { id: "expiry", placeholder: "MM/YY", style: { input: { color: "blue" } } },
      cvv: { id: "cvv" },
    },
  });
  up.then(() => { fields.collectIframesData(); }, (error) => { console.log(error); });

  const config: HostedFields.Config = { sessionToken: "token", fields: three };
  HostedFields.onSubmitResult = ({ result, message }: HostedFields.Result) => { console.log(result, message); };
  HostedFields.cardOn.input = (data) => { console.log(data.valid); };
  HostedFields.cvvOn.blur = () => { console.log("blur"); };
  HostedFields.init(config);
  HostedFields.collectIframesData();

  const other: HostedFields = new window.HostedFields();
  other.init(config);
  window.HostedFields.init(config);
}

function wrong(fields: HostedFields): void {
  // @ts-expect-error: no arguments
  new HostedFields({});
  // @ts-expect-error: no configuration
  fields.init();
  // @ts-expect-error: no token
  fields.init({ fields: three });
  // @ts-expect-error: no text
  fields.init({ sessionToken: 5, fields: three });
  // @ts-expect-error: no fields
  fields.init({ sessionToken: "t" });
  // @ts-expect-error: a field is missing
  fields.init({ sessionToken: "t", fields: { card: { id: "a" }, expiry: { id: "b" } } });
  // @ts-expect-error: no such field
  fields.init({ sessionToken: "t", fields: { ...three, cvc: { id: "c" } } });
  // @ts-expect-error: no element
  fields.init({ sessionToken: "t", fields: { ...three, card: {} } });
  // @ts-expect-error: no text
  fields.init({ sessionToken: "t", fields: { ...three, card: { id: "a", placeholder: 1 } } });
  // @ts-expect-error: no object
  fields.init({ sessionToken: "t", fields: three, style: "" });
  // @ts-expect-error: no properties
  fields.init({ sessionToken: "t", fields: three, style: { input: "" } });
  // @ts-expect-error: no value
  fields.init({ sessionToken: "t", fields: three, style: { input: { color: null } } });
  // @ts-expect-error: not on the list of selectors
  fields.init({ sessionToken: "t", fields: three, style: { "input[value^='4']": { color: "red" } } });
  // @ts-expect-error: no arguments
  fields.collectIframesData(1);
  // @ts-expect-error: the result goes to onSubmitResult
  const result: { result: string } = fields.collectIframesData();
  // @ts-expect-error: values are never passed
  fields.cardOn.input = (data) => { console.log(data.value); };
  // @ts-expect-error: no such event
  fields.cardOn.change = () => { console.log(result); };
  // @ts-expect-error: no event object
  fields.cardOn.focus = (event: Event) => { console.log(event); };
  // @ts-expect-error: no such result
  fields.onSubmitResult = (data) => { if (data.result === "error") { console.log(data); } };
  // @ts-expect-error: no function
  fields.onSubmitResult = "x";
  // @ts-expect-error: no such field
  fields.nameOn = {};
}

console.log(right, wrong);
