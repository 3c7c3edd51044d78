import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { TextOrNull } from '#platform/http/schemas.ts';
import type { Outbound } from '../messages.ts';
import { listSubscriptions } from '../preferences.ts';

export const getWalletPush = ({ db, vapidPublicKey }: Outbound) =>
  endpoint('GET /wallet/push', {
    access: { scope: 'wallet', customer: true },
    id: 'getPush',
    summary: 'Show where Web Push goes',
    answers: {
      200: {
        description: 'The key to subscribe with, and how many browsers have.',
        schema: Type.Object({
          public_key: TextOrNull({
            description: 'For `applicationServerKey` of PushManager; null: there is no Web Push here.',
          }),
          browsers: Type.Integer(),
        }),
      },
    },
    async handler(request) {
      const browsers = await listSubscriptions(db, request.caller.customerId);
      return { public_key: vapidPublicKey, browsers: browsers.length };
    },
  });
