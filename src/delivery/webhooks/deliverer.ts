import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '#module';
import { DatabaseAway } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { untilCalm } from '#platform/jobs/urgent.ts';
import { WEBHOOKS_TOPIC } from '../publish.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type Health,
  listDueEndpoints,
  type Settled,
  settleDeliveries,
} from './delivery-store.ts';
import type { WebhookMetrics } from './metrics.ts';
import { bodyOf } from './render.ts';
import { openSecrets, signedHeaders, signingKey, signingNow } from './secrets.ts';
import { type DeliveryResult, type Sender, STOPPED } from './sender.ts';
import { type EndpointRow, listTargets } from './store.ts';
import { readRetryAfter, waitAfter } from './timetable.ts';

const SWEEP_MS = 1_000;
/** Two lanes: receivers that answer quickly share one; slow, failing and new ones share the other. */
const MOST_QUICK = 192;
const MOST_SLOW = 64;
const MOST_TO_ONE = 16;
const MOST_TO_ONE_SLOW = 4;
const SLOW_MS = 1_000;
const AT_ONCE_SETTLED = 500;
const FORGOTTEN_MS = 600_000;
const STOP_MS = 1_000;
/** How long a claim waits for payments that are being settled. */
const GIVE_WAY_MS = 250;

type DelivererParts = Pick<Deps, 'db' | 'clock' | 'log' | 'vault' | 'changeFeed'> & {
  readonly sender: Sender;
  readonly metrics: Pick<WebhookMetrics, 'attempts' | 'disabled'>;
};

type Target = EndpointRow & { keys: readonly KeyObject[] };

/** This node's state of one endpoint. */
type Lane = {
  readonly id: string;
  inFlight: number;
  /** The limit of concurrent calls: it grows with every quick answer, and falls to one after a failure. */
  window: number;
  isSlow: boolean;
  /** There may be more to claim. */
  isHungry: boolean;
  usedAtMs: number;
  target?: Target;
};

type Ended = { lane: Lane; settled: Settled; sent: DeliveryResult; done: () => void };

/**
 * Delivers what is due to endpoints, as many at once as they can take. Leases batches from the database, calls the receivers
 * outside of any transaction, and records the outcomes in batches. The change feed announces due deliveries; a sweep every second
 * finds retries and expired leases of dead nodes.
 */
