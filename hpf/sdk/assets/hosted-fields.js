// Hosted Payment Fields: three fields of a card in frames of the gateway, on a page of the merchant. This file
// never sees a digit. It listens to no window, only to three ports that it makes; each is sent
// once to its frame, and to no origin but the gateway's.
(function () {
  "use strict";

  const script = document.currentScript;
  if (!script || !script.src) { fail("load this file by a <script src> element of its own, not as a module and not inline"); }
  const base = new URL(".", script.src), kinds = ["card", "expiry", "cvv"];
  const titles = { card: "Card number", expiry: "Expiry date", cvv: "Security code" };
  const patience = 15000; // ms for a frame to load
  const states = new WeakMap(); // by instance: hidden from the page

  function fail(text) { throw new Error("HostedFields: " + text); }
  function isObject(value) { return typeof value === "object" && value !== null && !Array.isArray(value); }

  // sessionOf is the public part of a token: the session's id follows 32 secret bytes.
  function sessionOf(token) {
    let id = "";
    try { id = typeof token === "string" ? atob(token.replace(/-/g, "+").replace(/_/g, "/")).slice(32) : ""; } catch (e) { /* no base64 */ }
    return /^[\w.~-]{1,128}$/.test(id) ? id : fail("config.sessionToken is not a token of POST /api/v1/session/token");
  }

  function text(value, path) {
    if (value !== undefined && typeof value !== "string") { fail(path + " must be a string"); }
    return value;
  }

  // plainStyle copies selectors with their properties, and lists others in dropped. The frame decides which of
  // them are allowed. A wrong style must not stop the fields: nothing here throws.
  function plainStyle(style, path, dropped) {
    const copy = {};
    if (!isObject(style)) {
      if (style !== undefined && style !== null) { dropped.add(path); }
      return copy;
    }
    Object.keys(style).forEach(function (selector) {
      const rules = style[selector], kept = {};
      if (!isObject(rules)) { dropped.add(selector); return; }
      Object.keys(rules).forEach(function (name) {
        if (typeof rules[name] === "string" || typeof rules[name] === "number") { kept[name] = String(rules[name]); } else { dropped.add(selector + " { " + name + " }"); }
      });
      Object.defineProperty(copy, selector, { value: kept, enumerable: true });
    });
    return copy;
  }

  // warn reports once, for the page's author, what was left out of the style.
  function warn(dropped) {
    if (dropped.size) { console.warn("HostedFields: left out of the style, because it is not allowed: " + Array.from(dropped).join(", ")); }
  }

  function readField(fields, kind, general, dropped) {
    const path = "config.fields." + kind, field = fields[kind];
    if (!isObject(field)) { fail(path + " is missing"); }
    if (typeof field.id !== "string" || !field.id) { fail(path + ".id must be the id of an element of the page"); }
    const box = document.getElementById(field.id);
    if (!box) { fail(path + ".id: the page has no element with the id \"" + field.id + "\""); }
    return {
      kind: kind, box: box, title: text(field.label, path + ".label") || titles[kind], label: field.label,
      error: text(field.error, path + ".error"), placeholder: text(field.placeholder, path + ".placeholder"),
      styles: [general, plainStyle(field.style, path + ".style", dropped)]
    };
  }

  // read checks everything before anything happens.
  function read(config) {
    if (!isObject(config)) { fail("init needs a configuration object"); }
    const dropped = new Set(), session = sessionOf(config.sessionToken), general = plainStyle(config.style, "config.style", dropped);
    if (!isObject(config.fields)) { fail("config.fields is missing"); }
    Object.keys(config.fields).forEach(function (kind) {
      if (!kinds.includes(kind)) { fail("config.fields." + kind + " is no field; there are card, expiry and cvv"); }
    });
    const fields = kinds.map(function (kind) { return readField(config.fields, kind, general, dropped); });
    if (new Set(fields.map(function (field) { return field.box; })).size < kinds.length) { fail("config.fields: every field needs an element of its own"); }
    return { session: session, token: config.sessionToken, fields: fields, dropped: dropped };
  }

  // A listener that throws must not stop the code after it.
  function call(owner, name, data) {
    if (!owner || typeof owner[name] !== "function") { return; }
    try { data === undefined ? owner[name]() : owner[name](data); } catch (error) { setTimeout(function () { throw error; }); }
  }

  function finish(self, state, result, message) {
    state.pending = 0;
    call(self, "onSubmitResult", { result: result, message: message });
  }

  // receive handles a frame's message. All kinds but those below are ignored.
  function receive(self, state, field, m) {
    switch (m.type) {
      case "ready":
        field.ready(m.refused);
        break;
      case "input":
        call(self[field.kind + "On"], "input", { valid: m.valid === true });
        break;
      case "focus": case "blur":
        call(self[field.kind + "On"], m.type);
        break;
      case "result":
        if (field.kind === "card" && state.pending && m.id === state.pending) {
          finish(self, state, m.result === "success" ? "success" : "undefined", String(m.message));
        }
    }
  }

  // connect gives a frame that has just loaded its end of a new channel. Any other document in the frame,
  // like an error page, is of another origin and gets nothing.
  function connect(self, state, field, config) {
    if (field.port) { field.port.close(); }
    field.open = false;
    if (field.kind === "card" && state.pending) { finish(self, state, "undefined", "The card fields were reloaded."); }
    const channel = new MessageChannel();
    field.port = channel.port1;
    field.port.onmessage = function (event) { receive(self, state, field, event.data); };
    field.frame.contentWindow.postMessage({
      hostedFields: 1, field: field.kind, instance: state.instance, token: config.token,
      placeholder: field.placeholder, label: field.label, error: field.error, styles: field.styles,
      dir: getComputedStyle(field.box).direction
    }, base.origin, [channel.port2]);
  }

  function mount(self, state, field, config) {
    const frame = field.frame = document.createElement("iframe");
    frame.title = field.title;
    frame.src = new URL("frame/" + field.kind + ".html?session=" + encodeURIComponent(config.session), base).href;
    // Set by script, so that no policy of the page forbids it. A frame of another colour scheme
    // than its page would be opaque.
    Object.assign(frame.style, { display: "block", width: "100%", height: field.box.clientHeight ? "100%" : "3rem", border: "0", colorScheme: "light" });
    frame.addEventListener("load", function () { connect(self, state, field, config); });
    const up = new Promise(function (resolve, reject) {
      const timer = setTimeout(function () {
        reject(new Error("HostedFields: the field \"" + field.kind + "\" did not come up. Is the session token valid, is " + location.origin + " an origin of the merchant or of the session, and does the page's policy allow frames from " + base.origin + "?"));
      }, patience);
      field.stop = function () { clearTimeout(timer); resolve(); };
    });
    field.ready = function (refused) {
      field.open = true;
      field.stop();
      (Array.isArray(refused) ? refused : []).forEach(function (text) { config.dropped.add(String(text)); });
    };
    field.box.replaceChildren(frame);
    return up;
  }

  function unmount(state) {
    state.fields.forEach(function (field) {
      if (field.port) { field.port.close(); }
      field.stop();
      field.frame.remove();
    });
  }

  function randomId() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), function (b) { return b.toString(16).padStart(2, "0"); }).join("");
  }

  class HostedFields {
    constructor() {
      this.cardOn = {};
      this.expiryOn = {};
      this.cvvOn = {};
      this.onSubmitResult = null;
    }

    // init puts the fields on the page, and replaces an earlier init of this instance.
    init(config) {
      const checked = read(config), before = states.get(this);
      if (before) { unmount(before); }
      const state = { instance: randomId(), fields: checked.fields, pending: 0, count: 0 };
      states.set(this, state);
      return Promise.all(checked.fields.map((field) => mount(this, state, field, checked))).then(function () { warn(checked.dropped); });
    }

    // collectIframesData makes the card's frame send the input to the gateway; onSubmitResult gets the
    // result. A call while another is under way does nothing.
    collectIframesData() {
      const state = states.get(this);
      if (!state) { fail("call init before collectIframesData"); }
      if (state.pending) { return; }
      state.pending = ++state.count;
      if (!state.fields.every(function (field) { return field.open; })) {
        setTimeout(() => finish(this, state, "undefined", "The card fields are not ready."));
        return;
      }
      state.fields[0].port.postMessage({ type: "collect", id: state.pending });
    }
  }

  // The class is an instance too: HostedFields.init(config).
  const shared = new HostedFields();
  ["init", "collectIframesData"].forEach(function (name) { HostedFields[name] = shared[name].bind(shared); });
  ["cardOn", "expiryOn", "cvvOn", "onSubmitResult"].forEach(function (name) {
    Object.defineProperty(HostedFields, name, { get: function () { return shared[name]; }, set: function (value) { shared[name] = value; } });
  });
  window.HostedFields = HostedFields;
})();
