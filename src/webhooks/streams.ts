import { Readable } from 'node:stream';
import { MINUTE_MS } from '#core/values/duration.ts';
import type { StoredEvent } from '#events';
import type { Deps } from '#module';
import type { Db } from '#platform/database/db.ts';
import type { Member } from '#platform/http/endpoint.ts';
import { defineProblem } from '#platform/problem.ts';
import type { FeedFilter } from './feed.ts';
import { renderEvent } from './schemas.ts';

/** Shorter than the idle timeout of common proxies. */
const HEARTBEAT_INTERVAL_MS = 15_000;
/** The lifetime of a token: a client reconnects with a new token and continues after its last event. */
const STREAM_TTL_MS = 15 * MINUTE_MS;
const MAX_STREAMS = 2_000;
/** For merchants the limit applies to each member. */
const MAX_STREAMS_PER_OWNER = 5;
const STREAM_BATCH_SIZE = 100;
/** A client with more unread bytes is disconnected. */
const MAX_UNREAD_BYTES = 256 * 1024;
const RETRY_MS = 2_000;
const RESET_EVENT = 'event: reset\ndata: {"type":"reset","reason":"last_event_id_unknown"}\n\n';

export const tooManyStreams = defineProblem({
  code: 'too_many_streams',
  status: 429,
  title: { en: 'Too many streams are open', pt: 'Há conexões de eventos demais abertas' },
  cause: `A customer, a member of a merchant and a partner may each have ${MAX_STREAMS_PER_OWNER} open event streams.`,
  remedy: 'Close a stream, and open another after the seconds in `Retry-After`.',
  headers: { 'retry-after': '5' },
});

/** A source of events: how to read them, and when a stream must end. */
type StreamSource = {
  /** The topic of the change feed that publishes the ids of owners with new events. */
  readonly topic: string;
  readonly listAfter: (
    db: Db,
    ownerId: string,
    position: number,
    limit: number,
    filter: FeedFilter | undefined,
  ) => Promise<StoredEvent[]>;
  readonly findPosition: (db: Db, ownerId: string, eventId: string) => Promise<number | undefined>;
  readonly findNewestPosition: (db: Db, ownerId: string) => Promise<number>;
  /**
   * By topic of the change feed: whether the stream must end. With the id that the topic announces, the check compares ids; without it,
   * the check looks up the current state.
   */
  readonly endChecks: Readonly<Record<string, EndCheck>>;
};

/** The listener's credentials. A member has the role with which the stream was opened. */
export type Credentials = {
  readonly keyId: string;
  readonly sessionId?: string;
  readonly member?: Pick<Member, 'id' | 'role'>;
};
type EndCheck = (credentials: Credentials, announcedId?: string) => Promise<boolean> | boolean;

type Stream = {
  readonly ownerId: string;
  readonly credentials: Credentials;
  /** Selects events of the owner; undefined selects all. */
  readonly filter: FeedFilter | undefined;
  readonly output: Readable;
  position: number;
  isReading: boolean;
  mustReadAgain: boolean;
  /** After the end nothing can be written. */
  hasEnded: boolean;
  timers: NodeJS.Timeout[];
};

/**
 * The open streams of this node. The change feed announces owners with new events. The events are then read from the source's table.
 * Every heartbeat also reads, to find commits that were not announced.
 */
export class Streams {
  readonly #deps: Pick<Deps, 'db' | 'log'>;
  readonly #source: StreamSource;
  readonly #streamsByOwner = new Map<string, Set<Stream>>();
  #streamCount = 0;
  #isStopped = false;

