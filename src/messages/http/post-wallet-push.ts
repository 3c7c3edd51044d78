import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Form, NumberOrNull } from '#platform/http/schemas.ts';
import { validationFailed } from '#platform/problem.ts';
import { isPushService } from '../channels/push.ts';
import type { Outbound } from '../messages.ts';
import { putSubscription } from '../preferences.ts';

const Key = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{16,200}={0,2}$', description });

export const postWalletPush = ({ db, clock }: Outbound) =>
  endpoint('POST /wallet/push', {
    access: { scope: 'wallet', customer: true },
    id: 'addPush',
    summary: 'Let a browser be told by Web Push',
    description:
      'The subscription as PushManager gives it, of the service of a browser’s maker. The same again changes nothing; of more than ten the oldest goes.',
    body: Form(
      {
        endpoint: Type.String({ maxLength: 1_000 }),
        expirationTime: Type.Optional(NumberOrNull()),
        keys: Form({ p256dh: Key('Of the browser.'), auth: Key('Its secret.') }),
      },
      {
        examples: [
          {
            endpoint: 'https://fcm.googleapis.com/fcm/send/dGhlLWJyb3dzZXI',
            keys: {
              p256dh:
                'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
              auth: 'tBHItJI5svbpez7KI4CCXg',
            },
          },
        ],
      },
    ),
    answers: { 204: { description: 'It is told from now on.' } },
    problems: [validationFailed],
    async handler(request) {
      const { endpoint: address, keys } = request.body;
      if (!isPushService(address))
        throw validationFailed([
          {
            pointer: '/endpoint',
            message: {
              en: 'must be an address of a push service of Google, Mozilla, Microsoft or Apple',
              pt: 'deve ser o endereço de um serviço de notificações do Google, da Mozilla, da Microsoft ou da Apple',
            },
          },
        ]);
      const { customerId } = request.caller;
      await db.transaction((tx) =>
        putSubscription(tx, { customerId, subscription: { endpoint: address, keys }, at: clock.now() }),
      );
    },
  });
