// Presses the only button of the page, as the payer would.
"use strict";
(() => {
  const forward = document.getElementById("forward");
  if (forward instanceof HTMLFormElement) forward.submit(); else location.replace(forward.href);
})();
