import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createClient, nodeTransport } from '#client';
import { createStaffClient, type StaffClient, type StaffSchemas } from '#staff-client';
import type { WebOptions } from '../start.ts';

type SandboxOptions = NonNullable<WebOptions['sandbox']> & { apiUrl: string };
type ClockReading = StaffSchemas['ClockReading'];

/** Advancing the clock runs everything that becomes due in between, which takes time. */
const transport = nodeTransport({ timeoutMs: 30_000 });
const MAX_MESSAGES = 3;
const CLOCK_CACHE_MS = 500;

/**
 * Performs the actions of the sandbox bar: reads messages, moves the clock and creates offers. Uses the staff API and the key of a demo
 * merchant. Does not exist in live mode.
 */
export class SandboxClient {
  readonly staff: StaffClient;
  readonly #options: SandboxOptions;
  readonly #clock = new LRUCache<'clock', ClockReading>({ max: 1, ttl: CLOCK_CACHE_MS });

  constructor(options: SandboxOptions) {
    const { staffUrl, staffKey } = options;
    this.#options = options;
    this.staff = createStaffClient({
      url: staffUrl,
      transport,
      headers: { 'x-api-key': staffKey },
      maxAttempts: 1,
    });
  }

  /** Messages to this phone, newest first. The call waits for a message that is still being sent. */
  async listMessages(phone: string): Promise<Array<StaffSchemas['SandboxMessage']>> {
    return (await this.staff.listMessages({ query: { phone, limit: MAX_MESSAGES } })).data;
  }

  async readClock(): Promise<ClockReading> {
    const cachedReading = this.#clock.get('clock');
    if (cachedReading) return cachedReading;
    const reading = await this.staff.getClock();
    this.#clock.set('clock', reading);
    return reading;
  }

  /** Advances the clock by an ISO 8601 duration; undefined resets it. */
  async moveClock(duration: string | undefined): Promise<void> {
    const reading =
      duration === undefined
        ? await this.staff.resetClock()
        : await this.staff.moveClock({ body: { advance: duration } });
    this.#clock.set('clock', reading);
  }

  /** Creates an offer of the demo bakery for this phone; without a phone, for the first person who opens its link. */
  createOffer(phone?: string): Promise<{ id: string; link: string }> {
    const { apiUrl, merchantKey } = this.#options;
    const merchantApi = createClient({ url: apiUrl, key: merchantKey, transport });
    const body = {
      ...(phone && { phone }),
      amount: 120,
      installments: 4,
      description: 'Cesta de café da manhã',
    };
    return merchantApi.createOffer({ body, idempotencyKey: randomUUID() });
  }
}
