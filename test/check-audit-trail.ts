import type { FastifyInstance } from 'fastify';
import { query } from './query.ts';

const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Checks that every change in the staff API is in the trail by the time it is answered. `onFault` gets those that are not. */
export function checkAuditTrail(
  server: FastifyInstance,
  databaseUrl: string,
  onMissingEntry: (fault: string) => void,
): void {
  server.addHook('onSend', async (request, reply) => {
    const { method } = request;
    const { url } = request.routeOptions;
    const isChange = CHANGING.includes(method) && reply.statusCode < 300;
    if (!isChange || !url?.startsWith('/admin/') || reply.getHeader('idempotency-replayed')) return;
    // Tries something out, and changes nothing.
    if (url.endsWith('/try')) return;
    if ((request.body as { dry_run?: boolean } | undefined)?.dry_run) return;
    if ((request.query as { dry_run?: string }).dry_run === 'true') return;
    // Undefined when a test has killed the database since the commit.
    const auditEntries = await query(databaseUrl, 'select from audit_trail where request_id = $1', [
      request.id,
    ]).catch(() => undefined);
    if (auditEntries?.length === 0) onMissingEntry(`${method} ${url} left no trail`);
  });
}
