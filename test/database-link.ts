import { connect, createServer, type Socket } from 'node:net';

/** The way from a node to its database, which a test can cut or clog. */
export type DatabaseLink = {
  url: string;
  /** Ends every connection and lets no new one through. */
  cut(): void;
  /** Lets nothing pass any more, without a word to either side. */
  clog(): void;
  /**
   * Packets of the connections there are go nowhere, without a word to either side and for ever, as when a firewall forgets
   * them. New connections work, or with 'all' are swallowed as well until `mend`.
   */
  swallow(which?: 'all'): void;
  /** What the database says arrives this much later. */
  delay(ms: number): void;
  /** Everything as before; connections that were clogged go on where they stood. */
  mend(): void;
  close(): void;
};

export async function openLink(databaseUrl: string): Promise<DatabaseLink> {
  const target = new URL(databaseUrl);
  const pairs = new Set<[Socket, Socket]>();
  const swallowed = new Set<Socket>();
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
      swallow(sockets());
      pairs.clear();
      if (which === 'all') state = 'swallowing';
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
