import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Drains a node: `/readyz` fails, and each served request closes its connection, so that clients open the next one to another node. */
export class Drain {
  readonly #servers: readonly Server[];
  readonly #connections = new Set<Socket>();
  #hasStarted = false;
  #waitAborter = new AbortController();

  constructor(servers: readonly Server[]) {
    this.#servers = servers;
    for (const server of servers) {
      server.on('connection', (socket: Socket) => {
        this.#connections.add(socket);
        socket.once('close', () => this.#connections.delete(socket));
      });
    }
  }

  hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Returns when the servers can be closed: after `durationMs`, or after a call of `cutShort`. */
  async run(durationMs: number): Promise<void> {
    this.#hasStarted = true;
    for (const server of this.#servers) {
      server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    }
    await sleep(durationMs, undefined, { signal: this.#waitAborter.signal }).catch(() => undefined); // `cutShort` was called
    // From now on a connection is closed after its last response, even if the client wants to reuse it.
    for (const server of this.#servers) {
      server.keepAliveTimeout = 1;
      server.keepAliveTimeoutBuffer = 0;
    }
    // Browsers open connections in advance. A closing server would wait until the browsers close them.
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
  }

  cutShort(): void {
    this.#waitAborter.abort();
  }
}