export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #leaseMs: number;
  readonly #lanes = new Map<string, Lane>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #inFlight = { quick: 0, slow: 0 };
  #ended: Ended[] = [];
  #settling: Promise<void> | undefined;
  #isPumping = false;
  #again = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: DelivererParts, { timeoutMs }: { timeoutMs: number }) {
    this.#parts = parts;
    // Longer than the timeout of a call.
    this.#leaseMs = timeoutMs * 1.5 + 1_000;
    parts.changeFeed.listen({
      topic: WEBHOOKS_TOPIC,
      hear: (endpointIds) => this.#wake(endpointIds.split(' ')),
      catchUp: () => undefined, // the sweep finds it
    });
  }

  start(): void {
    void this.#sweep();
  }

  /** Claims nothing more. */
  drain(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Deliveries that do not end soon are released to other nodes. */
  async stop(): Promise<void> {
    this.drain();
    await Promise.race([Promise.all(this.#underWay), sleep(STOP_MS, undefined, { ref: false })]);
    this.#parts.sender.close();
    await Promise.all(this.#underWay);
  }

  async #sweep(): Promise<void> {
    try {
      this.#wake(await listDueEndpoints(this.#parts.db));
      const forgotten = performance.now() - FORGOTTEN_MS;
      for (const { id, usedAtMs, inFlight } of this.#lanes.values())
        if (inFlight === 0 && usedAtMs < forgotten) this.#lanes.delete(id);
    } catch (error) {
      this.#putOff(error);
    }
    if (!this.#isStopped)
      this.#timer = setTimeout(() => void this.#sweep(), SWEEP_MS * (0.8 + Math.random() * 0.4));
  }

  #wake(endpointIds: readonly string[]): void {
    for (const id of endpointIds) {
      const lane = this.#lanes.get(id) ?? newLane(id);
      lane.isHungry = true;
      lane.usedAtMs = performance.now();
      this.#lanes.set(id, lane);
    }
    void this.#pump();
  }

  /** One claim at a time, for all endpoints together. */
  async #pump(): Promise<void> {
    this.#again = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.#again && !this.#isStopped) {
        this.#again = false;
        const wanted = this.#wanted();
        if (wanted.length === 0) break;
        await untilCalm(GIVE_WAY_MS);
        if (this.#isStopped) break;
        // From here on a wake-up may be about a delivery that this claim does not see.
        for (const { endpointId } of wanted) this.#lanes.get(endpointId)!.isHungry = false;
        const claimed = await claimDeliveries(this.#parts.db, wanted, this.#leaseMs);
        const byLane = Map.groupBy(claimed, ({ endpoint_id }) => endpoint_id);
        for (const { endpointId, room } of wanted)
          if (byLane.get(endpointId)?.length === room) this.#lanes.get(endpointId)!.isHungry = true;
        await this.#learnTargets(byLane);
        for (const one of claimed) {
          const lane = this.#lanes.get(one.endpoint_id)!;
          // Without one the sandbox was reset in between.
          if (lane.target) this.#track(this.#deliver(lane, one));
        }
      }
    } catch (error) {
      // Leased deliveries are due again when the lease ends; the next sweep continues with the rest.
      this.#putOff(error);
    } finally {
      this.#isPumping = false;
    }
  }

  #wanted(): Array<{ endpointId: string; room: number }> {
    const left = { quick: MOST_QUICK - this.#inFlight.quick, slow: MOST_SLOW - this.#inFlight.slow };
    const wanted: Array<{ endpointId: string; room: number }> = [];
    for (const lane of [...this.#lanes.values()]) {
      const pool = poolOf(lane);
      const room = Math.min(lane.window - lane.inFlight, left[pool]);
      if (!lane.isHungry || room <= 0) continue;
      left[pool] -= room;
      wanted.push({ endpointId: lane.id, room });
      // Moved to the end: round robin, where there is not room for all.
      this.#lanes.delete(lane.id);
      this.#lanes.set(lane.id, lane);
    }
    return wanted;
  }

  async #learnTargets(byLane: ReadonlyMap<string, ClaimedDelivery[]>): Promise<void> {
    const stale = [...byLane].filter(
      ([id, [first]]) => this.#lanes.get(id)!.target?.revision !== first!.revision,
    );
    if (stale.length === 0) return;
    const ids = stale.map(([id]) => id);
    const targets = await listTargets(this.#parts.db, ids);
    for (const target of targets)
      this.#lanes.get(target.id)!.target = { ...target, keys: this.#open(target) };
  }

  /** Empty when their data key is gone: that must not delay the others. */
  #open(endpoint: EndpointRow): readonly KeyObject[] {
    const { vault, log } = this.#parts;
    try {
      return openSecrets(vault, endpoint).map(signingKey);
    } catch (error) {
      log.error({ err: error, endpoint: endpoint.id }, 'the secret of a webhook endpoint cannot be read');
      return [];
    }
  }

  #track(delivery: Promise<void>): void {
    this.#underWay.add(delivery);
    void delivery.finally(() => this.#underWay.delete(delivery));
  }

  async #deliver(lane: Lane, claimed: ClaimedDelivery): Promise<void> {
    const pool = poolOf(lane);
    lane.inFlight += 1;
    this.#inFlight[pool] += 1;
    const sent = await this.#send(lane.target!, claimed);
    adapt(lane, sent);
    await new Promise<void>((done) => {
      this.#ended.push({ lane, settled: settlementOf(claimed, sent), sent, done });
      this.#settling ??= this.#settle();
    });
    lane.inFlight -= 1;
    this.#inFlight[pool] -= 1;
    lane.usedAtMs = performance.now();
    if (lane.isHungry) void this.#pump();
  }

  async #send(
    { url, keys, old_secret_until: oldUntil }: Target,
    claimed: ClaimedDelivery,
  ): Promise<DeliveryResult> {
    const now = new Date();
    if (keys.length === 0)
      return {
        at: now.toISOString(),
        status: null,
        error: 'secret_unreadable',
        duration_ms: 0,
        answer: null,
      };
    const body = bodyOf({ id: claimed.event_id, ...claimed });
    const headers = signedHeaders(signingNow(keys, oldUntil, now), claimed.event_id, body, now);
    return this.#parts.sender.post(url, headers, body);
  }

  /** Outcomes that arrive while a batch is being written go into the next. */
  async #settle(): Promise<void> {
    while (this.#ended.length > 0) {
      const batch = this.#ended.splice(0, AT_ONCE_SETTLED);
      const { db, clock, log, metrics } = this.#parts;
      try {
        const settled = batch.map((one) => one.settled);
        const now = clock.now();
        const disabled = await settleDeliveries(db, settled, healthOf(batch, now), now);
        for (const { id: endpoint, partner_id: partner, disabled_reason: reason } of disabled) {
          metrics.disabled.inc({ reason });
          log.error({ endpoint, partner, reason }, 'a webhook endpoint is disabled');
        }
        for (const { settled, done } of batch) {
          if (settled.attempt)
            metrics.attempts.inc({ outcome: settled.status === 'pending' ? 'retried' : settled.status });
          done();
        }
      } catch (error) {
        this.#putOff(error);
        if (this.#isStopped) for (const { done } of batch) done();
        else {
          this.#ended.unshift(...batch);
          await sleep(SWEEP_MS, undefined, { ref: false });
        }
      }
    }
    this.#settling = undefined;
  }

  #putOff(error: unknown): void {
    // An unavailable database is reported elsewhere, once.
    if (!(error instanceof DatabaseAway)) this.#parts.log.warn({ err: error }, 'webhooks are put off');
  }
}

