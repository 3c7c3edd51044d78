import { endpoint } from '#platform/http/endpoint.ts';
import type { Outbound } from '../messages.ts';
import { findPreferences } from '../preferences.ts';
import { Preferences } from '../schemas.ts';

export const getWalletPreferences = ({ db }: Outbound) =>
  endpoint('GET /wallet/preferences', {
    access: { scope: 'wallet', customer: true },
    id: 'getPreferences',
    summary: 'Show how the customer wants to be told',
    answers: { 200: { description: 'The preferences.', schema: Preferences } },
    async handler(request) {
      const { channels, ...rest } = await findPreferences(db, request.caller.customerId);
      return { channels: [...channels], ...rest };
    },
  });
