import { gzipSync } from 'node:zlib';
import { attemptDueDebits } from './autopay/payer.ts';
import type { Bank } from './bank.ts';
import { enqueuePixCallback } from './callbacks.ts';
import type { Faults } from './faults.ts';
import {
  claimDeliveries,
  type DueDelivery,
  findMsUntilNextDue,
  markDelivered,
  markFailed,
  scheduleRetry,
} from './store/deliveries.ts';
import { hasDueRefunds, settleDueRefunds } from './store/pix.ts';

export type WebhookFetch = (url: string, init: RequestInit) => Promise<Response>;

type DispatcherOptions = {
  webhookFetch: WebhookFetch;
  /** The delay before each retry. After the last retry the callback has failed. */
  retryDelaysMs: readonly number[];
  timeoutMs: number;
};

/** Banks may report several payments in one callback. */
const MAX_ENTRIES_PER_CALLBACK = 20;
const BATCH_SIZE = 100;
/** Nodes poll at least this often for callbacks that another node left behind. */
const MAX_SLEEP_MS = 1_000;
const MIN_SLEEP_MS = 5;
const CLAIM_MARGIN_MS = 2_000;

/** The standard requires the status 200 of a receiver. Any other outcome of `#post` is a failure. */
const DELIVERED_OUTCOME = 'status 200';

/** The standard's name of the JSON list in each kind of callback. */
const LIST_NAMES: Record<DueDelivery['kind'], string> = { pix: 'pix', rec: 'recs', cobr: 'cobsr' };

/** Sends callbacks that are due, and settles refunds. Every node has a dispatcher; claims prevent two nodes from sending the same callback. */
export class Dispatcher {
  readonly #bank: Bank;
  readonly #options: DispatcherOptions;
  readonly #stopController = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #currentRun: Promise<void> | undefined;
  #isWakePending = false;

  constructor(bank: Bank, options: DispatcherOptions) {
    this.#bank = bank;
    this.#options = options;
  }

  wake(): void {
    if (this.#stopController.signal.aborted) return;
    if (this.#currentRun) {
      this.#isWakePending = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#isWakePending = false;
    this.#currentRun = this.#run()
      .catch((error: unknown) => {
        if (!this.#stopController.signal.aborted)
          this.#bank.log.warn({ err: error }, 'PSP simulator: callbacks are postponed');
        return MAX_SLEEP_MS;
      })
      .then((sleepMs) => {
        this.#currentRun = undefined;
        if (this.#stopController.signal.aborted) return;
        this.#timer = setTimeout(() => this.wake(), this.#isWakePending ? 0 : sleepMs);
        this.#timer.unref();
      });
  }

  /** Aborts the calls in progress. Their callbacks stay queued. */
  async stop(): Promise<void> {
    this.#stopController.abort();
    clearTimeout(this.#timer);
    await this.#currentRun;
  }

  /** Returns the milliseconds until the next run. */
  async #run(): Promise<number> {
    await this.#settleRefunds();
    await attemptDueDebits(this.#bank);
    const { db } = this.#bank;
    const dueDeliveries = await claimDeliveries(db, BATCH_SIZE, this.#options.timeoutMs + CLAIM_MARGIN_MS);
    const deliveriesByUrl = Map.groupBy(dueDeliveries, ({ url, kind }) => `${url}/${kind}`);
    await Promise.all([...deliveriesByUrl].map(([url, deliveries]) => this.#sendAll(url, deliveries)));
    if (dueDeliveries.length === BATCH_SIZE) return 0;
    const msUntilNextDue = await findMsUntilNextDue(db);
    return Math.min(MAX_SLEEP_MS, Math.max(msUntilNextDue ?? MAX_SLEEP_MS, MIN_SLEEP_MS));
  }

  async #sendAll(url: string, deliveries: DueDelivery[]): Promise<void> {
    for (let i = 0; i < deliveries.length; i += MAX_ENTRIES_PER_CALLBACK)
      await this.#send(url, deliveries.slice(i, i + MAX_ENTRIES_PER_CALLBACK));
  }

  async #send(url: string, batch: DueDelivery[]): Promise<void> {
    const { db } = this.#bank;
    const listIds = (deliveries: DueDelivery[]) => deliveries.map(({ id }) => id);
    const outcome = await this.#post(url, batch);
    if (outcome === DELIVERED_OUTCOME) {
      await markDelivered(db, listIds(batch), outcome);
      return;
    }
    for (const [attempts, deliveries] of Map.groupBy(batch, (delivery) => delivery.attempts)) {
      // Callbacks that `stop` has aborted are due immediately, for another node.
      const retryAfterMs = this.#stopController.signal.aborted
        ? 0
        : this.#options.retryDelaysMs[attempts - 1];
      if (retryAfterMs === undefined) await markFailed(db, listIds(deliveries), outcome);
      else await scheduleRetry(db, listIds(deliveries), outcome, retryAfterMs);
    }
  }

  /** Returns 'status 200' or another status, or the code or name of the error. */
  async #post(url: string, batch: DueDelivery[]): Promise<string> {
    try {
      const { notice_format } = await this.#bank.faultSettings.getCurrent();
      const entries = batch.map(({ content }) => content);
      const { urlSuffix = '', ...init } = renderCallback(notice_format, LIST_NAMES[batch[0]!.kind], entries);
      const response = await this.#options.webhookFetch(`${url}${urlSuffix}`, {
        method: 'POST',
        ...init,
        redirect: 'manual',
        signal: AbortSignal.any([this.#stopController.signal, AbortSignal.timeout(this.#options.timeoutMs)]),
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
    const faults = await faultSettings.getCurrent();
    await db.transaction(async (tx) => {
      for (const endToEndId of await settleDueRefunds(tx, clock.now()))
        await enqueuePixCallback({ tx, bank: this.#bank, faults }, endToEndId);
    });
  }
}

type CallbackRequest = {
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
  urlSuffix?: string;
};

function renderCallback(
  callbackFormat: Faults['notice_format'],
  listName: string,
  entries: unknown[],
): CallbackRequest {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ [listName]: entries });
  switch (callbackFormat) {
    case 'gzip':
      return { headers: { ...headers, 'content-encoding': 'gzip' }, body: Uint8Array.from(gzipSync(body)) };
    case 'array':
      return { headers, body: JSON.stringify(entries) };
    case 'object':
      return { headers, body: entries.length === 1 ? JSON.stringify({ [listName]: entries[0] }) : body };
    case 'no_content_type':
      return { headers: {}, body: new TextEncoder().encode(body) };
    case 'trailing_slash':
      return { headers, body, urlSuffix: '/' };
    default:
      return { headers, body };
  }
}
