import { endpoint } from '#platform/http/endpoint.ts';
import type { Content } from '../admin/content.ts';
import { findLead } from '../lead-store.ts';
import { renderLead, StaffLead } from '../leads.ts';
import { ofLead } from '../schemas.ts';

export const getAdminLeadsId = ({ db }: Content) =>
  endpoint('GET /admin/leads/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getLead',
    summary: 'Show a form that was sent',
    ...ofLead,
    answers: { 200: { description: 'The form.', schema: StaffLead, etag: true } },
    async handler(request) {
      const lead = await findLead(db, request.params.id);
      return lead && renderLead(lead);
    },
  });
