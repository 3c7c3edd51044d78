import { endpoint } from '#platform/http/endpoint.ts';
import type { Outbound } from '../messages.ts';
import { deleteSubscriptions } from '../preferences.ts';

export const deleteWalletPush = ({ db }: Outbound) =>
  endpoint('DELETE /wallet/push', {
    access: { scope: 'wallet', customer: true },
    id: 'endPush',
    summary: 'Let no browser be told by Web Push',
    description: 'Again, it changes nothing.',
    answers: { 204: { description: 'No browser of the customer’s is told any more.' } },
    async handler(request) {
      await deleteSubscriptions(db, request.caller.customerId);
    },
  });
