/** One training run as the circle and the sphere show it: its settings, its clock, and what is read from it. */

import { type Bin, histogram } from "../../lib/labs/histogram";
import { type Curve, History } from "../../lib/labs/history";
import type { TrainingSettings } from "../../lib/labs/settings";
import { CLASSES, type Dimension, type Standing, Trainer } from "../../lib/labs/trainer";
import { prefersReducedMotion } from "./colors";

/** Numbers that change faster can't be read. */
const READ_MS = 200;
/** With reduced motion the picture changes at most that often. */
const CALM_MS = 500;
/** The class that is looked at follows the anchors of a running training no faster than this. */
const LOOK_MS = 1200;
const MOST_STEPS_PER_FRAME = 60;

/** What is shown as numbers: of one moment, so that they fit together. */
export interface Snapshot {
  readonly steps: number;
  readonly last: Standing | null;
  readonly recent: History["recent"];
  /** The class that is looked at: the one that was chosen, or the last anchor; null before the first step. */
  readonly shown: number | null;
  /** How that class stands now. */
  readonly standing: Standing | null;
  readonly bins: readonly Bin[];
  readonly places: readonly Place[];
}

export interface Place {
  readonly label: number;
  readonly query: readonly number[];
  readonly key: readonly number[];
  readonly similarity: number;
  readonly queued: number;
}

export class Training {
  settings: TrainingSettings;
  running = $state(false);
  /** The class that somebody chose to look at; null: the last anchor. */
  chosen: number | null = $state(null);
  snapshot: Snapshot;
  trainer: Trainer;

  private history = new History();
  private readonly pictures = new Set<() => void>();
  private frame = 0;
  private drawn = 0;
  private read = 0;
  private before = 0;
  private owed = 0;
  private look: number | null = null;
  private looked = 0;

  /** `stopped` is called whenever the run stands still after a change: then its state is worth keeping. */
  constructor(
    readonly dimension: Dimension,
    settings: TrainingSettings,
    private readonly stopped: (steps: number) => void,
  ) {
    this.settings = $state.raw(settings);
    this.trainer = new Trainer(dimension, settings.seed, settings.k);
    for (let step = 0; step < settings.steps; step += 1) this.advance();
    this.snapshot = $state.raw(this.observe());
  }

  /** Adds a picture that is drawn again after every change. Returns how to remove it. */
  addPicture(draw: () => void): () => void {
    this.pictures.add(draw);
    draw();
    return () => this.pictures.delete(draw);
  }

  get curve(): Curve {
    return this.history.curve;
  }

  change(settings: Partial<TrainingSettings>): void {
    this.settings = { ...this.settings, ...settings };
    this.trainer.queue.limit = this.settings.k;
    if (settings.seed !== undefined) this.reset();
    else this.rest();
  }

  choose(label: number | null): void {
    this.chosen = label;
    this.rest();
  }

  step(count: number): void {
    this.stop();
    for (let step = 0; step < count; step += 1) this.advance();
    this.rest();
  }

  /** Back to the beginning, with the same seed: the same run again. */
  reset(): void {
    this.stop();
    this.trainer = new Trainer(this.dimension, this.settings.seed, this.settings.k);
    this.history = new History();
    this.rest();
  }

  start(): void {
    if (this.running || document.hidden) return;
    this.running = true;
    this.owed = 1;
    this.before = performance.now();
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  stop(): void {
    if (!this.running) return;
    this.running = false;
    cancelAnimationFrame(this.frame);
    this.rest();
  }

  /** Draws what has changed at the next frame, such as the view. */
  redraw(): void {
    if (this.running) return;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  private tick(now: number): void {
    this.owed += (Math.min(250, now - this.before) * this.settings.speed) / 1000;
    this.before = now;
    const steps = Math.min(MOST_STEPS_PER_FRAME, Math.floor(this.owed));
    this.owed = Math.min(this.owed - steps, MOST_STEPS_PER_FRAME);
    for (let step = 0; step < steps; step += 1) this.advance();
    const pause = prefersReducedMotion() ? CALM_MS : 0;
    if (now - this.read >= Math.max(READ_MS, pause)) {
      this.read = now;
      this.snapshot = this.observe();
    }
    if (now - this.drawn >= pause) {
      this.drawn = now;
      this.draw();
    }
    this.frame = requestAnimationFrame((next) => this.tick(next));
  }

  private advance(): void {
    this.history.add(this.trainer.step(this.settings));
  }

  /** After a change by hand: everything is shown at once. */
  private rest(): void {
    this.snapshot = this.observe();
    this.draw();
    if (!this.running) this.stopped(this.trainer.steps);
  }

  private draw(): void {
    for (const draw of this.pictures) draw();
  }

  private observe(): Snapshot {
    const { trainer, history, settings } = this;
    const shown = this.lookedAt();
    return {
      steps: trainer.steps,
      last: history.last,
      recent: history.recent,
      shown,
      standing: shown === null ? null : trainer.standing(shown, settings.tau),
      bins: histogram(
        shown === null ? [] : trainer.negativeSimilarities(shown),
        (age) => trainer.queue.label(age) === shown,
      ),
      places: Array.from({ length: CLASSES }, (_, label) => this.place(label)),
    };
  }

  private lookedAt(): number | null {
    if (this.chosen !== null) return this.chosen;
    const anchor = this.history.last?.anchor ?? null;
    const now = performance.now();
    if (this.running && this.look !== null && now - this.looked < LOOK_MS) return this.look;
    this.looked = now;
    this.look = anchor;
    return anchor;
  }

  private place(label: number): Place {
    const { trainer, dimension } = this;
    const row = label * dimension;
    return {
      label,
      query: [...trainer.queries.subarray(row, row + dimension)],
      key: [...trainer.keys.subarray(row, row + dimension)],
      similarity: trainer.positive(label),
      queued: trainer.queue.count(label),
    };
  }
}
