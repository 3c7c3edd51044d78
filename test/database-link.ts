import { connect, createServer, type Socket } from 'node:net';

/** The way from a node to its database, which a test can cut or clog. */
export type DatabaseLink = {
  url: string;
  /** Ends every connection and lets no new one through. */
  cut(): void;
  /** Lets nothing pass any more, without a word to either side. */
  clog(): void;
  /** What the database says arrives this much later. */
  delay(ms: number): void;
  /** Everything as before; connections that were clogged go on where they stood. */
  mend(): void;
  close(): void;
};

export async function openLink(databaseUrl: string): Promise<DatabaseLink> {
  const target = new URL(databaseUrl);
  const pairs = new Set<[Socket, Socket]>();
  let state: 'open' | 'cut' | 'clogged' = 'open';
  let delayMs = 0;

  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      from.on('data', (chunk) => {
        if (from === far && delayMs > 0) setTimeout(() => to.write(chunk), delayMs);
        else to.write(chunk);
      });
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
      from.on('error', () => to.destroy());
      if (state === 'clogged') from.pause();
    }
  });
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
      for (const socket of sockets()) socket.destroy();
    },
  };
}
