import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id } from '#platform/http/schemas.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Content } from '../admin/content.ts';
import { removeLead } from '../leads.ts';
import { NO_LEAD } from '../problems.ts';

export const deleteAdminLeadsId = ({ db, clock }: Content) =>
  endpoint('DELETE /admin/leads/:id', {
    access: { scope: 'operator', role: 'content' },
    id: 'removeLead',
    summary: 'Delete a form that was sent',
    params: Type.Object({ id: Id('lead') }),
    notFound: NO_LEAD,
    answers: { 204: { description: 'It is gone.' } },
    async handler(request) {
      const change = changeBy(request, clock.now());
      const removed = await db.transaction((tx) => removeLead(tx, request.params.id, change));
      if (!removed) throw request.notFound();
    },
  });
