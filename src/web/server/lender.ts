import type { Client, components } from '#client';

export type Creditor = components['schemas']['Creditor'];

/** It changes only when the service is started with other settings. */
const FRESH_MS = 60_000;
const RETRY_MS = 2_000;

/** Whose credit it is, as the service tells. No page waits for it: it is asked for beside, and what was known last is shown. */
export class Lender {
  readonly #api: Client;
  #known: Creditor | undefined;
  #askAt = Number.NEGATIVE_INFINITY;

  constructor(api: Client) {
    this.#api = api;
  }

  /** Undefined while the service has not answered yet. */
  current(): Creditor | undefined {
    if (performance.now() >= this.#askAt) void this.read();
    return this.#known;
  }

  async read(): Promise<void> {
    this.#askAt = performance.now() + RETRY_MS;
    try {
      this.#known = await this.#api.getCreditor();
      this.#askAt = performance.now() + FRESH_MS;
    } catch {
      // A page that cannot be made without the service says so itself.
    }
  }
}
