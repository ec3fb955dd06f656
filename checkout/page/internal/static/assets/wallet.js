// The page works without this file. It shows the buttons of the wallets that the browser can open, opens
// them and sends their tokens. It loads no third-party script.
(function () {
  "use strict";

  var byId = function (id) { return document.getElementById(id); };
  var form = byId("pay"), live = byId("live"), problem = byId("wallet-problem"), none = byId("no-wallet");
  var open = false, sending = false, usable = false;

  // The name of Google Pay as a payment method of browsers.
  var google = "https://google.com/pay";

  function inSight(input) { return input.getClientRects().length > 0; }

  // A PaymentRequest can be shown once, so each press makes a new one.
  function paymentRequest(section) {
    var total = { label: section.dataset.label, amount: { currency: section.dataset.currency, value: section.dataset.sum } };
    return new PaymentRequest([{ supportedMethods: google, data: JSON.parse(section.dataset.ask) }], { total: total });
  }

  var able = {
    apple: function () {
      var apple = window.ApplePaySession;
      return Boolean(apple) && (!apple.supportsVersion || apple.supportsVersion(3)) && apple.canMakePayments();
    },
    google: function (section) { return Boolean(window.PaymentRequest) && paymentRequest(section).canMakePayment(); }
  };

  var openers = { apple: openApple, google: openGoogle };

  // shared reports whether every method has the field: the amount, the terms, the browser attributes.
  function shared(input) { return !input.closest(".wallet, .method, .plastic, .own"); }

  // entries are the fields that are sent; no card data is among them.
  function entries(section, token) {
    var sent = new URLSearchParams();
    Array.from(form.elements).forEach(function (input) {
      var asked = input.type === "hidden" || (inSight(input) && (input.type !== "checkbox" || input.checked));
      if (input.name && input.name !== "method" && asked && (section.contains(input) || shared(input))) { sent.append(input.name, input.value); }
    });
    sent.append("method", section.dataset.code);
    sent.append("wallet_token", token);
    return sent;
  }

  function post(path, body) {
    return fetch(form.action + path, { method: "POST", body: body, headers: { Accept: "application/json" }, redirect: "error", cache: "no-store" });
  }

  // go opens the page with the state of the payment.
  function go() { location.replace(form.action); }

  // again opens the current form, whose terms differ from those that the payer has read.
  function again() { location.replace(form.action + "?changed"); }

  function busy(section, on) {
    sending = on;
    form.classList.toggle("by-wallet", on);
    section.classList.toggle("sending", on);
    if (on) { form.setAttribute("aria-busy", "true"); } else { form.removeAttribute("aria-busy"); }
    form.querySelectorAll("button").forEach(function (button) { button.disabled = on; });
    live.textContent = on ? form.dataset.sending : "";
  }

  function say(text) {
    problem.textContent = text;
    problem.hidden = !text;
  }

  function failed(section) {
    open = false;
    say(section.dataset.failed);
  }

  // blame shows what the payer has to correct before the wallet is opened again.
  function blame(section, faults) {
    var first = null, rest = [];
    faults.forEach(function (fault) {
      var input = fault.field && byId(fault.field), error = input && byId(fault.field + "-error");
      if (!error) { rest.push(fault.text); return; }
      error.textContent = fault.text;
      input.setAttribute("aria-invalid", "true");
      first = first || input;
    });
    reveal(section);
    say(rest.join(" "));
    live.textContent = faults[0].text;
    (first || problem).focus();
  }

  // pay sends a token once. The wallet shows the result before the page goes on; if it is not known, the
  // page shows it.
  function pay(section, token, complete) {
    if (sending) { return; }
    var body = entries(section, token), then = go;
    busy(section, true);
    post("", body).then(function (answer) {
      if (answer.status !== 200 && answer.status !== 422) { throw new Error(); }
      return answer.json();
    }).then(function (answered) {
      if (answered.changed) { then = again; }
      if (answered.faults && answered.faults.length) {
        then = function () { busy(section, false); open = false; blame(section, answered.faults); };
      }
      return complete(answered.result);
    }, function () { return complete("unknown"); }).catch(function () {}).then(function () { then(); });
  }

  function openApple(section) {
    var session = new ApplePaySession(3, JSON.parse(section.dataset.ask)), over = false;
    session.onvalidatemerchant = function (event) {
      post("/wallet", new URLSearchParams({ validation_url: event.validationURL })).then(function (answer) {
        if (!answer.ok) { throw new Error(); }
        return answer.json();
      }).then(function (merchant) { if (!over) { session.completeMerchantValidation(merchant); } }).catch(function () {
        if (over) { return; }
        failed(section);
        session.abort();
      });
    };
    session.onpaymentauthorized = function (event) {
      pay(section, JSON.stringify(event.payment.token), function (result) {
        session.completePayment({ status: result === "success" ? ApplePaySession.STATUS_SUCCESS : ApplePaySession.STATUS_FAILURE });
      });
    };
    session.oncancel = function () { over = true; open = sending; };
    session.begin();
  }

  function openGoogle(section) {
    paymentRequest(section).show().then(function (response) {
      var got = response.details;
      if (!got || !got.paymentMethodData) { failed(section); return response.complete("fail"); }
      var token = { apiVersion: got.apiVersion || 2, apiVersionMinor: got.apiVersionMinor || 0, paymentMethodData: got.paymentMethodData };
      pay(section, JSON.stringify(token), function (result) { return response.complete(result); });
    }).catch(function (error) {
      if (error.name === "AbortError") { open = sending; } else { failed(section); } // the payer closed it
    });
  }

  // reveal shows the fields that are still empty, and returns the first one that is required.
  function reveal(section) {
    var owed = section.querySelector(".owed");
    if (!owed || !owed.hidden) { return null; }
    owed.hidden = false;
    section.querySelector("button").setAttribute("aria-expanded", "true");
    return Array.from(owed.querySelectorAll("[required]")).filter(function (input) { return inSight(input) && !input.value; })[0];
  }

  // press opens the wallet, which browsers allow while they handle a click and no later.
  function press(section) {
    if (open || sending) { return; }
    say("");
    var first = reveal(section);
    if (first) { first.focus(); return; }
    if (!form.dispatchEvent(new CustomEvent("review", { cancelable: true, detail: section }))) { return; }
    open = true;
    try { openers[section.dataset.wallet](section); } catch (_) { failed(section); }
  }

  // Buttons appear together, because they move what is below them, and never while a pointer is down.
  var ready = [], settled = false, pressed = false;
  function show() {
    if (!settled || pressed || !ready.length) { return; }
    usable = true;
    ready.splice(0).forEach(function (section) { section.hidden = byId("wallets").hidden = false; });
    if (none) { none.hidden = true; }
  }
  function settle() { settled = true; show(); }
  document.addEventListener("pointerdown", function () { pressed = true; }, true);
  ["pointerup", "pointercancel", "dragend", "keydown"].forEach(function (name) {
    document.addEventListener(name, function () { pressed = false; setTimeout(show, 0); }, true);
  });

  function setUp(section) {
    section.querySelector("button").addEventListener("click", function () { press(section); });
    section.addEventListener("keypress", function (event) {
      if (event.key !== "Enter" || event.target.tagName !== "INPUT" || event.isComposing) { return; }
      event.preventDefault(); // would send the card
      press(section);
    });
    return new Promise(function (known) { known(able[section.dataset.wallet](section)); })
      .then(function (can) { if (can) { ready.push(section); show(); } }, function () {});
  }

  // giveUp says that no wallet can be opened and there is no other method.
  function giveUp() {
    if (usable || ready.length || !none) { return; }
    none.hidden = false;
    live.textContent = none.textContent;
  }

  Promise.all(Array.from(document.querySelectorAll(".wallet")).map(setUp)).then(function () { settle(); giveUp(); });
  setTimeout(settle, 1500); // for a browser that does not answer
  setTimeout(giveUp, 4000);
  document.addEventListener("submit", function (event) {
    if (event.target === form && (open || sending || none)) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);
})();
