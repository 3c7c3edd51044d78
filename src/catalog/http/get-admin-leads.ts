import { Type } from 'typebox';
import { type Day, endOfDay, startOfDay } from '#core/day.ts';
import { csvOf, wantsCsv } from '#platform/csv.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Pagination, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import type { Content } from '../admin/content.ts';
import { LEAD_STATUSES, type Lead, listAllLeads, listLeads } from '../lead-store.ts';
import { renderLead, StaffLead } from '../leads.ts';

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

export const getAdminLeads = ({ db }: Content) =>
  endpoint({
    method: 'GET',
    url: '/admin/leads',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listLeads',
    tag: 'Content',
    summary: 'List forms that were sent',
    description: 'Newest first. With `Accept: text/csv` all of them, without pages.',
    query: Type.Object({
      ...pageParameters(),
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
      from: day('Received on or after this day.'),
      to: day('Received on or before this day.'),
    }),
    answers: {
      200: {
        description: 'A page of forms.',
        schema: Type.Object({ data: Type.Array(StaffLead), pagination: Pagination }),
        csv: true,
      },
    },
    async handler(request, reply) {
      const { page, limit, kind, status, q, from, to } = request.query;
      const filter = {
        ...{ kind, status, text: q },
        since: from === undefined ? undefined : new Date(startOfDay(from as Day)),
        before: to === undefined ? undefined : new Date(endOfDay(to as Day)),
      };
      if (wantsCsv(request.headers)) {
        reply.header('content-disposition', 'attachment; filename="leads.csv"');
        return reply.type('text/csv; charset=utf-8').send(csvOf(COLUMNS, listAllLeads(db, filter)));
      }
      const { total, leads } = await listLeads(db, filter, { offset: (page - 1) * limit, limit });
      return { data: leads.map(renderLead), pagination: paginationOf({ page, limit }, total) };
    },
  });

const FIELDS = [
  'id',
  'received_at',
  'kind',
  'status',
  'name',
  'email',
  'phone',
  'company',
  'message',
  'note',
] as const;
const COLUMNS = Object.fromEntries(
  FIELDS.map((field) => [field, (lead: Lead) => renderLead(lead)[field]] as const),
);
