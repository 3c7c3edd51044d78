import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after } from 'node:test';

/** Starts a server on a free port of this machine, and returns the port. */
export async function listenOnFreePort(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts an HTTP server on a free port. It is closed with its connections at the end of the test or file that starts it. */
export async function startHttpServer(
  server: Server & { closeAllConnections(): void },
): Promise<{ port: number; url: string }> {
  const port = await listenOnFreePort(server);
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port, url: `http://127.0.0.1:${port}` };
}

/** Finds a port on which nothing listens: for a program that cannot choose one, or for connections that must be refused. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnFreePort(server);
  server.close();
  await once(server, 'close');
  return port;
}
