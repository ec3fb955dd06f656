// The waiting pages work without this file. It checks for changes without flicker, counts down, copies
// and redirects.
(function () {
  "use strict";

  var byId = function (id) { return document.getElementById(id); };
  var body = document.body.dataset, live = byId("live"), show = byId("show");

  // same is a text of the page as long as nothing has changed.
  var same = 'data-turn="' + body.turn + '"' + (body.shown ? ' data-shown="' + body.shown + '"' : "");

  // look reloads only when the page has changed, so that it does not flicker.
  function look(tries) {
    setTimeout(function () {
      fetch(location.pathname, { redirect: "manual", cache: "no-store" }).then(function (answer) {
        return answer.type === "opaqueredirect" ? "" : answer.text();
      }).then(function (text) {
        if (text.indexOf(same) < 0) { location.replace(location.pathname); } else { look(tries + 1); }
      }).catch(function () { look(tries + 1); });
    }, tries < 15 ? 2000 : 5000);
  }

  // countDown shows the end in the payer's time zone and the time left: visible every second, read out once.
  function countDown(until, left) {
    var end = Date.parse(until.dateTime), said = end - Date.now() < 60000;
    if (isNaN(end)) { return; }
    var day = new Date(end).toDateString() === new Date().toDateString() ? undefined : "long";
    until.textContent = new Date(end).toLocaleString(document.documentElement.lang + "-u-nu-latn", { dateStyle: day, timeStyle: "short" });
    function tick() {
      var seconds = Math.max(0, Math.round((end - Date.now()) / 1000)), rest = seconds % 60;
      if (left && seconds < 7200) {
        left.textContent = left.dataset.left.replace("%s", Math.floor(seconds / 60) + ":" + (rest < 10 ? "0" : "") + rest);
      }
      if (!said && seconds < 60) { said = true; live.textContent = until.dataset.soon; }
      if (seconds > 0) { setTimeout(tick, 1000); }
    }
    tick();
  }

  function select(element) {
    var range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }

  // copy uses the old command when the page is not on https or is in a frame.
  function copy(element, done) {
    var old = function () {
      select(element);
      if (document.execCommand("copy")) { done(); }
    };
    if (!navigator.clipboard) { old(); return; }
    navigator.clipboard.writeText(element.textContent).then(done, old);
  }

  function addCopyButton(element) {
    var button = document.createElement("button"), row = element.closest("div"), name = row.querySelector("dt");
    button.type = "button";
    button.className = "copy";
    button.textContent = show.dataset.copy;
    if (name) { button.setAttribute("aria-label", show.dataset.copyThis.replace("%s", function () { return name.textContent; })); }
    button.addEventListener("click", function () {
      copy(element, function () {
        button.textContent = live.textContent = show.dataset.copied;
        setTimeout(function () { button.textContent = show.dataset.copy; live.textContent = ""; }, 2500);
      });
    });
    (element.closest("dd") || row).appendChild(button);
  }

  if (show) { show.querySelectorAll(".value").forEach(addCopyButton); }
  if (byId("until")) { countDown(byId("until"), byId("left")); }
  if (show || byId("wait")) { look(0); }
  var forward = byId("forward"), leave = byId("leave");
  if (forward && forward.tagName === "FORM") { HTMLFormElement.prototype.submit.call(forward); }
  if (forward && forward.tagName === "A") { location.replace(forward.href); }
  if (leave && leave.hasAttribute("data-auto")) { leave.click(); }
})();
