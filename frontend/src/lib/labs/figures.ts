/** Numbers of the labs as text. What is not a number is never shown as one. */

const MINUS = "\u2212";
const NONE = "\u2013";

/** `value` with so many decimals and a real minus sign; a dash for what is missing, infinite or not a number. */
export function fixed(value: number | null, digits: number): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  const text = value.toFixed(digits);
  // What rounds to zero has no sign.
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", MINUS);
}

/** The shortest text of a setting: `0.2`, `64`, `0.999`. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  return String(Number(value.toPrecision(6))).replace("-", MINUS);
}

/** `11 of 64 (17 %)`. */
export function share(part: number, whole: number): string {
  if (whole === 0) return "0 of 0";
  return `${part} of ${whole} (${Math.round((100 * part) / whole)} %)`;
}

/** The letter of a class: A, B, C ... */
export function letter(label: number): string {
  return String.fromCharCode(65 + label);
}
