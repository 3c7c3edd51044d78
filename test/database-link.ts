import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy between a node and its database, which a test can cut, block or slow down. */
export type DatabaseLink = {
  url: string;
  /** Ends every connection and lets no new one through. */
  cut(): void;
  /** Passes nothing any more, without closing connections. */
  clog(): void;
  /**
   * Drops the packets of existing connections for ever, without closing them, as a firewall that lost its state does. New
   * connections work, or with 'all' are dropped as well until `mend`.
   */
  swallow(which?: 'all'): void;
  /** PostgreSQL ends the sessions of swallowed connections, as its keepalives let it do in the end. */
  reap(): void;
  /** Delays the answers of the database. */
  delay(ms: number): void;
  /** Connects to this address from now on: the same database, after a restart on another port. */
  lead(databaseUrl: string): void;
  /** Back to normal; blocked connections continue where they stopped. */
  mend(): void;
  close(): void;
};

export async function openLink(databaseUrl: string): Promise<DatabaseLink> {
  let target = new URL(databaseUrl);
  const pairs = new Set<[Socket, Socket]>();
  const swallowed = new Set<Socket>();
  const swallowedFar: Socket[] = [];
  let state: 'open' | 'cut' | 'clogged' | 'swallowing' = 'open';
  let delayMs = 0;

  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    if (state === 'swallowing') {
      swallow([near]);
      return;
    }
    const far = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      const passOn = (act: () => void) => !swallowed.has(from) && act();
      from.on('data', (chunk) => {
        if (from === far && delayMs > 0) setTimeout(() => to.write(chunk), delayMs);
        else passOn(() => to.write(chunk));
      });
      from.on('end', () => passOn(() => to.end()));
      from.on('close', () => {
        passOn(() => to.destroy());
        pairs.delete(pair);
      });
      from.on('error', () => passOn(() => to.destroy()));
      if (state === 'clogged') from.pause();
    }
  });
  function swallow(sockets: Socket[]): void {
    for (const socket of sockets) {
      swallowed.add(socket);
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
    clog() {
      state = 'clogged';
      for (const socket of sockets()) socket.pause();
    },
    swallow(which) {
      swallowedFar.push(...[...pairs].map(([, far]) => far));
      swallow(sockets());
      pairs.clear();
      if (which === 'all') state = 'swallowing';
    },
    reap() {
      for (const far of swallowedFar.splice(0)) far.destroy();
    },
    lead(to) {
      target = new URL(to);
    },
    delay(ms) {
      delayMs = ms;
    },
    mend() {
      state = 'open';
      delayMs = 0;
      for (const socket of sockets()) socket.resume();
    },
    close() {
      server.close();
      for (const socket of [...sockets(), ...swallowed]) socket.destroy();
    },
  };
}
