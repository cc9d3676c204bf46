// Runs before the first paint, so that neither a chosen theme nor moved dividers flash. The switch and the dividers
// themselves are islands.
(function () {
  var root = document.documentElement;
  root.classList.add("js");
  try {
    var theme = localStorage.getItem("paperjudge:theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    var layout = JSON.parse(localStorage.getItem("paperjudge:layout")) || {};
    ["reading", "editor"].forEach(function (name) {
      var share = layout[name];
      if (share > 0.1 && share < 0.9) root.style.setProperty("--" + name + "-share", String(share));
    });
  } catch (error) {
    // Storage is switched off or holds something else: the system's theme and the usual layout are shown.
  }
})();
