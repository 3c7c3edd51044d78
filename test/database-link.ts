import { connect, createServer, type Socket } from 'node:net';
import { listenOnFreePort } from './servers.ts';

/** A TCP proxy between a node and its database, which a test can cut, block or slow down. */
export type DatabaseLink = {
  url: string;
  /** Closes every connection and refuses new ones. */
  cut(): void;
  /** Stops forwarding bytes without closing connections. */
  block(): void;
  /**
   * Drops all further packets of existing connections without closing them, as a firewall that lost its state does. New
   * connections work, unless `includesNewConnections`: then their packets are dropped as well, until `restore`.
   */
  dropPackets(options?: { includesNewConnections: boolean }): void;
  /** Ends the sessions of dropped connections at PostgreSQL, as its keepalives eventually do. */
  endDroppedSessions(): void;
  /** Delays the responses of the database. */
  delay(ms: number): void;
  /** Connects to this URL from now on: the same database, after a restart on another port. */
  redirect(databaseUrl: string): void;
  /** Forwards everything again; blocked connections continue where they stopped. */
  restore(): void;
  close(): void;
};

/** Opens a link to a database. The caller closes it. */
export async function openLink(databaseUrl: string): Promise<DatabaseLink> {
  let database = new URL(databaseUrl);
  /** The forwarded connections: the socket of the node and the socket of the database. */
  const pairs = new Set<[Socket, Socket]>();
  const droppedSockets = new Set<Socket>();
  const droppedDatabaseSockets: Socket[] = [];
  let state: 'open' | 'cut' | 'blocked' | 'dropping' = 'open';
  let delayMs = 0;

  const server = createServer({ allowHalfOpen: true }, (nodeSocket) => {
    if (state === 'cut') {
      nodeSocket.destroy();
      return;
    }
    if (state === 'dropping') {
      dropPacketsOfSockets([nodeSocket]);
      return;
    }
    const databaseSocket = connect({
      port: Number(database.port),
      host: database.hostname,
      allowHalfOpen: true,
    });
    const pair: [Socket, Socket] = [nodeSocket, databaseSocket];
    pairs.add(pair);
    for (const [source, target] of [pair, pair.toReversed() as [Socket, Socket]]) {
      const runUnlessDropped = (action: () => void): void => {
        if (!droppedSockets.has(source)) action();
      };
      source.on('data', (chunk) => {
        const forward = () => runUnlessDropped(() => target.write(chunk));
        if (source === databaseSocket && delayMs > 0) setTimeout(forward, delayMs);
        else forward();
      });
      source.on('end', () => runUnlessDropped(() => target.end()));
      source.on('close', () => {
        runUnlessDropped(() => target.destroy());
        pairs.delete(pair);
      });
      source.on('error', () => runUnlessDropped(() => target.destroy()));
      if (state === 'blocked') source.pause();
    }
  });
  function dropPacketsOfSockets(sockets: Socket[]): void {
    for (const socket of sockets) {
      droppedSockets.add(socket);
      socket.on('error', () => undefined).resume();
    }
  }
  const port = await listenOnFreePort(server);

  const listSockets = () => [...pairs].flat();
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    cut() {
      state = 'cut';
      for (const socket of listSockets()) socket.destroy();
    },
    block() {
      state = 'blocked';
      for (const socket of listSockets()) socket.pause();
    },
    dropPackets({ includesNewConnections } = { includesNewConnections: false }) {
      droppedDatabaseSockets.push(...[...pairs].map(([, databaseSocket]) => databaseSocket));
      dropPacketsOfSockets(listSockets());
      pairs.clear();
      if (includesNewConnections) state = 'dropping';
    },
    endDroppedSessions() {
      for (const databaseSocket of droppedDatabaseSockets.splice(0)) databaseSocket.destroy();
    },
    redirect(url) {
      database = new URL(url);
    },
    delay(ms) {
      delayMs = ms;
    },
    restore() {
      state = 'open';
      delayMs = 0;
      for (const socket of listSockets()) socket.resume();
    },
    close() {
      server.close();
      for (const socket of [...listSockets(), ...droppedSockets]) socket.destroy();
    },
  };
}
