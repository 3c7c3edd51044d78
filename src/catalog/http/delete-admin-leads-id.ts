import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Content } from '../admin/content.ts';
import { removeLead } from '../leads.ts';
import { ofLead } from '../schemas.ts';

export const deleteAdminLeadsId = ({ db, clock }: Content) =>
  endpoint('DELETE /admin/leads/:id', {
    access: { scope: 'operator', role: 'content' },
    id: 'removeLead',
    summary: 'Delete a form that was sent',
    ...ofLead,
    answers: { 204: { description: 'It is gone.' } },
    async handler(request) {
      const change = changeBy(request, clock.now());
      const removed = await db.transaction((tx) => removeLead(tx, request.params.id, change));
      if (!removed) throw request.notFound();
    },
  });
