// One field in a frame of its own. The merchant's page learns when the field is used and whether its value
// is valid, never the value. The card's frame reads the values of its siblings directly, as a document of the
// same origin may: no message has a digit in it, so none can be intercepted, forged or repeated.
(function () {
  "use strict";

  const root = document.documentElement, kind = root.dataset.field, input = document.getElementById(kind);
  const error = document.getElementById("error"), logo = document.getElementById("logo");
  const origins = root.dataset.origins.split(" ");
  const session = new URLSearchParams(location.search).get("session");
  const check = cardRules.checks[{ card: "number", expiry: "expiry", cvv: "code" }[kind]];
  let port = null, instance = "", token = "", busy = false;

  function post(message) { if (port) { port.postMessage(message); } }
  function valid() { return input.value.trim() === "" ? root.dataset.optional === "true" : check(input.value); }

  // mark shows and returns the fault; an empty text means none.
  function mark() {
    const text = valid() ? "" : root.dataset.error;
    if (text) { input.setAttribute("aria-invalid", "true"); } else { input.removeAttribute("aria-invalid"); }
    input.classList.toggle("invalid", text !== "");
    if (error.textContent !== text) { error.textContent = text; }
    return text;
  }

  const formats = {
    card: function () { return cardRules.groupNumber(input.value); },
    cvv: function () { return cardRules.digitsOf(input.value).slice(0, 4); },
    expiry: function (event) {
      const deleting = /^delete/.test(event.inputType || "");
      const typing = event.inputType === "insertText" && event.data && event.data.length === 1;
      return (!typing && !deleting && cardRules.wholeDate(input.value)) || cardRules.slashDate(input.value, deleting);
    }
  };

  function showBrand() {
    if (!logo) { return; }
    const brand = cardRules.brandOf(cardRules.digitsOf(input.value))[0], src = logo.dataset[brand || "card"];
    if (logo.getAttribute("src") !== src) { logo.src = src; }
    logo.alt = brand;
  }

  function changed(event) {
    if (event.isComposing) { return; }
    cardRules.put(input, formats[kind](event));
    const ok = valid();
    input.classList.toggle("valid", ok);
    if (ok && input.getAttribute("aria-invalid")) { mark(); }
    showBrand();
    post({ type: "input", valid: ok });
  }

  input.addEventListener("beforeinput", cardRules.hop);
  input.addEventListener("input", changed);
  input.addEventListener("focus", function () { post({ type: "focus" }); });
  input.addEventListener("blur", function () {
    const whole = kind === "expiry" && cardRules.wholeDate(input.value);
    if (whole && whole !== input.value) { input.value = whole; changed({}); }
    if (input.value) { mark(); }
    post({ type: "blur" });
  });
  if (kind === "card") {
    input.addEventListener("copy", function (event) {
      const picked = input.value.slice(input.selectionStart, input.selectionEnd);
      if (event.clipboardData && picked) {
        event.clipboardData.setData("text/plain", cardRules.digitsOf(picked));
        event.preventDefault();
      }
    });
    // Some browsers fill in the fields of one document only: a value here is for the sibling.
    const relay = document.getElementById("relay");
    relay.addEventListener("input", function () {
      const expiry = relay.value && sibling("expiry");
      if (expiry) { expiry.fill(relay.value); relay.value = ""; }
    });
  }

  // For the sibling frames only: other origins cannot reach it.
  Object.defineProperty(window, "hostedField", {
    value: Object.freeze({
      belongs: function (to, of) { return instance !== "" && to === instance && of === session; },
      kind: kind,
      mark: mark,
      focus: function () { input.focus(); },
      read: function () { return kind === "expiry" ? input.value : cardRules.digitsOf(input.value); },
      fill: function (value) { input.value = value; changed({}); }
    })
  });

  // sibling finds the frame of a field among the frames of the parent page, this one included.
  function sibling(wanted) {
    for (let i = 0; i < parent.length; i++) {
      try {
        const field = parent[i].hostedField;
        if (parent[i].location.origin === location.origin && field && field.kind === wanted && field.belongs(instance, session)) { return field; }
      } catch (e) { /* a frame of another origin */ }
    }
    return null;
  }

  const lost = "The card data could not be saved. Please try again.";
  async function save() {
    const fields = ["card", "expiry", "cvv"].map(sibling);
    if (!fields.every(Boolean)) { return { result: "undefined", message: "The card fields are not ready." }; }
    const faults = fields.map(function (field) { return field.mark(); }), first = faults.findIndex(Boolean);
    if (first >= 0) {
      fields[first].focus();
      return { result: "undefined", message: faults[first] };
    }
    const values = fields.map(function (field) { return field.read(); });
    const answer = await fetch("../collect", {
      method: "POST", credentials: "omit", cache: "no-store", redirect: "error", signal: AbortSignal.timeout(30000),
      headers: { "Content-Type": "application/json", "Token": token },
      body: JSON.stringify({ card_number: values[0], expiry: values[1], cvv: values[2] })
    });
    if (answer.status === 403) { return { result: "undefined", message: "The payment session is not valid or has expired." }; }
    const body = answer.ok || answer.status === 422 ? await answer.json() : {};
    return { result: answer.ok && body.result === "success" ? "success" : "undefined", message: String(body.message || (answer.ok ? "" : lost)) };
  }

  async function collect(id) {
    if (busy) { return; }
    busy = true;
    let answer = { result: "undefined", message: lost };
    try { answer = await save(); } catch (e) { /* the network */ }
    busy = false;
    post({ type: "result", id: id, result: answer.result, message: answer.message });
  }

  // sessionOf returns the session id of a token: the bytes after its 32 secret bytes.
  function sessionOf(text) {
    try { return atob(text.replace(/-/g, "+").replace(/_/g, "/")).slice(32); } catch (e) { return ""; }
  }

  // The only message that is accepted: from the parent page, which must be of an origin that the gateway allows
  // for this session, with a port for all further messages. Only the first one counts.
  function begin(event) {
    const m = event.data;
    if (parent === window || event.source !== parent || !origins.includes(event.origin) || event.ports.length !== 1) { return; }
    if (!m || m.hostedFields !== 1 || m.field !== kind || typeof m.instance !== "string" || m.instance.length < 32) { return; }
    if (typeof m.token !== "string" || !session || sessionOf(m.token) !== session) { return; }
    removeEventListener("message", begin);
    port = event.ports[0];
    instance = m.instance;
    token = kind === "card" ? m.token : "";
    if (m.dir === "rtl") { root.dir = "rtl"; }
    if (typeof m.placeholder === "string") { input.placeholder = m.placeholder; }
    if (typeof m.label === "string") { document.getElementById("label").textContent = document.title = m.label; }
    if (typeof m.error === "string") { root.dataset.error = m.error; }
    const refused = (Array.isArray(m.styles) ? m.styles : []).flatMap(hostedStyle.apply);
    port.onmessage = function (order) {
      if (kind === "card" && order.data && order.data.type === "collect") { collect(order.data.id); }
    };
    post({ type: "ready", refused: refused });
  }
  addEventListener("message", begin);
  showBrand();
})();
