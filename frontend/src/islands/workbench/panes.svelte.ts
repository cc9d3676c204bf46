/** Which part of the page a narrow screen shows. On a wide one all of them are seen at once. */

export type Pane = "statement" | "code" | "report";

export const PANES: readonly { readonly id: Pane; readonly title: string; readonly element: string }[] = [
  { id: "statement", title: "Statement", element: "statement-pane" },
  { id: "code", title: "Code", element: "code-pane" },
  { id: "report", title: "Report", element: "report-pane" },
];

const WIDE = "(min-width: 1100px)";

export class Panes {
  current: Pane = $state("statement");
  wide = $state(true);

  constructor(private readonly root: HTMLElement) {
    const query = matchMedia(WIDE);
    this.wide = query.matches;
    query.addEventListener("change", () => (this.wide = query.matches));
    this.choose("statement");
    // A link into the statement shows the statement first, so that the browser can scroll to its target.
    document.addEventListener("click", (event) => this.followLink(event), { capture: true });
    window.visualViewport?.addEventListener("resize", () => this.fitViewport());
  }

  choose(pane: Pane): void {
    this.current = pane;
    this.root.dataset["pane"] = pane;
  }

  private followLink(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
    if (link === null) return;
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (target !== null && target.closest("#statement-pane") !== null) this.choose("statement");
  }

  /** Some browsers lay the keyboard over the page instead of shrinking it: the page then takes what is left. */
  private fitViewport(): void {
    const viewport = window.visualViewport;
    if (viewport === null || viewport.scale !== 1) return;
    const covered = window.innerHeight - viewport.height;
    const { style } = document.documentElement;
    if (covered > 80) style.setProperty("--viewport", `${Math.round(viewport.height)}px`);
    else style.removeProperty("--viewport");
  }
}