const newLane = (id: string): Lane => ({
  id,
  inFlight: 0,
  window: 1,
  isSlow: true,
  isHungry: true,
  usedAtMs: 0,
});

const poolOf = (lane: Lane) => (lane.isSlow ? 'slow' : 'quick');
const isDelivered = ({ status }: DeliveryResult): boolean => status !== null && status >= 200 && status < 300;

function adapt(lane: Lane, sent: DeliveryResult): void {
  lane.isSlow = !isDelivered(sent) || sent.duration_ms > SLOW_MS;
  const most = lane.isSlow ? MOST_TO_ONE_SLOW : MOST_TO_ONE;
  lane.window = isDelivered(sent) ? Math.min(lane.window + 1, most) : 1;
}

function settlementOf({ endpoint_id, event_id, tries }: ClaimedDelivery, sent: DeliveryResult): Settled {
  const ids = { endpointId: endpoint_id, eventId: event_id };
  const { retryAfter, ...attempt } = sent;
  if (isDelivered(sent)) return { ...ids, status: 'delivered', waitMs: 0, attempt };
  if (sent.error === STOPPED) return { ...ids, status: 'pending', waitMs: 0, attempt: null };
  const waitMs = waitAfter(tries + 1);
  if (waitMs === null || sent.status === 410) return { ...ids, status: 'failed', waitMs: 0, attempt };
  return {
    ...ids,
    status: 'pending',
    waitMs: Math.max(waitMs, readRetryAfter(retryAfter, new Date())),
    attempt,
  };
}

/** One success among several means that the endpoint is healthy. */
function healthOf(batch: readonly Ended[], now: Date): Health[] {
  const tried = batch.filter(({ settled }) => settled.attempt !== null);
  return [...Map.groupBy(tried, ({ lane }) => lane.id)].map(([endpointId, ended]) => ({
    endpointId,
    isWell: ended.some(({ sent }) => isDelivered(sent)),
    isGone: ended.some(({ sent }) => sent.status === 410),
    holdMs: Math.max(
      ...ended.map(({ sent }) => (isDelivered(sent) ? 0 : readRetryAfter(sent.retryAfter, new Date()))),
    ),
    eventId: newId('evt', now),
  }));
}
