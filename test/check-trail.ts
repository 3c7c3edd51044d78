import type { FastifyInstance } from 'fastify';
import { DatabaseClient } from '#platform/database-client.ts';

const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Every change at the staff door must have left a trail by the time it is answered. `onFault` is told of those that did not. */
export function checkTrail(
  server: FastifyInstance,
  databaseUrl: string,
  onFault: (fault: string) => void,
): void {
  server.addHook('onSend', async (request, reply) => {
    const { method } = request;
    const { url } = request.routeOptions;
    const isChange = CHANGING.includes(method) && reply.statusCode < 300;
    if (!isChange || !url?.startsWith('/admin/') || reply.getHeader('idempotency-replayed')) return;
    if ((request.body as { dry_run?: boolean } | undefined)?.dry_run) return;
    const client = new DatabaseClient({ connectionString: databaseUrl });
    try {
      await client.connect();
      const { rowCount } = await client.query('select from audit_trail where request_id = $1', [request.id]);
      await client.end();
      if (rowCount === 0) onFault(`${method} ${url} left no trail`);
    } catch {
      // A test has killed the database since the commit.
    }
  });
}
