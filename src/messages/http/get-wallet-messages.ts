import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, linkHeader, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import type { Outbound } from '../messages.ts';
import { WalletMessages } from '../schemas.ts';
import { listSent } from '../store.ts';

export const getWalletMessages = ({ db, publicUrl }: Outbound) =>
  endpoint('GET /wallet/messages', {
    access: { scope: 'wallet', customer: true },
    id: 'listWalletMessages',
    summary: 'List what the customer was told',
    description: 'Newest first. Login codes are left out.',
    query: Type.Object(pageParameters()),
    answers: {
      200: { description: 'A page of messages.', schema: WalletMessages, headers: LINK_HEADER },
    },
    async handler(request, reply) {
      const { page, limit } = request.query;
      const { customerId } = request.caller;
      const { messages, total } = await listSent(db, customerId, { offset: (page - 1) * limit, limit });
      reply.header('link', linkHeader(`${publicUrl()}/wallet/messages`, { page, limit }, total));
      const data = messages.map(({ sent_at, ...message }) => ({
        ...message,
        sent_at: sent_at.toISOString(),
      }));
      return { data, pagination: paginationOf({ page, limit }, total) };
    },
  });
