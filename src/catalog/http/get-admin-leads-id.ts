import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id } from '#platform/http/schemas.ts';
import { ETAG_HEADER, etagOf } from '#platform/trail.ts';
import type { Content } from '../admin/content.ts';
import { findLead } from '../lead-store.ts';
import { renderLead, StaffLead } from '../leads.ts';

export const getAdminLeadsId = ({ db }: Content) =>
  endpoint({
    method: 'GET',
    url: '/admin/leads/:id',
    access: { scope: 'operator', role: 'viewer' },
    id: 'getLead',
    tag: 'Content',
    summary: 'Show a form that was sent',
    params: Type.Object({ id: Id('lead') }),
    notFound: 'No form has this id.',
    answers: { 200: { description: 'The form.', schema: StaffLead, headers: ETAG_HEADER } },
    async handler(request, reply) {
      const lead = await findLead(db, request.params.id);
      if (!lead) throw request.notFound();
      const shown = renderLead(lead);
      reply.header('etag', etagOf(shown));
      return shown;
    },
  });
