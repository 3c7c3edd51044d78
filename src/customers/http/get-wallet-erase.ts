import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { listOwed, type PersonalDeps } from '../export-customer.ts';
import { ErasureCheck } from '../own-schemas.ts';

export const getWalletErase = ({ db, personalData }: Customers & PersonalDeps) =>
  endpoint('GET /wallet/erase', {
    access: { scope: 'wallet', customer: true },
    id: 'checkErasure',
    summary: 'What keeps the customer from leaving',
    answers: { 200: { description: 'What has to be settled first.', schema: ErasureCheck } },
    async handler({ caller: { customerId } }) {
      const owed = await listOwed(db, personalData, customerId);
      return { stopped_by: owed.map(({ code, pt: text }) => ({ code, text })) };
    },
  });
