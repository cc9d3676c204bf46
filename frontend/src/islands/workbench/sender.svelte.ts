/** Sends the code to be judged. Without a connection it tries again by itself, with the code as it was when sent. */

import { type Api, Refusal } from "../../lib/api";
import { retryDelay } from "../../lib/polling";
import type { Submitted } from "../../lib/schemas";

export class Sender {
  sending = $state(false);
  /** Attempts in a row that got no answer. */
  failures = $state(0);
  refusal: Refusal | null = $state.raw(null);

  private current = 0;

  constructor(
    private readonly api: Api,
    private readonly url: string,
  ) {}

  /** Puts the refusal aside. */
  dismiss(): void {
    this.refusal = null;
  }

  /** What the server answered, or null when it refused or a newer run took over. */
  async send(source: string): Promise<Submitted | null> {
    const mine = ++this.current;
    this.sending = true;
    this.failures = 0;
    this.refusal = null;
    while (mine === this.current) {
      try {
        const submitted = await this.api.submit(this.url, source);
        if (mine !== this.current) return null;
        this.sending = false;
        this.failures = 0;
        return submitted;
      } catch (error) {
        if (mine !== this.current) return null;
        if (error instanceof Refusal) {
          this.refusal = error;
          this.sending = false;
          return null;
        }
        this.failures += 1;
        await new Promise((resolve) => setTimeout(resolve, retryDelay(this.failures)));
      }
    }
    return null;
  }
}
