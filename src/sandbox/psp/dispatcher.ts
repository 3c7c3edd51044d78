import { gzipSync } from 'node:zlib';
import { tryDebits } from './autopay/tries.ts';
import type { Bank } from './bank.ts';
import type { Faults } from './faults.ts';
import { enqueueNotice } from './notices.ts';
import {
  claimDeliveries,
  type DueDelivery,
  findNextDueMs,
  markDelivered,
  markUndelivered,
} from './store/deliveries.ts';
import { hasDueRefunds, settleDueRefunds } from './store/pix.ts';

export type WebhookFetch = (url: string, init: RequestInit) => Promise<Response>;

type DispatcherOptions = {
  webhookFetch: WebhookFetch;
  /** Delays before each retry; after the last one fails the notice is given up. */
  retryAfterMs: readonly number[];
  timeoutMs: number;
};

/** Banks may group several payments in one notice. */
const MOST_IN_ONE_NOTICE = 20;
const BATCH_SIZE = 100;
/** Nodes poll at least this often for notices that another node left behind. */
const LONGEST_SLEEP_MS = 1_000;

/** The name of the list in each kind of notice. */
const LISTS: Record<DueDelivery['kind'], string> = { pix: 'pix', rec: 'recs', cobr: 'cobsr' };

/** Sends the notices that are due and settles refunds. It runs on every node; claims keep two nodes from sending the same notice. */
export class Dispatcher {
  readonly #bank: Bank;
  readonly #options: DispatcherOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #again = false;

  constructor(bank: Bank, options: DispatcherOptions) {
    this.#bank = bank;
    this.#options = options;
  }

  /** Looks for work now. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#working) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#again = false;
    this.#working = this.#work()
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted)
          this.#bank.log.warn({ err: error }, 'PSP simulator: notices are put off');
        return LONGEST_SLEEP_MS;
      })
      .then((sleepMs) => {
        this.#working = undefined;
        if (this.#stopping.signal.aborted) return;
        this.#timer = setTimeout(() => this.wake(), this.#again ? 0 : sleepMs);
        this.#timer.unref();
      });
  }

  /** Aborts the calls under way; their notices stay queued. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#working;
  }

  /** Returns how long to sleep. */
  async #work(): Promise<number> {
    await this.#settleRefunds();
    await tryDebits(this.#bank);
    const { db } = this.#bank;
    const due = await claimDeliveries(db, BATCH_SIZE, this.#options.timeoutMs + 2_000);
    const byAddress = Map.groupBy(due, ({ url, kind }) => `${url}/${kind}`);
    await Promise.all([...byAddress].map(([address, deliveries]) => this.#sendAll(address, deliveries)));
    if (due.length === BATCH_SIZE) return 0;
    const nextMs = await findNextDueMs(db);
    return Math.min(LONGEST_SLEEP_MS, Math.max(nextMs ?? LONGEST_SLEEP_MS, 5));
  }

  async #sendAll(address: string, deliveries: DueDelivery[]): Promise<void> {
    for (let i = 0; i < deliveries.length; i += MOST_IN_ONE_NOTICE) {
      await this.#send(address, deliveries.slice(i, i + MOST_IN_ONE_NOTICE));
    }
  }

  async #send(address: string, batch: DueDelivery[]): Promise<void> {
    const { db } = this.#bank;
    const idsOf = (deliveries: DueDelivery[]) => deliveries.map(({ id }) => id);
    const outcome = await this.#post(address, batch);
    if (outcome === 'status 200') return markDelivered(db, idsOf(batch), outcome);
    for (const [attempts, same] of Map.groupBy(batch, (delivery) => delivery.attempts)) {
      const retryAfterMs = this.#options.retryAfterMs[attempts - 1] ?? null;
      await markUndelivered(db, idsOf(same), outcome, this.#stopping.signal.aborted ? 0 : retryAfterMs);
    }
  }

  async #post(address: string, batch: DueDelivery[]): Promise<string> {
    try {
      const { notice_format } = await this.#bank.faultSettings.current();
      const entries = batch.map(({ pix }) => pix);
      const { suffix = '', ...sent } = writeNotice(notice_format, LISTS[batch[0]!.kind], entries);
      const response = await this.#options.webhookFetch(`${address}${suffix}`, {
        method: 'POST',
        ...sent,
        redirect: 'manual',
        signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(this.#options.timeoutMs)]),
      });
      await response.arrayBuffer();
      return `status ${response.status}`;
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      return cause?.code ?? name;
    }
  }

  async #settleRefunds(): Promise<void> {
    const { db, clock, faultSettings } = this.#bank;
    if (!(await hasDueRefunds(db))) return;
    const faults = await faultSettings.current();
    await db.transaction(async (tx) => {
      for (const endToEndId of await settleDueRefunds(tx, clock.now())) {
        await enqueueNotice({ tx, bank: this.#bank, faults }, endToEndId);
      }
    });
  }
}

type SentNotice = {
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
  suffix?: string;
};

/** `{"pix": [...]}` as JSON by the standard, or as the fault says. */
function writeNotice(format: Faults['notice_format'], list: string, entries: unknown[]): SentNotice {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ [list]: entries });
  switch (format) {
    case 'gzip':
      return { headers: { ...headers, 'content-encoding': 'gzip' }, body: Uint8Array.from(gzipSync(body)) };
    case 'array':
      return { headers, body: JSON.stringify(entries) };
    case 'object':
      return { headers, body: entries.length === 1 ? JSON.stringify({ [list]: entries[0] }) : body };
    case 'no_content_type':
      return { headers: {}, body: new TextEncoder().encode(body) };
    case 'trailing_slash':
      return { headers, body, suffix: '/' };
    default:
      return { headers, body };
  }
}
