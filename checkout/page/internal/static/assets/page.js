// The page works without this file. It checks the input and reloads the page when that is due.
(function () {
  "use strict";

  var byId = function (id) { return document.getElementById(id); };

  // good asks card.js about its fields, and the browser about the others. Spaces alone count as empty.
  function good(input) {
    input.dispatchEvent(new Event("check"));
    return input.validity.valid && !(input.required && !input.value.trim());
  }

  function mark(input, live) {
    var ok = good(input), error = byId(input.id + "-error");
    var text = ok ? "" : (!input.value.trim() && input.dataset.blank) || input.dataset.error;
    if (ok) { input.removeAttribute("aria-invalid"); } else { input.setAttribute("aria-invalid", "true"); }
    if (error.textContent !== text) {
      error.textContent = text;
      if (live && text) { live.textContent = text; }
    }
    return ok;
  }

  // inSight reports whether a field is of the chosen method, card and country.
  function inSight(input) { return input.getClientRects().length > 0; }

  // fold turns digits of every script into ASCII digits.
  function fold(text) {
    return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, function (c) {
      var code = c.charCodeAt(0);
      return String((code - (code >> 7 === 18 ? 6 : 0)) & 15);
    });
  }

  // A fault that is shown while a button is pressed could move it from under the finger, and the click
  // would be lost: what happens on blur waits until the finger is up and the click is done.
  var pressed = false, waiting = [];
  function later(what) {
    if (pressed) { waiting.push(what); } else { setTimeout(what, 0); }
  }
  function release() {
    pressed = false;
    setTimeout(function () { waiting.splice(0).forEach(function (what) { what(); }); }, 0);
  }
  document.addEventListener("pointerdown", function () { pressed = true; }, true);
  ["pointerup", "pointercancel", "dragend"].forEach(function (name) { document.addEventListener(name, release, true); });
  document.addEventListener("keydown", release, true); // a list that opens may swallow the pointer's end
  window.addEventListener("blur", release);

  // mirror copies a field of the payer to the other methods that ask for it too.
  function mirror(form, input) {
    form.querySelectorAll("[data-path]").forEach(function (other) {
      if (other !== input && other.dataset.path === input.dataset.path) { other.value = input.value; }
    });
  }

  function setUpField(form, input, live, isSent) {
    if (input.className === "ask" && /numeric|tel/.test(input.inputMode)) {
      input.addEventListener("input", function (event) {
        var value = fold(input.value);
        if (input.inputMode === "numeric") { value = value.replace(/[^0-9]/g, ""); }
        if (!event.isComposing && input.value !== value) { input.value = value; }
      });
    }
    input.addEventListener("blur", function () {
      later(function () { if (input.value && input.type !== "checkbox" && !isSent() && inSight(input)) { mark(input, live); } });
    });
    ["input", "change"].forEach(function (name) {
      input.addEventListener(name, function () {
        if (input.dataset.path) { mirror(form, input); }
        if (input.getAttribute("aria-invalid") && good(input)) { mark(input, live); }
      });
    });
  }

  function setUpForm(form) {
    var live = byId("live"), sent = false;
    var fields = Array.from(form.querySelectorAll("[data-error]"));
    fields.forEach(function (input) { setUpField(form, input, live, function () { return sent; }); });

    // right checks the fields that are sent, and moves the focus to the first wrong one.
    function right(matters) {
      var wrong = fields.filter(inSight).filter(matters).filter(function (input) { return !mark(input, null); });
      if (wrong.length) {
        live.textContent = byId(wrong[0].id + "-error").textContent;
        wrong[0].focus();
      }
      return !wrong.length;
    }

    form.addEventListener("submit", function (event) {
      var own = function (input) { return !input.closest(".wallet"); };
      if (sent || !right(own)) { event.preventDefault(); return; }
      sent = true;
      fields.forEach(function (input) { input.disabled = !inSight(input) || !own(input); }); // is not sent
      measure(form);
      form.setAttribute("aria-busy", "true");
      form.querySelectorAll("button").forEach(function (button) { button.disabled = true; });
      live.textContent = form.dataset.sending;
    });
    // wallet.js sends "review" before it opens a wallet: its own fields are checked, and those that all methods share.
    form.addEventListener("review", function (event) {
      var matters = function (input) { return event.detail.contains(input) || !input.closest(".wallet, .method, .plastic, .own"); };
      if (sent || !right(matters)) { event.preventDefault(); return; }
      measure(form);
    });
    window.addEventListener("pageshow", function (event) { if (event.persisted) { location.reload(); } });
    watchExpiry(byId("until"), live);
  }

  // measure fills in the browser attributes for 3-D Secure.
  function measure(form) {
    var facts = {
      javascript_enabled: true, java_enabled: false, language: navigator.language, platform: navigator.platform,
      color_depth: screen.colorDepth, screen_width: screen.width, screen_height: screen.height,
      timezone_offset: new Date().getTimezoneOffset()
    };
    Object.keys(facts).forEach(function (name) {
      var field = form.elements["browser_" + name];
      if (field) { field.value = String(facts[name]); }
    });
  }

  // watchExpiry shows the end in the payer's time zone, warns once, and reloads the page when the time is over.
  function watchExpiry(until, live) {
    var end = until ? Date.parse(until.dateTime) : NaN;
    if (isNaN(end)) { return; }
    var day = new Date(end).toDateString() === new Date().toDateString() ? undefined : "long";
    until.textContent = new Date(end).toLocaleString(document.documentElement.lang + "-u-nu-latn", { dateStyle: day, timeStyle: "short" });
    var after = function (ms, what) { if (ms > 0 && ms < 2e9) { setTimeout(what, ms); } };
    after(end - Date.now() - 120000, function () { live.textContent = until.dataset.soon; });
    after(end - Date.now() + 1000, function () {
      live.textContent = until.dataset.over;
      if (!byId("pay").getAttribute("aria-busy")) { location.replace(location.pathname.replace(/\/answer$/, "")); }
    });
  }

  if (byId("pay")) { setUpForm(byId("pay")); }
})();
