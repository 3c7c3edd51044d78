import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, pageParameters, respondWithPage, toPageRange } from '#platform/http/pagination.ts';
import { NumberOrNull, StrictObject, TextOrNull } from '#platform/http/schemas.ts';
import { invalidField, validationFailed } from '#platform/problem.ts';
import { parsePushEndpoint } from '../channels/push.ts';
import type { MessagingDeps } from '../messages.ts';
import {
  deletePushSubscriptions,
  findPreferences,
  listPushSubscriptions,
  savePreferences,
  savePushSubscription,
} from '../preferences.ts';
import { Preferences, PreferencesForm, WalletMessages } from '../schemas.ts';
import { listSentMessages } from '../store.ts';

export const getWalletMessages = ({ db, publicUrl }: MessagingDeps) =>
  endpoint('GET /wallet/messages', {
    access: { scope: 'wallet', customer: true },
    id: 'listWalletMessages',
    summary: 'List messages',
    description: 'Lists messages that were sent to the customer, newest first, without login codes.',
    query: Type.Object(pageParameters()),
    responses: { 200: { description: 'A page of messages.', schema: WalletMessages, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { query, caller } = request;
      const { messages, total } = await listSentMessages(db, caller.customerId, toPageRange(query));
      const data = messages.map(({ sent_at, ...message }) => ({
        ...message,
        sent_at: sent_at.toISOString(),
      }));
      return respondWithPage(reply, { url: `${publicUrl()}/wallet/messages`, query, total }, data);
    },
  });

export const getWalletPreferences = ({ db }: MessagingDeps) =>
  endpoint('GET /wallet/preferences', {
    access: { scope: 'wallet', customer: true },
    id: 'getPreferences',
    summary: 'Get message preferences',
    responses: { 200: { description: 'The preferences.', schema: Preferences } },
    async handler(request) {
      const { channels, ...otherFields } = await findPreferences(db, request.caller.customerId);
      return { channels: [...channels], ...otherFields };
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
      const { channels, ...otherFields } = await db.transaction((tx) =>
        savePreferences(tx, customerId, request.body, clock.now()),
      );
      return { channels: [...channels], ...otherFields };
    },
  });

export const getWalletPush = ({ db, vapidPublicKey }: MessagingDeps) =>
  endpoint('GET /wallet/push', {
    access: { scope: 'wallet', customer: true },
    id: 'getPush',
    summary: 'Get the Web Push configuration',
    responses: {
      200: {
        description: 'The key to subscribe with, and the number of subscribed browsers.',
        schema: Type.Object({
          public_key: TextOrNull({
            description: 'For `applicationServerKey` of PushManager; null if Web Push is not available.',
          }),
          browsers: Type.Integer(),
        }),
      },
    },
    async handler(request) {
      const subscriptions = await listPushSubscriptions(db, request.caller.customerId);
      return { public_key: vapidPublicKey, browsers: subscriptions.length };
    },
  });

const Key = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{16,200}={0,2}$', description });

export const postWalletPush = ({ db, clock }: MessagingDeps) =>
  endpoint('POST /wallet/push', {
    access: { scope: 'wallet', customer: true },
    id: 'addPush',
    summary: 'Add a Web Push subscription',
    description:
      'Adds a subscription as PushManager returns it, at the push service of a browser vendor. Adding it again changes nothing. A customer has at most ten subscriptions: the oldest one is deleted.',
    body: StrictObject(
      {
        endpoint: Type.String({ maxLength: 1_000 }),
        expirationTime: Type.Optional(NumberOrNull()),
        keys: StrictObject({
          p256dh: Key('Public key of the browser.'),
          auth: Key('Authentication secret of the browser.'),
        }),
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
    responses: { 204: { description: 'The browser is subscribed.' } },
    problems: [validationFailed],
    async handler(request) {
      const { keys } = request.body;
      const url = parsePushEndpoint(request.body.endpoint);
      if (url === undefined)
        throw invalidField('/endpoint', {
          en: 'must be a URL of a push service of Google, Mozilla, Microsoft or Apple',
          pt: 'deve ser o endereço de um serviço de notificações do Google, da Mozilla, da Microsoft ou da Apple',
        });
      const { customerId } = request.caller;
      await db.transaction((tx) =>
        savePushSubscription(tx, {
          customerId,
          subscription: { endpoint: url, keys },
          createdAt: clock.now(),
        }),
      );
    },
  });

export const deleteWalletPush = ({ db }: MessagingDeps) =>
  endpoint('DELETE /wallet/push', {
    access: { scope: 'wallet', customer: true },
    id: 'endPush',
    summary: 'Delete all Web Push subscriptions',
    description: 'Idempotent.',
    responses: { 204: { description: 'The customer has no subscriptions.' } },
    async handler(request) {
      await deletePushSubscriptions(db, request.caller.customerId);
    },
  });
