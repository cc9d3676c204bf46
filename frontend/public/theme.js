// Runs before the first paint, so that a chosen theme never flashes. The switch itself is an island.
(function () {
  var root = document.documentElement;
  root.classList.add("js");
  try {
    var theme = localStorage.getItem("paperjudge:theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch (error) {
    // Storage is switched off: the system's theme is shown.
  }
})();
