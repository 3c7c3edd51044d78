import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import type { Content } from '../admin/content.ts';
import { LEAD_STATUSES, listedLeads, openLead } from '../lead-store.ts';
import { renderLead, StaffLead } from '../leads.ts';

export const getAdminLeads = ({ db }: Content) =>
  endpoint('GET /admin/leads', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listLeads',
    summary: 'List forms that were sent',
    query: Type.Object({
      ...listParameters(),
      kind: Type.Optional(
        Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$', description: 'Which form it is, e.g. `partner`.' }),
      ),
      status: Type.Optional(Type.Enum([...LEAD_STATUSES])),
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'How words of name, company or e-mail begin; or a whole phone, e.g. +5511987654321.',
        }),
      ),
      ...dayParameters('Received'),
    }),
    answers: listAnswer('A page of forms.', StaffLead),
    handler(request, reply) {
      const { kind, status, q, from, to } = request.query;
      return answerList(db, { request, reply }, listedLeads(db.vault, { kind, status, text: q, from, to }), {
        item: StaffLead,
        render: (rows) => rows.map((row) => renderLead(openLead(db.vault, row))),
      });
    },
  });
