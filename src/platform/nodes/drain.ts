import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How a node leaves without a request being lost: it says so at `/readyz` and goes on serving, so that load balancers have
 * time to send theirs elsewhere; meanwhile every answer asks its caller to open the next connection somewhere else.
 */
export class Drain {
  readonly #servers: readonly Server[];
  readonly #connections = new Set<Socket>();
  #isBegun = false;
  #hurry = new AbortController();

  constructor(servers: readonly Server[]) {
    this.#servers = servers;
    for (const server of servers) {
      server.on('connection', (socket: Socket) => {
        this.#connections.add(socket);
        socket.once('close', () => this.#connections.delete(socket));
      });
    }
  }

  isBegun(): boolean {
    return this.#isBegun;
  }

  /** Returns when the doors can be closed: after `ms`, or when somebody is in a hurry. */
  async run(ms: number): Promise<void> {
    this.#isBegun = true;
    for (const server of this.#servers) {
      server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    }
    await sleep(ms, undefined, { signal: this.#hurry.signal }).catch(() => undefined); // hurried
    // A connection whose last request ends from now on is closed at once, though its caller may mean to keep it.
    for (const server of this.#servers) {
      server.keepAliveTimeout = 1;
      server.keepAliveTimeoutBuffer = 0;
    }
    // Browsers open some ahead. A server that closes waits for those that never asked for anything until their callers go.
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
  }

  hurry(): void {
    this.#hurry.abort();
  }
}
