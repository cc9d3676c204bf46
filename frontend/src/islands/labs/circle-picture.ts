/** The circle on a canvas. A thousand queue entries are copies of small pictures that are drawn once. */

import { letter } from "../../lib/labs/figures";
import { radians } from "../../lib/labs/infonce";
import { CLASSES, type Trainer } from "../../lib/labs/trainer";
import { CLASS_COLORS, type Colors } from "./colors";

/** Radii as shares of half the width: the circle itself, and the band of the queue around it. */
const CIRCLE = 0.66;
const BAND = [0.75, 0.97] as const;
const DISC = 11;
const RING = 14.5;
const DOT = 2.6;
/** Half the width of a queue entry's picture, its mark included. */
const TILE = 8;
const OLDEST = 0.16;
const OLDEST_MARKED = 0.5;

export interface Look {
  /** Rotation of the view in degrees. */
  readonly turn: number;
  readonly tau: number;
  readonly eta: number;
  /** The class whose pull and false negatives are shown. */
  readonly shown: number | null;
  readonly colors: Colors;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export class CirclePicture {
  private readonly context: CanvasRenderingContext2D;
  private tiles: HTMLCanvasElement | null = null;
  private tilesOf = "";
  private size = 0;
  private scale = 1;

  /** Throws where the browser gives no canvas. */
  constructor(private readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("This browser draws on no canvas.");
    this.context = context;
  }

  /** Fits the canvas to `size` pixels of the page. */
  resize(size: number, scale: number): void {
    this.size = size;
    this.scale = Math.min(2, scale);
    this.canvas.width = this.canvas.height = Math.round(size * this.scale);
  }

  /** Where the unit vector (x, y) is on the canvas, at `reach` times the radius of the circle. */
  spot(x: number, y: number, turn: number, reach = 1): Spot {
    const angle = radians(turn);
    const half = this.size / 2;
    const radius = half * CIRCLE * reach;
    return {
      x: half + radius * (x * Math.cos(angle) - y * Math.sin(angle)),
      y: half - radius * (x * Math.sin(angle) + y * Math.cos(angle)),
    };
  }

  /** The radius of the circle in pixels. */
  get radius(): number {
    return (this.size / 2) * CIRCLE;
  }

  draw(trainer: Trainer, look: Look): void {
    if (this.size === 0) return;
    const { context } = this;
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    context.clearRect(0, 0, this.size, this.size);
    this.drawCircle(look);
    this.drawQueue(trainer, look);
    if (look.shown !== null) this.drawPull(trainer, look, look.shown);
    for (let label = 0; label < CLASSES; label += 1) this.drawKey(trainer, look, label);
    for (let label = 0; label < CLASSES; label += 1) this.drawQuery(trainer, look, label);
  }

  private drawCircle(look: Look): void {
    const { context } = this;
    const half = this.size / 2;
    context.strokeStyle = look.colors["rule-strong"];
    context.lineWidth = 1;
    context.beginPath();
    context.arc(half, half, this.radius, 0, 2 * Math.PI);
    context.stroke();
    context.beginPath();
    for (let quarter = 0; quarter < 4; quarter += 1) {
      const [x, y] = [Math.cos((quarter * Math.PI) / 2), Math.sin((quarter * Math.PI) / 2)];
      const inner = this.spot(x, y, look.turn, 0.96);
      const outer = this.spot(x, y, look.turn, 1);
      context.moveTo(inner.x, inner.y);
      context.lineTo(outer.x, outer.y);
    }
    context.stroke();
    context.fillStyle = look.colors["ink-muted"];
    context.font = '500 12px "Inter", sans-serif';
    context.textAlign = "center";
    context.textBaseline = "middle";
    const zero = this.spot(1, 0, look.turn, 0.82);
    context.fillText("0°", zero.x, zero.y);
  }

  private drawQueue(trainer: Trainer, look: Look): void {
    const { context } = this;
    const { queue } = trainer;
    const tiles = this.queueTiles(look.colors);
    const side = 2 * TILE * this.scale;
    const span = Math.max(1, queue.limit - 1);
    for (let age = queue.length - 1; age >= 0; age -= 1) {
      const share = age / span;
      const label = queue.label(age);
      const marked = label === look.shown;
      const oldest = marked ? OLDEST_MARKED : OLDEST;
      const reach = (BAND[0] + (BAND[1] - BAND[0]) * share) / CIRCLE;
      const { x, y } = this.spot(queue.at(age, 0), queue.at(age, 1), look.turn, reach);
      context.globalAlpha = 1 - (1 - oldest) * share;
      context.drawImage(tiles, label * side, marked ? side : 0, side, side, x - TILE, y - TILE, 2 * TILE, 2 * TILE);
    }
    context.globalAlpha = 1;
  }

  /** From the query to its key, and along the circle to where the next step would put the query. */
  private drawPull(trainer: Trainer, look: Look, label: number): void {
    const { context } = this;
    const [x = 0, y = 0] = trainer.queries.subarray(2 * label);
    const [keyX = 0, keyY = 0] = trainer.keys.subarray(2 * label);
    const query = this.spot(x, y, look.turn);
    const key = this.spot(keyX, keyY, look.turn);
    context.strokeStyle = look.colors.accent;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(query.x, query.y);
    context.lineTo(key.x, key.y);
    context.stroke();
    const { direction, angle } = trainer.jump(label, look);
    const [towardsX = 0, towardsY = 0] = direction;
    const from = Math.atan2(y, x) + radians(look.turn);
    this.drawArrow(from, angle * Math.sign(x * towardsY - y * towardsX), look.colors.ink);
  }

  /** An arrow along the inside of the circle. */
  private drawArrow(from: number, by: number, color: string): void {
    const radius = this.radius - RING - 8;
    if (Math.abs(by) * radius < 1.5) return;
    const { context } = this;
    const half = this.size / 2;
    const head = Math.min(7, Math.abs(by) * radius);
    const to = from + by;
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(half, half, radius, -from, -(to - (Math.sign(by) * head * 0.6) / radius), by > 0);
    context.stroke();
    // The head points along the tangent at its tip.
    const back = to - (Math.sign(by) * head) / radius;
    const [tipX, tipY] = [half + radius * Math.cos(to), half - radius * Math.sin(to)];
    context.beginPath();
    context.moveTo(tipX, tipY);
    for (const side of [-1, 1]) {
      const reach = radius + side * head * 0.55;
      context.lineTo(half + reach * Math.cos(back), half - reach * Math.sin(back));
    }
    context.fill();
  }

  private drawKey(trainer: Trainer, look: Look, label: number): void {
    const { context } = this;
    const { x, y } = this.spot(trainer.keys[2 * label]!, trainer.keys[2 * label + 1]!, look.turn);
    context.beginPath();
    context.arc(x, y, RING, 0, 2 * Math.PI);
    context.lineWidth = 5;
    context.strokeStyle = look.colors.paper;
    context.stroke();
    context.lineWidth = 3;
    context.strokeStyle = CLASS_COLORS[label]!.fill;
    context.stroke();
  }

  private drawQuery(trainer: Trainer, look: Look, label: number): void {
    const { context } = this;
    const { fill, text } = CLASS_COLORS[label]!;
    const { x, y } = this.spot(trainer.queries[2 * label]!, trainer.queries[2 * label + 1]!, look.turn);
    context.beginPath();
    context.arc(x, y, DISC, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    context.lineWidth = label === look.shown ? 2 : 1;
    context.strokeStyle = label === look.shown ? look.colors.ink : look.colors.paper;
    context.stroke();
    context.fillStyle = text;
    context.font = '600 12px "Inter", sans-serif';
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(letter(label), x, y + 0.5);
  }

  /** One row of plain entries, one of marked ones; a column for each class. */
  private queueTiles(colors: Colors): HTMLCanvasElement {
    const wanted = `${this.scale} ${colors.ink}`;
    if (this.tiles !== null && this.tilesOf === wanted) return this.tiles;
    const tiles = document.createElement("canvas");
    tiles.width = CLASSES * 2 * TILE * this.scale;
    tiles.height = 4 * TILE * this.scale;
    const context = tiles.getContext("2d");
    if (context === null) return tiles;
    context.scale(this.scale, this.scale);
    for (let label = 0; label < CLASSES; label += 1) {
      for (const marked of [false, true]) {
        const [x, y] = [(2 * label + 1) * TILE, (marked ? 3 : 1) * TILE];
        context.beginPath();
        context.arc(x, y, DOT, 0, 2 * Math.PI);
        context.fillStyle = CLASS_COLORS[label]!.fill;
        context.fill();
        if (!marked) continue;
        context.beginPath();
        context.arc(x, y, DOT + 3, 0, 2 * Math.PI);
        context.lineWidth = 1.5;
        context.strokeStyle = colors.ink;
        context.stroke();
      }
    }
    this.tiles = tiles;
    this.tilesOf = wanted;
    return tiles;
  }
}
