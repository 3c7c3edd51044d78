import type { Client, components } from '#client';

export type Creditor = components['schemas']['Creditor'];

/** The creditor changes only if the service restarts with other settings. */
const CREDITOR_TTL_MS = 60_000;
const CREDITOR_RETRY_MS = 2_000;

/** Reads the creditor in the background: pages show the last known creditor and never wait for the service. */
export class CreditorCache {
  readonly #api: Client;
  #creditor: Creditor | undefined;
  #refreshAt = Number.NEGATIVE_INFINITY;

  constructor(api: Client) {
    this.#api = api;
  }

  /** Returns undefined until the service has responded once. */
  getCreditor(): Creditor | undefined {
    if (performance.now() >= this.#refreshAt) void this.refresh();
    return this.#creditor;
  }

  async refresh(): Promise<void> {
    this.#refreshAt = performance.now() + CREDITOR_RETRY_MS;
    try {
      this.#creditor = await this.#api.getCreditor();
      this.#refreshAt = performance.now() + CREDITOR_TTL_MS;
    } catch {
      // Ignored: pages that need the service report themselves that it is unavailable.
    }
  }
}
