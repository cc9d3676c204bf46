/** Follows one submission: asks for its state until it has ended, also across a lost connection. */

import { type Api, NoConnection, Refusal } from "../../lib/api";
import { pollDelay, retryDelay } from "../../lib/polling";
import { isNewAttempt, mergeState, nextOrder } from "../../lib/report";
import type { State } from "../../lib/schemas";

export class Follower {
  state: State | null = $state.raw(null);
  /** Attempts in a row that got no answer. */
  failures = $state(0);
  /** What the server said when it refused to go on. */
  refusal: Refusal | null = $state.raw(null);
  /** True until the run has ended. */
  following = $state(false);
  /** When the followed run was sent, by this browser's clock. */
  startedAt = $state(0);

  private abort = new AbortController();
  private wake: (() => void) | null = null;

  constructor(
    private readonly api: Api,
    private readonly onFinished: (state: State) => void = () => {},
  ) {
    document.addEventListener("visibilitychange", () => this.wake?.());
    window.addEventListener("online", () => this.wake?.());
  }

  /** Shows a state that is known already, and follows it when it has not ended. */
  show(state: State): void {
    this.stop();
    this.state = state;
    if (state.state === "finished") return;
    const age = Date.now() - Date.parse(state.created_at);
    void this.run(`${state.url}state/`, Date.now() - Math.max(0, age), this.abort.signal);
  }

  /** Follows a submission that was just sent. */
  follow(stateUrl: string): void {
    this.stop();
    this.state = null;
    void this.run(stateUrl, Date.now(), this.abort.signal);
  }

  stop(): void {
    this.abort.abort();
    this.abort = new AbortController();
    this.following = false;
    this.failures = 0;
    this.refusal = null;
  }

  private async run(url: string, startedAt: number, signal: AbortSignal): Promise<void> {
    this.startedAt = startedAt;
    this.following = true;
    while (!signal.aborted) {
      try {
        const finished = await this.ask(url, signal);
        if (finished) break;
        await this.pause(pollDelay(Date.now() - startedAt), signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refusal && error.status < 500 && error.status !== 429) {
          this.refusal = error;
          break;
        }
        if (!(error instanceof NoConnection) && !(error instanceof Refusal)) throw error;
        this.failures += 1;
        await this.pause(retryDelay(this.failures), signal);
      }
    }
    if (!signal.aborted) this.following = false;
  }

  /** One request; true when the run has ended and all of it is known. */
  private async ask(url: string, signal: AbortSignal): Promise<boolean> {
    const first = this.state === null || (this.state.planned.length === 0 && this.state.checks.length === 0);
    let update = await this.api.state(url, first ? 0 : nextOrder(this.state), signal);
    if (isNewAttempt(this.state, update)) update = await this.api.state(url, 0, signal);
    if (signal.aborted) return true;
    this.failures = 0;
    this.state = mergeState(this.state, update);
    if (this.state.state !== "finished") return false;
    this.onFinished(this.state);
    return true;
  }

  /** Waits, for as long as the page is hidden too; coming back, and coming online, end the wait. */
  private async pause(delay: number, signal: AbortSignal): Promise<void> {
    await this.sleep(delay, signal);
    while (document.hidden && !signal.aborted) await this.sleep(null, signal);
  }

  private sleep(delay: number | null, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = delay === null ? undefined : setTimeout(() => end(), delay);
      const end = (): void => {
        clearTimeout(timer);
        this.wake = null;
        signal.removeEventListener("abort", end);
        resolve();
      };
      this.wake = end;
      signal.addEventListener("abort", end);
    });
  }
}
