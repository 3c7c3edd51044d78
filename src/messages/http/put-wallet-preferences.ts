import { endpoint } from '#platform/http/endpoint.ts';
import type { Outbound } from '../messages.ts';
import { findPreferences, putPreferences } from '../preferences.ts';
import { Preferences, PreferencesForm } from '../schemas.ts';

export const putWalletPreferences = ({ db, clock }: Outbound) =>
  endpoint('PUT /wallet/preferences', {
    access: { scope: 'wallet', customer: true },
    id: 'setPreferences',
    summary: 'Choose how to be told',
    description: 'Legal notices (what is late, changes of the account) cannot be switched off.',
    body: PreferencesForm,
    answers: { 200: { description: 'The preferences as they are now.', schema: Preferences } },
    async handler(request) {
      const { customerId } = request.caller;
      return db.transaction(async (tx) => {
        const { channels, ...rest } = { ...(await findPreferences(tx, customerId)), ...request.body };
        await putPreferences(tx, customerId, { channels, ...rest }, clock.now());
        return { channels: [...channels], ...rest };
      });
    },
  });
