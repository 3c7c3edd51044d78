import type { FastifyInstance } from 'fastify';
import { query } from './query.ts';

const CHANGING_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Checks that every change in the staff API has an audit trail entry when its response is sent. Calls `onMissingEntry` otherwise. */
export function checkAuditTrail(
  server: FastifyInstance,
  databaseUrl: string,
  onMissingEntry: (difference: string) => void,
): void {
  server.addHook('onSend', async (request, reply) => {
    const { method } = request;
    const { url } = request.routeOptions;
    const isChange = CHANGING_METHODS.includes(method) && reply.statusCode < 300;
    if (!isChange || !url?.startsWith('/admin/') || reply.getHeader('idempotency-replayed')) return;
    // These endpoints only simulate a change.
    if (url.endsWith('/try')) return;
    if ((request.body as { dry_run?: boolean } | undefined)?.dry_run) return;
    if ((request.query as { dry_run?: string }).dry_run === 'true') return;
    // The query fails if a test has stopped the database since the commit.
    const auditEntries = await query(databaseUrl, 'select from audit_trail where request_id = $1', [
      request.id,
    ]).catch(() => undefined);
    if (auditEntries?.length === 0) onMissingEntry(`${method} ${url} left no audit trail entry`);
  });
}
