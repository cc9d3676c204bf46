/** A list of which two can be compared: a third that is ticked unticks the one that was ticked first. */

export function mountIsland(target: HTMLElement): void {
  const button = target.querySelector<HTMLButtonElement>('button[type="submit"]');
  let chosen = [...target.querySelectorAll<HTMLInputElement>('input[name="run"]:checked')];
  const show = (): void => {
    if (button !== null) button.disabled = chosen.length !== 2;
  };
  target.addEventListener("change", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || box.name !== "run") return;
    chosen = chosen.filter((other) => other !== box);
    if (box.checked) chosen.push(box);
    for (const other of chosen.splice(0, Math.max(0, chosen.length - 2))) other.checked = false;
    show();
  });
  show();
}
