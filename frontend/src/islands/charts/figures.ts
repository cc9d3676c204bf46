/** Each kind of chart as options for Observable Plot. */

import { axisX, axisY, barY, dot, gridY, lineY, rectY, ruleX, ruleY, text, type PlotOptions } from "@observablehq/plot";
import { type Chart, count, dayMarks, dayParts, runPoints } from "../../lib/charts";
import { ACCENT, CONTEXT, INK, MUTED, RULE } from "../labs/plot";

const PASSED = "var(--passed)";
const FAULT = "var(--waiting)";

export function optionsOf(chart: Chart, width: number): PlotOptions {
  if (chart.kind === "days") return days(chart);
  return chart.kind === "attempts" ? attempts(chart, width) : timeline(chart, width);
}

function days(chart: Chart): PlotOptions {
  const parts = dayParts(chart.rows);
  const colors: Record<string, string> = { solved: PASSED, "not solved": CONTEXT, "our fault": FAULT };
  return {
    marginLeft: 48,
    marginTop: 24,
    x: { type: "utc" },
    y: { nice: true },
    marks: [
      gridY({ stroke: RULE, strokeOpacity: 1 }),
      rectY(parts, {
        x: "day",
        interval: "day",
        y: "runs",
        fill: (part: { part: string }) => colors[part.part] ?? CONTEXT,
        insetLeft: 1,
        insetRight: 1,
      }),
      axisX({ label: null, color: MUTED, ticks: 6 }),
      axisY({ label: "runs (green: solved)", labelArrow: "none", color: MUTED, ticks: 4, tickSize: 0 }),
      ruleY([0], { stroke: CONTEXT }),
    ],
  };
}

function attempts(chart: Chart, width: number): PlotOptions {
  const bars = chart.rows.map(([label, learners], place) => ({ label, place: place + 1, learners: count(learners) }));
  const every = Math.max(1, Math.ceil(bars.length / Math.max(1, width / 44)));
  const median = chart.median;
  return {
    marginLeft: 48,
    marginTop: 24,
    marginBottom: 40,
    x: { type: "band", domain: bars.map((bar) => bar.place), padding: 0.15 },
    y: { nice: true },
    marks: [
      gridY({ stroke: RULE, strokeOpacity: 1 }),
      barY(bars, {
        x: "place",
        y: "learners",
        fill: (bar: { place: number }) => (median !== null && bar.place === Math.round(median) ? ACCENT : CONTEXT),
      }),
      ...(median === null
        ? []
        : [
            text(
              bars.filter((bar) => bar.place === Math.round(median)),
              { x: "place", y: "learners", text: () => "median", dy: -8, fill: INK },
            ),
          ]),
      axisX({
        label: "attempts",
        labelArrow: "none",
        color: MUTED,
        // Counted from the end where that is "30 or more", which is the one that nobody would guess.
        ticks: bars.map((bar) => bar.place).filter((place) => (bars.length - place) % every === 0),
        tickFormat: (place: number) => String(bars[place - 1]?.label ?? place).replace(" or more", "+"),
        tickSize: 0,
      }),
      axisY({ label: "learners", labelArrow: "none", color: MUTED, ticks: 4, tickSize: 0 }),
      ruleY([0], { stroke: CONTEXT }),
    ],
  };
}

function timeline(chart: Chart, width: number): PlotOptions {
  const points = runPoints(chart.rows);
  const marks = dayMarks(points, Math.max(1, (points.length * 64) / Math.max(1, width)));
  const colors = { solved: PASSED, failed: ACCENT, fault: FAULT };
  const isLate = (mark: { place: number }) => (1 - mark.place / points.length) * width < 48;
  const most = Math.max(1, ...points.map((point) => point.total));
  return {
    marginLeft: 48,
    marginTop: 24,
    marginBottom: 32,
    x: { domain: [0.5, points.length + 0.5], axis: null },
    y: { domain: [0, most] },
    marks: [
      gridY({ stroke: RULE, strokeOpacity: 1 }),
      ruleX(marks, { x: "place", stroke: RULE }),
      lineY(points, { x: "place", y: "passed", stroke: ACCENT, strokeWidth: 1.2, curve: "step-after" }),
      dot(points, {
        x: "place",
        y: "passed",
        r: 3.5,
        symbol: (point: { look: string }) => (point.look === "solved" ? "diamond" : "circle"),
        fill: (point: { look: "solved" | "failed" | "fault" }) => colors[point.look],
        title: (point: { number: number; passed: number; total: number; ended: string }) =>
          `Run ${point.number}: ${point.passed} of ${point.total}, ${point.ended.replaceAll("_", " ")}`,
      }),
      // A day that begins near the right edge has its name at the left of its line.
      text(
        marks.filter((mark) => !isLate(mark)),
        { x: "place", y: 0, text: "text", dy: 16, fill: MUTED, textAnchor: "start" },
      ),
      text(marks.filter(isLate), { x: "place", y: 0, text: "text", dy: 16, fill: MUTED, textAnchor: "end" }),
      axisY({ label: "checks passed (diamond: solved)", labelArrow: "none", color: MUTED, ticks: 4, tickSize: 0 }),
      ruleY([0], { stroke: CONTEXT }),
    ],
  };
}
