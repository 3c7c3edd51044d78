import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy between a node and its database, which a test can cut, block or slow down. */
export type DatabaseLink = {
  url: string;
  /** Ends every connection and lets no new one through. */
  cut(): void;
  /** Passes nothing any more, without closing connections. */
  block(): void;
  /**
   * Drops the packets of existing connections for ever, without closing them, as a firewall that lost its state does. New
   * connections work, or with 'all' are dropped as well until `mend`.
   */
  dropPackets(which?: 'all'): void;
  /** PostgreSQL ends the sessions of swallowed connections, as its keepalives let it do in the end. */
  endDroppedSessions(): void;
  /** Delays the answers of the database. */
  delay(ms: number): void;
  /** Connects to this address from now on: the same database, after a restart on another port. */
  redirect(databaseUrl: string): void;
  /** Back to normal; blocked connections continue where they stopped. */
  restore(): void;
  close(): void;
};

export async function openLink(databaseUrl: string): Promise<DatabaseLink> {
  let target = new URL(databaseUrl);
  const pairs = new Set<[Socket, Socket]>();
  const silencedSockets = new Set<Socket>();
  const silencedDatabaseSockets: Socket[] = [];
  let state: 'open' | 'cut' | 'clogged' | 'swallowing' = 'open';
  let delayMs = 0;

  const server = createServer({ allowHalfOpen: true }, (nodeSocket) => {
    if (state === 'cut') {
      nodeSocket.destroy();
      return;
    }
    if (state === 'swallowing') {
      swallow([nodeSocket]);
      return;
    }
    const databaseSocket = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
    const pair: [Socket, Socket] = [nodeSocket, databaseSocket];
    pairs.add(pair);
    for (const [from, target] of [pair, pair.toReversed() as [Socket, Socket]]) {
      const forward = (act: () => void) => !silencedSockets.has(from) && act();
      from.on('data', (chunk) => {
        if (from === databaseSocket && delayMs > 0) setTimeout(() => target.write(chunk), delayMs);
        else forward(() => target.write(chunk));
      });
      from.on('end', () => forward(() => target.end()));
      from.on('close', () => {
        forward(() => target.destroy());
        pairs.delete(pair);
      });
      from.on('error', () => forward(() => target.destroy()));
      if (state === 'clogged') from.pause();
    }
  });
  function swallow(sockets: Socket[]): void {
    for (const socket of sockets) {
      silencedSockets.add(socket);
      socket.on('error', () => undefined).resume();
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };

  const sockets = () => [...pairs].flat();
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    cut() {
      state = 'cut';
      for (const socket of sockets()) socket.destroy();
    },
    block() {
      state = 'clogged';
      for (const socket of sockets()) socket.pause();
    },
    dropPackets(which) {
      silencedDatabaseSockets.push(...[...pairs].map(([, databaseSocket]) => databaseSocket));
      swallow(sockets());
      pairs.clear();
      if (which === 'all') state = 'swallowing';
    },
    endDroppedSessions() {
      for (const databaseSocket of silencedDatabaseSockets.splice(0)) databaseSocket.destroy();
    },
    redirect(url) {
      target = new URL(url);
    },
    delay(ms) {
      delayMs = ms;
    },
    restore() {
      state = 'open';
      delayMs = 0;
      for (const socket of sockets()) socket.resume();
    },
    close() {
      server.close();
      for (const socket of [...sockets(), ...silencedSockets]) socket.destroy();
    },
  };
}
