import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that this node is about to listen on, with the name of its setting. */
export type WantedPort = {
  setting: string;
  host: string;
  /** 0: any free port. */
  port: number;
  /** Whether it may be in use already. */
  mayKeep?: () => Promise<boolean>;
};

/** Ports that we need are in use by other programs. */
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

/** Reports all ports that are in use together, before the first is opened. */
export async function requireFreePorts(wanted: readonly WantedPort[]): Promise<void> {
  // Processes of one node share ports, so to a worker none is in use. The primary has checked.
  if (cluster.isWorker) return;
  const taken: WantedPort[] = [];
  for (const one of wanted) {
    if ((await isTaken(one)) && !(await one.mayKeep?.())) taken.push(one);
  }
  if (taken.length > 0) throw new PortsTaken(taken);
}

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
    // Any other fault is reported by `listen`.
    return (error as { code?: string }).code === 'EADDRINUSE';
  }
  server.close();
  await once(server, 'close');
  return false;
}
