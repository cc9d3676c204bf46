/** The switch between the system's theme, light and dark. `theme.js` applies the choice before the first paint. */

const KEY = "paperjudge:theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const LABELS: Record<Theme, string> = {
  system: "Theme: as the system",
  light: "Theme: light",
  dark: "Theme: dark",
};

const ICONS: Record<Theme, string> = {
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  dark: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z",
};

function current(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

function choose(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage is switched off: the choice holds for this page.
  }
}

export function mountIsland(target: HTMLElement): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "icon-button";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.append(path);
  button.append(svg);
  const show = (): void => {
    const theme = current();
    path.setAttribute("d", ICONS[theme]);
    button.setAttribute("aria-label", LABELS[theme]);
    button.title = LABELS[theme];
  };
  button.addEventListener("click", () => {
    choose(THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length] ?? "system");
    show();
  });
  show();
  target.replaceChildren(button);
}
