import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPages, listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import type { Outbound } from '../messages.ts';
import { MessageTemplate } from '../schemas.ts';
import { showTemplates } from '../show-templates.ts';

export const getAdminMessageTemplates = ({ creditor, walletPage }: Outbound) =>
  endpoint('GET /admin/message-templates', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listMessageTemplates',
    summary: 'List the texts of messages',
    description: 'Each with an example, as every channel shows it.',
    query: Type.Object(pageParameters()),
    answers: listAnswer('A page of templates, by name.', MessageTemplate),
    handler: (request, reply) =>
      answerPages(
        { request, reply },
        async ({ offset, limit }) => {
          const all = showTemplates({ creditor: creditor(), walletPage });
          return { total: all.length, rows: all.slice(offset, offset + limit) };
        },
        { item: MessageTemplate, render: (rows) => rows },
      ),
  });
