/** Texts of files that are saved from a page. */

interface Picture {
  title: string;
  width: number;
  height: number;
  paper: string;
  ink: string;
}

const MARGIN = 16;
const HEAD = 32;

/** A whole SVG file around the inner of a drawn chart: on paper, with its title above. */
export function pictureSource(inner: string, { title, width, height, paper, ink }: Picture): string {
  const outer = { width: width + 2 * MARGIN, height: height + HEAD + 2 * MARGIN };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${outer.width}" height="${outer.height}" ` +
    `viewBox="0 0 ${outer.width} ${outer.height}" font-family="sans-serif">` +
    `<rect width="100%" height="100%" fill="${escaped(paper)}"/>` +
    `<text x="${MARGIN}" y="${MARGIN + 16}" font-size="15" font-weight="600" fill="${escaped(ink)}">${escaped(title)}</text>` +
    `<g transform="translate(${MARGIN} ${MARGIN + HEAD})">${inner}</g></svg>`
  );
}

/** Rows as CSV, with an apostrophe before what a spreadsheet would take for a formula. */
export function csvOf(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
