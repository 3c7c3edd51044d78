import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that this node will listen on, with the name of its setting. */
export type PortToOpen = {
  setting: string;
  host: string;
  /** The port number, or 0 for any free port. */
  port: number;
  /** Whether the program on this port is one that the node can share, such as the PSP simulator of another node. */
  isUsedByShareableProgram?: () => Promise<boolean>;
};

export class PortsInUseError extends Error {
  readonly code = 'EADDRINUSE';
  constructor(portsInUse: readonly PortToOpen[]) {
    const names = portsInUse.map(({ setting, host, port }) => `${setting} (${host}:${port})`).join(' and ');
    super(
      `${names} ${portsInUse.length === 1 ? 'is' : 'are'} in use by another program. ` +
        `Stop it, or set ${portsInUse.map(({ setting }) => setting).join(' and ')} to another port.`,
    );
  }
}

/** Checks all ports before the first is opened, and reports all ports in use together. */
export async function requireFreePorts(ports: readonly PortToOpen[]): Promise<void> {
  // The worker processes of a node share their ports. The primary process has checked them.
  if (cluster.isWorker) return;
  const portsInUse: PortToOpen[] = [];
  for (const candidate of ports) {
    if (!(await isInUse(candidate)) || (await candidate.isUsedByShareableProgram?.())) continue;
    portsInUse.push(candidate);
  }
  if (portsInUse.length > 0) throw new PortsInUseError(portsInUse);
}

/** Returns the requested port, or any free port for 0. Throws if the port is in use. */
export async function findFreePort(host: string, requestedPort = 0): Promise<number> {
  const server = createServer().listen(requestedPort, host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const isInUse = ({ host, port }: PortToOpen): Promise<boolean> =>
  findFreePort(host, port).then(
    () => false,
    // Any other error will be reported when the node opens the port.
    (error: { code?: string }) => error.code === 'EADDRINUSE',
  );
