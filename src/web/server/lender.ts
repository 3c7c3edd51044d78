import type { Client, components } from '#client';

export type Creditor = components['schemas']['Creditor'];

/** It changes only when the service restarts with other settings. */
const FRESH_MS = 60_000;
const RETRY_MS = 2_000;

/** The creditor, read from the service in the background: pages show the last known one and never wait for it. */
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
      // Ignored: pages that need the service report its absence themselves.
    }
  }
}
