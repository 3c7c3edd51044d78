import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Graceful shutdown: the node fails `/readyz` and keeps serving, so that load balancers can route elsewhere. Meanwhile every
 * answer closes its connection, so that callers open the next one at another node.
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

  /** Returns when the doors can be closed: after `ms`, or on a second signal. */
  async run(ms: number): Promise<void> {
    this.#isBegun = true;
    for (const server of this.#servers) {
      server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    }
    await sleep(ms, undefined, { signal: this.#hurry.signal }).catch(() => undefined); // hurried
    // From now on a connection is closed after its last answer, even if its caller wants to keep it.
    for (const server of this.#servers) {
      server.keepAliveTimeout = 1;
      server.keepAliveTimeoutBuffer = 0;
    }
    // Browsers preconnect. A closing server would wait for such unused connections until their callers close them.
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
  }

  hurry(): void {
    this.#hurry.abort();
  }
}
