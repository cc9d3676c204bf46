/** Charts and their tables as files. A picture stands alone: colors and type are written into it. */

import type { Chart } from "../../lib/charts";
import { csvOf, pictureSource } from "../../lib/saving";

const SCALE = 2;
const PROPERTIES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "font-size",
  "font-family",
  "font-weight",
] as const;

export function saveCsv(chart: Chart): void {
  download(`data:text/csv;charset=utf-8,${encodeURIComponent(csvOf(chart.columns, chart.rows))}`, `${chart.file}.csv`);
}

export async function savePicture(
  drawn: SVGSVGElement,
  title: string,
  file: string,
  form: "svg" | "png",
): Promise<void> {
  const { width, height } = drawn.getBoundingClientRect();
  const page = getComputedStyle(document.body);
  const source = pictureSource(standalone(drawn), {
    title,
    width: Math.round(width),
    height: Math.round(height),
    paper: page.backgroundColor,
    ink: page.color,
  });
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  if (form === "svg") return download(address, `${file}.svg`);
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(SCALE, SCALE);
  context.drawImage(image, 0, 0);
  download(canvas.toDataURL("image/png"), `${file}.png`);
}

/** The inner of a copy in which what the page's style sheet says is said by attributes. */
function standalone(drawn: SVGSVGElement): string {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  const originals = drawn.querySelectorAll<SVGElement>("*");
  copy.querySelectorAll<SVGElement>("*").forEach((element, place) => {
    const original = originals[place];
    if (original === undefined) return;
    const style = getComputedStyle(original);
    for (const property of PROPERTIES) element.setAttribute(property, style.getPropertyValue(property));
    element.removeAttribute("class");
    element.removeAttribute("style");
  });
  return copy.innerHTML;
}

function download(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
