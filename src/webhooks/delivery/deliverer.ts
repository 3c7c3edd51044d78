import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '#module';
import { DatabaseUnavailable } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { waitWhileUrgent } from '#platform/jobs/concurrency.ts';
import { WEBHOOKS_TOPIC } from '../publish-store.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryOutcome,
  listDueWebhooks,
  settleDeliveries,
  type WebhookHealth,
} from './delivery-store.ts';
import type { WebhookMetrics } from './metrics.ts';
import { renderBody } from './render.ts';
import { computeRetryDelay, parseRetryAfter } from './retry-schedule.ts';
import { buildSignedHeaders, createSigningKey, decryptSecrets, selectActiveSecrets } from './secrets.ts';
import { type CallResult, isDelivered, type Sender, STOPPED } from './sender.ts';
import { listWebhooksById, type WebhookRow } from './store.ts';

const SWEEP_INTERVAL_MS = 1_000;
/** Two pools of concurrent calls: one for receivers that respond quickly, one for slow, failing and new receivers. */
const QUICK_CONCURRENCY = 192;
const SLOW_CONCURRENCY = 64;
/** Limits of concurrent calls to one receiver (`Lane.window`). */
const MAX_WINDOW = 16;
const MAX_SLOW_WINDOW = 4;
const SLOW_RESPONSE_MS = 1_000;
const SAVE_BATCH_SIZE = 500;
const IDLE_LANE_TTL_MS = 600_000;
const STOP_TIMEOUT_MS = 1_000;
/** The longest time that a claim waits for payments that are being settled. */
const MAX_YIELD_MS = 250;

type DelivererDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'vault' | 'changeFeed'> & {
  readonly sender: Sender;
  readonly metrics: Pick<WebhookMetrics, 'attemptCounter' | 'disabledCounter'>;
};

type DeliveryTarget = WebhookRow & { keys: readonly KeyObject[] };

/** The state of one webhook on this node. */
type Lane = {
  readonly id: string;
  inFlightCount: number;
  /** The limit of concurrent calls. It grows with every quick response, and falls to one after a failure. */
  window: number;
  /** Whether the last response was slow or a failure, or there was none yet. */
  isSlow: boolean;
  /** Whether the webhook may have more due deliveries to claim. */
  mayHaveMoreDue: boolean;
  lastUsedAtMs: number;
  target?: DeliveryTarget;
};

type FinishedCall = { lane: Lane; outcome: DeliveryOutcome; callResult: CallResult; onSaved: () => void };

/**
 * Delivers due events to webhooks, with a concurrency that adapts to each receiver. Leases batches from the database, calls the
 * receivers outside of any transaction, and saves the outcomes in batches. The change feed announces due deliveries. A sweep every
 * second finds retries and expired leases of dead nodes.
 */
