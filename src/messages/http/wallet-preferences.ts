import { endpoint } from '#platform/http/endpoint.ts';
import type { MessagingDeps } from '../messages.ts';
import { findPreferences, savePreferences } from '../preferences.ts';
import { Preferences, PreferencesForm } from '../schemas.ts';

export const getWalletPreferences = ({ db }: MessagingDeps) =>
  endpoint('GET /wallet/preferences', {
    access: { scope: 'wallet', customer: true },
    id: 'getPreferences',
    summary: 'Get message preferences',
    responses: { 200: { description: 'The preferences.', schema: Preferences } },
    async handler(request) {
      const { channels, ...rest } = await findPreferences(db, request.caller.customerId);
      return { channels: [...channels], ...rest };
    },
  });

export const putWalletPreferences = ({ db, clock }: MessagingDeps) =>
  endpoint('PUT /wallet/preferences', {
    access: { scope: 'wallet', customer: true },
    id: 'setPreferences',
    summary: 'Update message preferences',
    description:
      'Legal notices, e.g. about late installments or changes to the account, cannot be switched off.',
    body: PreferencesForm,
    responses: { 200: { description: 'The updated preferences.', schema: Preferences } },
    async handler(request) {
      const { customerId } = request.caller;
      return db.transaction(async (tx) => {
        const { channels, ...rest } = { ...(await findPreferences(tx, customerId)), ...request.body };
        await savePreferences(tx, customerId, { channels, ...rest }, clock.now());
        return { channels: [...channels], ...rest };
      });
    },
  });
