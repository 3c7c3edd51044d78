import { endpoint } from '#platform/http/endpoint.ts';
import { ListOf } from '#platform/http/schemas.ts';
import { listNodes } from '#platform/jobs/job-overview.ts';
import type { Overview } from '../overview.ts';
import { ServiceNode } from '../schemas.ts';

export const getAdminNodes = ({ db }: Overview) =>
  endpoint('GET /admin/nodes', {
    access: { scope: 'operator', role: 'admin' },
    id: 'listNodes',
    summary: 'List the nodes of the service',
    description:
      'Those that are in touch with the database. One that is lost is gone from here in half a minute.',
    answers: { 200: { description: 'The oldest first.', schema: ListOf(ServiceNode) } },
    async handler() {
      const rows = await listNodes(db);
      return { data: rows.map(({ since, ...row }) => ({ ...row, since: since.toISOString() })) };
    },
  });
