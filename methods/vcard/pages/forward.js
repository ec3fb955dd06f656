"use strict";
document.getElementById("forward").submit();
