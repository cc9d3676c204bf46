/** Follows a verification until it is over, also across a lost connection. */

import { type Api, Refusal } from "../../lib/api";
import { isOver, RunSchema, type Run } from "../../lib/desk";
import { retryDelay } from "../../lib/polling";

const POLL_MS = 600;

export class Watcher {
  run: Run | null = $state.raw(null);
  /** Attempts in a row that got no answer. */
  failures = $state(0);

  private turn = 0;

  constructor(
    private readonly api: Api,
    private readonly onOver: (run: Run) => void,
  ) {}

  /** Shows it, and follows it if it is not over. */
  show(run: Run): void {
    this.run = run;
    if (!isOver(run)) void this.follow(run.state_url, ++this.turn);
  }

  async cancel(): Promise<void> {
    const { run } = this;
    if (run === null || isOver(run)) return;
    const ended = await this.api.send(run.cancel_url, RunSchema, "POST");
    this.turn += 1;
    this.run = ended;
    this.onOver(ended);
  }

  private async follow(url: string, turn: number): Promise<void> {
    while (turn === this.turn) {
      await new Promise((resolve) => setTimeout(resolve, this.failures === 0 ? POLL_MS : retryDelay(this.failures)));
      if (turn !== this.turn) return;
      try {
        const run = await this.api.send(url, RunSchema, "GET");
        if (turn !== this.turn) return;
        this.failures = 0;
        this.run = run;
        if (!isOver(run)) continue;
        this.onOver(run);
        return;
      } catch (error) {
        if (error instanceof Refusal && error.status < 500 && error.status !== 429) return;
        this.failures += 1;
      }
    }
  }
}
