import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that this node is about to listen on, by the name of the setting it comes from. */
export type WantedPort = {
  setting: string;
  host: string;
  /** 0: any. */
  port: number;
  /** Whether whoever has it may keep it. */
  mayKeep?: () => Promise<boolean>;
};

/** Other programs have ports that we are to listen on. */
export class PortsTaken extends Error {
  readonly code = 'EADDRINUSE';
  constructor(taken: readonly WantedPort[]) {
    const names = taken.map(({ setting, host, port }) => `${setting} (${host}:${port})`).join(' and ');
    super(
      `${names} ${taken.length === 1 ? 'is' : 'are'} taken by another program. ` +
        `Stop it, or set ${taken.map(({ setting }) => setting).join(' and ')} to something else.`,
    );
  }
}

/** Names all that are taken at once, before the first of them is listened on. */
export async function requireFreePorts(wanted: readonly WantedPort[]): Promise<void> {
  // Processes of one node share them: to them none is taken. The first one has looked.
  if (cluster.isWorker) return;
  const taken: WantedPort[] = [];
  for (const one of wanted) {
    if ((await isTaken(one)) && !(await one.mayKeep?.())) taken.push(one);
  }
  if (taken.length > 0) throw new PortsTaken(taken);
}

/** Nobody listens there now. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function isTaken({ host, port }: WantedPort): Promise<boolean> {
  if (port === 0) return false;
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    // Any other fault is told by who listens.
    return (error as { code?: string }).code === 'EADDRINUSE';
  }
  server.close();
  await once(server, 'close');
  return false;
}
