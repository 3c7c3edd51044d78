import { Readable } from 'node:stream';
import { MINUTE_MS } from '#core/duration.ts';
import type { WrittenEvent } from '#events';
import type { Deps } from '#module';
import type { Db } from '#platform/database/db.ts';
import { defineProblem } from '#platform/problem.ts';
import type { Reader } from './feed-store.ts';
import { renderEvent } from './schemas.ts';

/** Shorter than the idle timeout of common proxies. */
const HEARTBEAT_MS = 15_000;
/** As long as a token lives: a client reconnects with a new one, and continues at its last event. */
const LIFE_MS = 15 * MINUTE_MS;
const MOST_STREAMS = 2_000;
/** Of a merchant's events each member may have as many. */
const MOST_PER_OWNER = 5;
const STREAM_BATCH_SIZE = 100;
/** A client that does not read is disconnected. */
const MOST_UNREAD_BYTES = 256 * 1024;
const RETRY_MS = 2_000;
const RESET = 'event: reset\ndata: {"type":"reset","reason":"last_event_id_unknown"}\n\n';

export const tooManyStreams = defineProblem({
  code: 'too_many_streams',
  status: 429,
  title: { en: 'Too many streams are open', pt: 'Há conexões de eventos demais abertas' },
  cause: `A customer, a member of a merchant, and a partner, may have ${MOST_PER_OWNER} streams of events open at a time.`,
  remedy: 'Close one, and open another after the seconds in `Retry-After`.',
  headers: { 'retry-after': '5' },
  detail: { en: 'Too many streams of events are open.', pt: 'Há conexões de eventos demais abertas.' },
});

/** A source of events: who owns them, how to read them, and how long a listener may listen. */
type StreamSource = {
  /** The announced topic: ids of owners with something to read. */
  readonly topic: string;
  readonly list: (
    db: Db,
    owner: string,
    position: number,
    limit: number,
    reader: Reader | undefined,
  ) => Promise<WrittenEvent[]>;
  readonly findPosition: (db: Db, owner: string, eventId: string) => Promise<number | undefined>;
  readonly findNewest: (db: Db, owner: string) => Promise<number>;
  /** Per topic: whether the session or key of this stream has ended, from the announcement or by a lookup. */
  readonly ends: Readonly<Record<string, IsOver>>;
};

/** The listener's credentials. */
export type Credentials = { readonly keyId: string; readonly sessionId?: string; readonly memberId?: string };
type IsOver = (credentials: Credentials, announced?: string) => Promise<boolean> | boolean;

type Stream = {
  readonly owner: string;
  readonly credentials: Credentials;
  /** Which of the owner's events it gets; undefined: all. */
  readonly reader: Reader | undefined;
  readonly out: Readable;
  position: number;
  reading: boolean;
  again: boolean;
  /** Closed: nothing more can be written. */
  isOver: boolean;
  timers: NodeJS.Timeout[];
};

/**
 * The open streams of this node. The change feed announces whose events there are. The events are then read from the source's table,
 * also at every heartbeat, which finds commits that were not announced.
 */
export class Streams {
  readonly #deps: Pick<Deps, 'db' | 'log'>;
  readonly #source: StreamSource;
  readonly #open = new Map<string, Set<Stream>>();
  #count = 0;
  #isStopped = false;