export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #leaseMs: number;
  readonly #lanes = new Map<string, Lane>();
  readonly #runningDeliveries = new Set<Promise<void>>();
  readonly #inFlightByPool = { quick: 0, slow: 0 };
  #finishedCalls: FinishedCall[] = [];
  #currentSave: Promise<void> | undefined;
  #isClaiming = false;
  #mustClaimAgain = false;
  #isStopped = false;
  #sweepTimer: NodeJS.Timeout | undefined;

  constructor(deps: DelivererDeps, { timeoutMs }: { timeoutMs: number }) {
    this.#deps = deps;
    // A lease must outlast a call.
    this.#leaseMs = timeoutMs * 1.5 + 1_000;
    deps.changeFeed.listen({
      topic: WEBHOOKS_TOPIC,
      onChange: (webhookIds) => this.#wake(webhookIds.split(' ')),
      onMissedChanges: () => undefined, // the sweep finds due deliveries
    });
  }

  start(): void {
    void this.#sweep();
  }

  /** Stops claiming deliveries. */
  drain(): void {
    this.#isStopped = true;
    clearTimeout(this.#sweepTimer);
  }

  /** Aborts calls that do not end soon, and releases their deliveries to other nodes. */
  async stop(): Promise<void> {
    this.drain();
    await Promise.race([
      Promise.all(this.#runningDeliveries),
      sleep(STOP_TIMEOUT_MS, undefined, { ref: false }),
    ]);
    this.#deps.sender.close();
    await Promise.all(this.#runningDeliveries);
  }

  async #sweep(): Promise<void> {
    try {
      this.#wake(await listDueWebhooks(this.#deps.db));
      const idleSince = performance.now() - IDLE_LANE_TTL_MS;
      for (const { id, lastUsedAtMs, inFlightCount } of this.#lanes.values())
        if (inFlightCount === 0 && lastUsedAtMs < idleSince) this.#lanes.delete(id);
    } catch (error) {
      this.#logPostponed(error);
    }
    if (!this.#isStopped)
      this.#sweepTimer = setTimeout(
        () => void this.#sweep(),
        SWEEP_INTERVAL_MS * (0.8 + Math.random() * 0.4),
      );
  }

  #wake(webhookIds: readonly string[]): void {
    for (const id of webhookIds) {
      const lane = this.#lanes.get(id) ?? createLane(id);
      lane.mayHaveMoreDue = true;
      lane.lastUsedAtMs = performance.now();
      this.#lanes.set(id, lane);
    }
    void this.#claim();
  }

  /** Claims and delivers until nothing is due. Runs one claim at a time, for all webhooks together. */
  async #claim(): Promise<void> {
    this.#mustClaimAgain = true;
    if (this.#isClaiming) return;
    this.#isClaiming = true;
    try {
      while (this.#mustClaimAgain && !this.#isStopped) {
        this.#mustClaimAgain = false;
        const claimRequests = this.#planClaims();
        if (claimRequests.length === 0) break;
        await waitWhileUrgent(MAX_YIELD_MS);
        if (this.#isStopped) break;
        // Reset before the claim: a later wake-up may be about a delivery that this claim does not see.
        for (const { webhookId } of claimRequests) this.#lanes.get(webhookId)!.mayHaveMoreDue = false;
        const claimedDeliveries = await claimDeliveries(this.#deps.db, claimRequests, this.#leaseMs);
        const deliveriesByWebhook = Map.groupBy(claimedDeliveries, ({ endpoint_id }) => endpoint_id);
        for (const { webhookId, maxDeliveries } of claimRequests)
          if (deliveriesByWebhook.get(webhookId)?.length === maxDeliveries)
            this.#lanes.get(webhookId)!.mayHaveMoreDue = true;
        await this.#refreshTargets(deliveriesByWebhook);
        for (const delivery of claimedDeliveries) {
          const lane = this.#lanes.get(delivery.endpoint_id)!;
          // There is no target if the sandbox was reset meanwhile.
          if (lane.target) this.#track(this.#deliver(lane, delivery));
        }
      }
    } catch (error) {
      // Leased deliveries become due again when the lease ends. The next sweep claims the other deliveries.
      this.#logPostponed(error);
    } finally {
      this.#isClaiming = false;
    }
  }

  /** Decides how many deliveries of each webhook to claim. */
  #planClaims(): Array<{ webhookId: string; maxDeliveries: number }> {
    const freeSlots = {
      quick: QUICK_CONCURRENCY - this.#inFlightByPool.quick,
      slow: SLOW_CONCURRENCY - this.#inFlightByPool.slow,
    };
    const requests: Array<{ webhookId: string; maxDeliveries: number }> = [];
    for (const lane of [...this.#lanes.values()]) {
      const pool = selectPool(lane);
      const maxDeliveries = Math.min(lane.window - lane.inFlightCount, freeSlots[pool]);
      if (!lane.mayHaveMoreDue || maxDeliveries <= 0) continue;
      freeSlots[pool] -= maxDeliveries;
      requests.push({ webhookId: lane.id, maxDeliveries });
      // Moves the lane to the end: round robin if there are not enough slots for all.
      this.#lanes.delete(lane.id);
      this.#lanes.set(lane.id, lane);
    }
    return requests;
  }

  /** Reads the URL and secrets of webhooks that are new on this node, or whose revision has changed. */
  async #refreshTargets(deliveriesByWebhook: ReadonlyMap<string, ClaimedDelivery[]>): Promise<void> {
    const staleIds = [...deliveriesByWebhook]
      .filter(([id, [anyDelivery]]) => this.#lanes.get(id)!.target?.revision !== anyDelivery!.revision)
      .map(([id]) => id);
    if (staleIds.length === 0) return;
    for (const target of await listWebhooksById(this.#deps.db, staleIds))
      this.#lanes.get(target.id)!.target = { ...target, keys: this.#createKeys(target) };
  }

  /** Returns no keys if the secrets cannot be decrypted: one webhook must not delay the others. */
  #createKeys(webhook: WebhookRow): readonly KeyObject[] {
    const { vault, log } = this.#deps;
    try {
      return decryptSecrets(vault, webhook).map(createSigningKey);
    } catch (error) {
      log.error({ err: error, endpoint: webhook.id }, 'the secret of a webhook endpoint cannot be decrypted');
      return [];
    }
  }

  #track(delivery: Promise<void>): void {
    this.#runningDeliveries.add(delivery);
    void delivery.finally(() => this.#runningDeliveries.delete(delivery));
  }

  async #deliver(lane: Lane, delivery: ClaimedDelivery): Promise<void> {
    const pool = selectPool(lane);
    lane.inFlightCount += 1;
    this.#inFlightByPool[pool] += 1;
    const callResult = await this.#send(lane.target!, delivery);
    adaptWindow(lane, callResult);
    await new Promise<void>((onSaved) => {
      this.#finishedCalls.push({ lane, outcome: toOutcome(delivery, callResult), callResult, onSaved });
      this.#currentSave ??= this.#saveOutcomes();
    });
    lane.inFlightCount -= 1;
    this.#inFlightByPool[pool] -= 1;
    lane.lastUsedAtMs = performance.now();
    if (lane.mayHaveMoreDue) void this.#claim();
  }

  async #send(
    { url, keys, old_secret_until }: DeliveryTarget,
    delivery: ClaimedDelivery,
  ): Promise<CallResult> {
    const now = new Date();
    if (keys.length === 0)
      return {
        at: now.toISOString(),
        status: null,
        error: 'secret_unreadable',
        duration_ms: 0,
        answer: null,
      };
    const body = renderBody({ id: delivery.event_id, ...delivery });
    const activeKeys = selectActiveSecrets(keys, old_secret_until, now);
    const headers = buildSignedHeaders(activeKeys, delivery.event_id, body, now);
    return this.#deps.sender.post(url, headers, body);
  }

  /** Saves outcomes in batches. Outcomes that arrive while a batch is being saved go into the next one. */
  async #saveOutcomes(): Promise<void> {
    while (this.#finishedCalls.length > 0) {
      const batch = this.#finishedCalls.splice(0, SAVE_BATCH_SIZE);
      const { db, clock, log, metrics } = this.#deps;
      try {
        const outcomes = batch.map(({ outcome }) => outcome);
        const now = clock.now();
        const disabledWebhooks = await settleDeliveries(db, outcomes, assessHealth(batch, now), now);
        for (const { id: endpoint, partner_id: partner, disabled_reason: reason } of disabledWebhooks) {
          metrics.disabledCounter.inc({ reason });
          log.error({ endpoint, partner, reason }, 'a webhook endpoint is disabled');
        }
        for (const { outcome, onSaved } of batch) {
          if (outcome.attempt)
            metrics.attemptCounter.inc({
              outcome: outcome.status === 'pending' ? 'retried' : outcome.status,
            });
          onSaved();
        }
      } catch (error) {
        this.#logPostponed(error);
        if (this.#isStopped) for (const { onSaved } of batch) onSaved();
        else {
          this.#finishedCalls.unshift(...batch);
          await sleep(SWEEP_INTERVAL_MS, undefined, { ref: false });
        }
      }
    }
    this.#currentSave = undefined;
  }

  #logPostponed(error: unknown): void {
    // The platform logs an unavailable database once.
    if (!(error instanceof DatabaseUnavailable))
      this.#deps.log.warn({ err: error }, 'webhook deliveries are postponed');
  }
}

const createLane = (id: string): Lane => ({
  id,
  inFlightCount: 0,
  window: 1,
  isSlow: true,
  mayHaveMoreDue: true,
  lastUsedAtMs: 0,
});

const selectPool = (lane: Lane) => (lane.isSlow ? 'slow' : 'quick');

function adaptWindow(lane: Lane, callResult: CallResult): void {
  lane.isSlow = !isDelivered(callResult) || callResult.duration_ms > SLOW_RESPONSE_MS;
  const maxWindow = lane.isSlow ? MAX_SLOW_WINDOW : MAX_WINDOW;
  lane.window = isDelivered(callResult) ? Math.min(lane.window + 1, maxWindow) : 1;
}

function toOutcome(
  { endpoint_id, event_id, tries }: ClaimedDelivery,
  callResult: CallResult,
): DeliveryOutcome {
  const ids = { webhookId: endpoint_id, eventId: event_id };
  const { retryAfter, exchange = null, ...attempt } = callResult;
  if (callResult.error === STOPPED)
    return { ...ids, status: 'pending', delayMs: 0, attempt: null, exchange: null };
  if (isDelivered(callResult)) return { ...ids, status: 'delivered', delayMs: 0, attempt, exchange };
  const delayMs = computeRetryDelay(tries + 1);
  if (delayMs === null || callResult.status === 410)
    return { ...ids, status: 'failed', delayMs: 0, attempt, exchange };
  return {
    ...ids,
    status: 'pending',
    delayMs: Math.max(delayMs, parseRetryAfter(retryAfter, new Date())),
    attempt,
    exchange,
  };
}

/** One successful call in the batch means that the webhook is healthy. */
function assessHealth(batch: readonly FinishedCall[], now: Date): WebhookHealth[] {
  const attemptedCalls = batch.filter(({ outcome }) => outcome.attempt !== null);
  return [...Map.groupBy(attemptedCalls, ({ lane }) => lane.id)].map(([webhookId, calls]) => ({
    webhookId,
    hasSuccess: calls.some(({ callResult }) => isDelivered(callResult)),
    isGone: calls.some(({ callResult }) => callResult.status === 410),
    retryAfterMs: Math.max(
      ...calls.map(({ callResult }) =>
        isDelivered(callResult) ? 0 : parseRetryAfter(callResult.retryAfter, new Date()),
      ),
    ),
    eventId: newId('evt', now),
  }));
}
