import { Readable } from 'node:stream';
import type { ChangeFeed } from '#platform/change-feed.ts';
import type { Db } from '#platform/db.ts';
import type { Log } from '#platform/log.ts';
import { problem } from '#platform/problem.ts';
import {
  EVENTS_TOPIC,
  findNewestPosition,
  findPosition,
  listEventsAfter,
  type WrittenEvent,
} from './store.ts';

/** Shorter than the idle time of common proxies. */
const HEARTBEAT_MS = 15_000;
/** As long as a token lives: whoever comes back shows a new one, and goes on where they were. */
const LIFE_MS = 15 * 60_000;
const MOST_STREAMS = 2_000;
const MOST_PER_CUSTOMER = 5;
const AT_ONCE = 100;
/** Somebody who does not read is not waited for. */
const MOST_UNREAD_BYTES = 256 * 1024;
const RETRY_MS = 2_000;
const RESET = 'event: reset\ndata: {"type":"reset","reason":"last_event_id_unknown"}\n\n';

export const tooManyStreams = problem({
  code: 'too_many_streams',
  status: 429,
  title: 'Too many streams are open',
  titlePt: 'Há conexões de eventos demais abertas',
  cause: `A customer may have ${MOST_PER_CUSTOMER} streams of events open at a time.`,
  remedy: 'Close one, and open another after the seconds in `Retry-After`.',
});

type Stream = {
  readonly customerId: string;
  readonly sessionId: string;
  readonly out: Readable;
  position: number;
  reading: boolean;
  again: boolean;
  timers: NodeJS.Timeout[];
};

/**
 * The open streams of this node. The change feed says whose events there are; the events themselves are read from the outbox,
 * and looked for at every heartbeat besides: what a node committed and could not announce is heard then.
 */
export class Streams {
  readonly #db: Db;
  readonly #log: Log;
  readonly #isSessionOver: (sessionId: string) => Promise<boolean>;
  readonly #open = new Map<string, Set<Stream>>();
  #count = 0;

  constructor(parts: {
    db: Db;
    changeFeed: ChangeFeed;
    log: Log;
    isSessionOver: (sessionId: string) => Promise<boolean>;
  }) {
    this.#db = parts.db;
    this.#log = parts.log;
    this.#isSessionOver = parts.isSessionOver;
    parts.changeFeed.listen({
      topic: EVENTS_TOPIC,
      hear: (customerIds) => {
        for (const id of customerIds.split(' ')) this.#wake(this.#open.get(id) ?? []);
      },
      catchUp: () => this.#wake(this.#all()),
    });
    parts.changeFeed.listen({
      topic: 'sessions',
      hear: (ended) => {
        for (const stream of this.#all())
          if (ended === 'all' || stream.sessionId === ended) stream.out.push(null);
      },
      catchUp: () => undefined, // the next heartbeat looks
    });
  }

  /** From the event after `lastEventId`, or from now on; one that is not known is told with `reset`. */
  async open(wish: { customerId: string; sessionId: string; lastEventId?: string }): Promise<Readable> {
    const { customerId, sessionId, lastEventId } = wish;
    const own = this.#open.get(customerId) ?? new Set<Stream>();
    if (own.size >= MOST_PER_CUSTOMER || this.#count >= MOST_STREAMS)
      throw tooManyStreams('Too many streams of events are open.', { headers: { 'retry-after': '5' } });
    const out = new Readable({ read: () => undefined });
    const stream: Stream = {
      customerId,
      sessionId,
      out,
      position: -1,
      reading: true,
      again: false,
      timers: [],
    };
    own.add(stream);
    this.#open.set(customerId, own);
    this.#count += 1;
    out.once('close', () => this.#forget(stream));
    let known: number | undefined;
    try {
      // It listens already: what happens from here on is not missed.
      known = lastEventId === undefined ? undefined : await findPosition(this.#db, customerId, lastEventId);
      stream.position = known ?? (await findNewestPosition(this.#db, customerId));
    } catch (error) {
      out.destroy();
      throw error;
    }
    out.push(`retry: ${RETRY_MS}\n\n`);
    if (lastEventId !== undefined && known === undefined) out.push(RESET);
    stream.timers = [
      setInterval(() => void this.#beat(stream), HEARTBEAT_MS),
      setTimeout(() => out.push(null), LIFE_MS),
    ];
    stream.reading = false;
    this.#wake([stream]);
    return out;
  }

  stop(): void {
    for (const { out } of this.#all()) out.push(null);
  }

  #all(): Stream[] {
    return [...this.#open.values()].flatMap((own) => [...own]);
  }

  #forget(stream: Stream): void {
    for (const timer of stream.timers) clearInterval(timer);
    const own = this.#open.get(stream.customerId);
    if (!own?.delete(stream)) return;
    this.#count -= 1;
    if (own.size === 0) this.#open.delete(stream.customerId);
  }

  async #beat(stream: Stream): Promise<void> {
    stream.out.push(': still here\n\n');
    this.#wake([stream]);
    const isOver = await this.#isSessionOver(stream.sessionId).catch(() => false); // the database is away: ask later
    if (isOver) stream.out.push(null);
  }

  #wake(streams: Iterable<Stream>): void {
    for (const stream of streams) {
      if (stream.reading) stream.again = true;
      else void this.#pump(stream);
    }
  }

  /** One reading at a time for each stream, so that nothing comes twice or out of order. */
  async #pump(stream: Stream): Promise<void> {
    stream.reading = true;
    try {
      do {
        stream.again = false;
        const events = await listEventsAfter(this.#db, stream.customerId, stream.position, AT_ONCE);
        for (const event of events) {
          if (stream.out.readableEnded || stream.out.destroyed) return;
          stream.out.push(written(event));
          stream.position = event.position;
        }
        if (stream.out.readableLength > MOST_UNREAD_BYTES) stream.out.destroy();
        if (events.length === AT_ONCE) stream.again = true;
      } while (stream.again && !stream.out.destroyed);
    } catch (error) {
      // The next heartbeat tries again, from where it was.
      this.#log.warn({ err: error }, 'a stream of events is put off');
    } finally {
      stream.reading = false;
    }
  }
}

function written({ id, type, occurred_at, data }: WrittenEvent): string {
  const body = JSON.stringify({ id, type, occurred_at: occurred_at.toISOString(), data });
  return `id: ${id}\nevent: ${type}\ndata: ${body}\n\n`;
}