  constructor(deps: Pick<Deps, 'db' | 'changeFeed' | 'log'>, source: StreamSource) {
    this.#deps = deps;
    this.#source = source;
    deps.changeFeed.listen({
      topic: source.topic,
      hear: (owners) => {
        for (const id of owners.split(' ')) this.#wake(this.#open.get(id) ?? []);
      },
      catchUp: () => this.#wake(this.#all()),
    });
    for (const [topic, isOver] of Object.entries(source.ends))
      deps.changeFeed.listen({
        topic,
        hear: (announced) => {
          for (const stream of this.#all()) void endIfOver(stream, isOver, announced);
        },
        catchUp: () => undefined, // the next heartbeat reads
      });
  }

  /** From the event after `lastEventId`, or from now on. An unknown id is answered with `reset`. */
  async open(wish: {
    owner: string;
    credentials: Credentials;
    reader?: Reader;
    lastEventId?: string;
  }): Promise<Readable> {
    const { owner, credentials, reader, lastEventId } = wish;
    const own = this.#open.get(owner) ?? new Set<Stream>();
    const alike = [...own].filter((stream) => stream.credentials.memberId === credentials.memberId);
    if (alike.length >= MOST_PER_OWNER || this.#count >= MOST_STREAMS) throw tooManyStreams();
    const out = new Readable({ read: () => undefined });
    const stream: Stream = {
      owner,
      credentials,
      reader,
      out,
      position: -1,
      reading: true,
      again: false,
      isOver: false,
      timers: [],
    };
    own.add(stream);
    this.#open.set(owner, own);
    this.#count += 1;
    out.once('close', () => this.#forget(stream));
    let known: number | undefined;
    try {
      // It is listening already, so nothing is missed from here on.
      known =
        lastEventId === undefined
          ? undefined
          : await this.#source.findPosition(this.#deps.db, owner, lastEventId);
      stream.position = known ?? (await this.#source.findNewest(this.#deps.db, owner));
    } catch (error) {
      out.destroy();
      throw error;
    }
    // The server is shutting down and waits for this request.
    if (this.#isStopped) end(stream);
    say(stream, `retry: ${RETRY_MS}\n\n`);
    if (lastEventId !== undefined && known === undefined) say(stream, RESET);
    stream.timers = [
      setInterval(() => void this.#beat(stream), HEARTBEAT_MS),
      setTimeout(() => end(stream), LIFE_MS),
    ];
    stream.reading = false;
    this.#wake([stream]);
    return out;
  }

  stop(): void {
    this.#isStopped = true;
    for (const stream of this.#all()) end(stream);
  }

  #all(): Stream[] {
    return [...this.#open.values()].flatMap((own) => [...own]);
  }

  #forget(stream: Stream): void {
    for (const timer of stream.timers) clearInterval(timer);
    const own = this.#open.get(stream.owner);
    if (!own?.delete(stream)) return;
    this.#count -= 1;
    if (own.size === 0) this.#open.delete(stream.owner);
  }

  async #beat(stream: Stream): Promise<void> {
    say(stream, ': still here\n\n');
    this.#wake([stream]);
    for (const isOver of Object.values(this.#source.ends)) await endIfOver(stream, isOver);
  }

  #wake(streams: Iterable<Stream>): void {
    for (const stream of streams) {
      if (stream.reading) stream.again = true;
      else void this.#pump(stream);
    }
  }

  /** One read at a time per stream, so that events come once and in order. */
  async #pump(stream: Stream): Promise<void> {
    stream.reading = true;
    try {
      do {
        stream.again = false;
        const { owner, position, reader } = stream;
        const events = await this.#source.list(this.#deps.db, owner, position, STREAM_BATCH_SIZE, reader);
        for (const event of events) {
          if (stream.isOver || stream.out.destroyed) return;
          say(stream, written(event));
          stream.position = event.position;
        }
        if (stream.out.readableLength > MOST_UNREAD_BYTES) stream.out.destroy();
        if (events.length === STREAM_BATCH_SIZE) stream.again = true;
      } while (stream.again && !stream.out.destroyed);
    } catch (error) {
      // The next heartbeat retries from the same position.
      this.#deps.log.warn({ err: error }, 'a stream of events is put off');
    } finally {
      stream.reading = false;
    }
  }
}

/** A stream may end while it is being opened or read: Node treats a write after the end as an error. */
function say({ out, isOver }: Stream, text: string): void {
  if (!isOver) out.push(text);
}

async function endIfOver(stream: Stream, isOver: IsOver, announced?: string): Promise<void> {
  try {
    if (await isOver(stream.credentials, announced)) end(stream);
  } catch {
    // The database is unavailable: the next heartbeat checks.
  }
}

function end(stream: Stream): void {
  stream.isOver = true;
  stream.out.push(null);
}

function written(event: WrittenEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(renderEvent(event))}\n\n`;
}
