import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { OwnPhoneChange } from '../phone-changes/forms.ts';
import { findWaitingChange } from '../phone-changes/store.ts';

export const getWalletPhoneChange = ({ db }: Pick<Customers, 'db'>) =>
  endpoint('GET /wallet/phone-change', {
    access: { scope: 'wallet', customer: true },
    id: 'getPhoneChange',
    summary: 'Whether the phone of the customer is about to change',
    description:
      'A change that the customer asked the operator for, or somebody in their name: they can cancel it.',
    answers: { 200: { description: 'The change that waits.', schema: OwnPhoneChange } },
    async handler({ caller: { customerId } }) {
      const waiting = await findWaitingChange(db, customerId);
      if (!waiting) return { phone_change: null };
      const { to, asked_at, counts_at } = waiting;
      return {
        phone_change: {
          phone_ends_in: to.slice(-4),
          asked_at: asked_at.toISOString(),
          counts_at: counts_at.toISOString(),
        },
      };
    },
  });
