import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPage, LINK_HEADER, pageParameters, windowOf } from '#platform/http/pagination.ts';
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
      const query = { page, limit };
      const { messages, total } = await listSent(db, customerId, windowOf(query));
      const data = messages.map(({ sent_at, ...message }) => ({
        ...message,
        sent_at: sent_at.toISOString(),
      }));
      return answerPage(reply, { url: `${publicUrl()}/wallet/messages`, query, total }, data);
    },
  });
