import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id, TextOrNull } from '#platform/http/schemas.ts';
import { actorOf, changeProblems, ETAG_HEADER, etagOf, ifMatchHeader } from '#platform/trail.ts';
import type { Content } from '../admin/content.ts';
import { LEAD_STATUSES } from '../lead-store.ts';
import { changeLead, StaffLead } from '../leads.ts';

export const patchAdminLeadsId = ({ db, clock }: Content) =>
  endpoint({
    method: 'PATCH',
    url: '/admin/leads/:id',
    access: { scope: 'operator', role: 'content' },
    id: 'changeLead',
    tag: 'Content',
    summary: 'Mark a form as handled, or write a note about it',
    params: Type.Object({ id: Id('lead') }),
    notFound: 'No form has this id.',
    headers: ifMatchHeader,
    body: Type.Object(
      {
        status: Type.Optional(Type.Enum([...LEAD_STATUSES])),
        note: Type.Optional(TextOrNull({ maxLength: 2_000 })),
      },
      {
        minProperties: 1,
        additionalProperties: false,
        examples: [{ status: 'handled', note: 'Ligamos em 15/11' }],
      },
    ),
    answers: { 200: { description: 'The form.', schema: StaffLead, headers: ETAG_HEADER } },
    problems: changeProblems,
    async handler(request, reply) {
      const change = { actor: actorOf(request), action: 'changeLead', now: clock.now() };
      const wanted = { change, ifMatch: request.headers['if-match'] };
      const shown = await db.transaction((tx) => changeLead(tx, request.params.id, request.body, wanted));
      if (!shown) throw request.notFound();
      reply.header('etag', etagOf(shown));
      return shown;
    },
  });
