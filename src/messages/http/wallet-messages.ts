import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, pageParameters, respondWithPage, toPageRange } from '#platform/http/pagination.ts';
import type { MessagingDeps } from '../messages.ts';
import { WalletMessages } from '../schemas.ts';
import { listSentMessages } from '../store.ts';

export const getWalletMessages = ({ db, publicUrl }: MessagingDeps) =>
  endpoint('GET /wallet/messages', {
    access: { scope: 'wallet', customer: true },
    id: 'listWalletMessages',
    summary: 'List messages',
    description: 'Messages that were sent to the customer, newest first, without login codes.',
    query: Type.Object(pageParameters()),
    responses: {
      200: { description: 'A page of messages.', schema: WalletMessages, headers: LINK_HEADER },
    },
    async handler(request, reply) {
      const { page, limit } = request.query;
      const { customerId } = request.caller;
      const query = { page, limit };
      const { messages, total } = await listSentMessages(db, customerId, toPageRange(query));
      const data = messages.map(({ sent_at, ...message }) => ({
        ...message,
        sent_at: sent_at.toISOString(),
      }));
      return respondWithPage(reply, { url: `${publicUrl()}/wallet/messages`, query, total }, data);
    },
  });