  constructor(deps: Pick<Deps, 'db' | 'changeFeed' | 'log'>, source: StreamSource) {
    this.#deps = deps;
    this.#source = source;
    deps.changeFeed.listen({
      topic: source.topic,
      onChange: (ownerIds) => {
        for (const ownerId of ownerIds.split(' ')) this.#wake(this.#streamsByOwner.get(ownerId) ?? []);
      },
      onMissedChanges: () => this.#wake(this.#listStreams()),
    });
    for (const [topic, endCheck] of Object.entries(source.endChecks))
      deps.changeFeed.listen({
        topic,
        onChange: (announcedId) => {
          for (const stream of this.#listStreams()) void endIfRequired(stream, endCheck, announcedId);
        },
        onMissedChanges: () => undefined, // the next heartbeat checks
      });
  }

  /** Opens a stream that starts after `lastEventId`, or with new events. For an unknown id the first event is `reset`. */
  async open(options: {
    ownerId: string;
    credentials: Credentials;
    filter?: FeedFilter;
    lastEventId?: string;
  }): Promise<Readable> {
    const { ownerId, credentials, filter, lastEventId } = options;
    const { db } = this.#deps;
    // The stream is registered for announcements before its position is read, so it misses no event.
    const stream = this.#register(ownerId, credentials, filter);
    let lastPosition: number | undefined;
    try {
      if (lastEventId !== undefined) lastPosition = await this.#source.findPosition(db, ownerId, lastEventId);
      stream.position = lastPosition ?? (await this.#source.findNewestPosition(db, ownerId));
    } catch (error) {
      stream.output.destroy();
      throw error;
    }
    // The server is shutting down and waits for open requests.
    if (this.#isStopped) endStream(stream);
    writeText(stream, `retry: ${RETRY_MS}\n\n`);
    if (lastEventId !== undefined && lastPosition === undefined) writeText(stream, RESET_EVENT);
    stream.timers = [
      setInterval(() => void this.#sendHeartbeat(stream), HEARTBEAT_INTERVAL_MS),
      setTimeout(() => endStream(stream), STREAM_TTL_MS),
    ];
    stream.isReading = false;
    this.#wake([stream]);
    return stream.output;
  }

  stop(): void {
    this.#isStopped = true;
    for (const stream of this.#listStreams()) endStream(stream);
  }

  #listStreams(): Stream[] {
    return [...this.#streamsByOwner.values()].flatMap((ownerStreams) => [...ownerStreams]);
  }

  /** Throws if there are too many streams. The stream reads no events until `open` has found its position. */
  #register(ownerId: string, credentials: Credentials, filter: FeedFilter | undefined): Stream {
    const ownerStreams = this.#streamsByOwner.get(ownerId) ?? new Set<Stream>();
    const memberStreams = [...ownerStreams].filter(
      (stream) => stream.credentials.member?.id === credentials.member?.id,
    );
    if (memberStreams.length >= MAX_STREAMS_PER_OWNER || this.#streamCount >= MAX_STREAMS)
      throw tooManyStreams();
    const stream: Stream = {
      ownerId,
      credentials,
      filter,
      output: new Readable({ read: () => undefined }),
      position: -1, // `open` sets it before the first read
      isReading: true,
      mustReadAgain: false,
      hasEnded: false,
      timers: [],
    };
    ownerStreams.add(stream);
    this.#streamsByOwner.set(ownerId, ownerStreams);
    this.#streamCount += 1;
    stream.output.once('close', () => this.#remove(stream));
    return stream;
  }

  #remove(stream: Stream): void {
    for (const timer of stream.timers) clearTimeout(timer);
    const ownerStreams = this.#streamsByOwner.get(stream.ownerId);
    if (!ownerStreams?.delete(stream)) return;
    this.#streamCount -= 1;
    if (ownerStreams.size === 0) this.#streamsByOwner.delete(stream.ownerId);
  }

  async #sendHeartbeat(stream: Stream): Promise<void> {
    writeText(stream, ': still here\n\n');
    this.#wake([stream]);
    for (const endCheck of Object.values(this.#source.endChecks)) await endIfRequired(stream, endCheck);
  }

  #wake(streams: Iterable<Stream>): void {
    for (const stream of streams) {
      if (stream.isReading) stream.mustReadAgain = true;
      else void this.#readEvents(stream);
    }
  }

  /** Runs one read at a time per stream, so that events come once and in order. */
  async #readEvents(stream: Stream): Promise<void> {
    stream.isReading = true;
    try {
      do {
        stream.mustReadAgain = false;
        const { ownerId, position, filter } = stream;
        const { db } = this.#deps;
        const events = await this.#source.listAfter(db, ownerId, position, STREAM_BATCH_SIZE, filter);
        for (const event of events) {
          if (stream.hasEnded || stream.output.destroyed) return;
          writeText(stream, formatEvent(event));
          stream.position = event.position;
        }
        if (stream.output.readableLength > MAX_UNREAD_BYTES) stream.output.destroy();
        if (events.length === STREAM_BATCH_SIZE) stream.mustReadAgain = true;
      } while (stream.mustReadAgain && !stream.output.destroyed);
    } catch (error) {
      // The next heartbeat retries from the same position.
      this.#deps.log.warn({ err: error }, 'reading events for a stream failed; the next heartbeat retries');
    } finally {
      stream.isReading = false;
    }
  }
}

/** Does nothing after the end: Node treats a write after the end as an error, and a stream may end while it is opened or read. */
function writeText({ output, hasEnded }: Stream, text: string): void {
  if (!hasEnded) output.push(text);
}

async function endIfRequired(stream: Stream, endCheck: EndCheck, announcedId?: string): Promise<void> {
  try {
    if (await endCheck(stream.credentials, announcedId)) endStream(stream);
  } catch {
    // The database is unavailable. The next heartbeat checks again.
  }
}

function endStream(stream: Stream): void {
  stream.hasEnded = true;
  stream.output.push(null);
}

function formatEvent(event: StoredEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(renderEvent(event))}\n\n`;
}
