import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { Form, TextOrNull } from '#platform/http/schemas.ts';
import { changeBy, changeProblems } from '#platform/privacy/trail.ts';
import type { Content } from '../admin/content.ts';
import { LEAD_STATUSES } from '../lead-store.ts';
import { changeLead, StaffLead } from '../leads.ts';
import { ofLead } from '../schemas.ts';

export const patchAdminLeadsId = ({ db, clock }: Content) =>
  endpoint('PATCH /admin/leads/:id', {
    access: { scope: 'operator', role: 'content' },
    id: 'changeLead',
    summary: 'Mark a form as handled, or write a note about it',
    ...ofLead,
    headers: ifMatchHeader,
    body: Form(
      {
        status: Type.Optional(Type.Enum([...LEAD_STATUSES])),
        note: Type.Optional(TextOrNull({ maxLength: 2_000 })),
      },
      { minProperties: 1, examples: [{ status: 'handled', note: 'Ligamos em 15/11' }] },
    ),
    answers: { 200: { description: 'The form.', schema: StaffLead, etag: true } },
    problems: changeProblems,
    async handler(request) {
      const change = changeBy(request, clock.now());
      const wanted = { change, ifMatch: request.headers['if-match'] };
      return db.transaction((tx) => changeLead(tx, request.params.id, request.body, wanted));
    },
  });
