import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Db } from '#platform/database/db.ts';
import type { Access } from '#platform/http/access.ts';
import { type Caller, endpoint } from '#platform/http/endpoint.ts';
import { listParameters, listResponse, respondWithList } from '#platform/http/list-query.ts';
import { Text, TextField, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { buildMessageListQuery, findPartnersMessageFilter, type MessageFilter } from '../inbox.ts';

const SandboxMessage = Type.Object(
  {
    phone: TextOrNull({ description: 'The phone of the recipient, also for an e-mail.' }),
    channel: Type.Enum(['whatsapp', 'sms', 'email', 'push']),
    template: TextField('The template of the message: `login_code`, `offer`, `reminder`, ...'),
    step: Type.Union([Type.Integer(), Type.Null()], {
      description: 'For a reminder, the number of days from the due day.',
    }),
    text: Type.String(),
    code: TextOrNull({ description: 'The login code or PIX code of the message, if it has one.' }),
    link: TextOrNull({ description: 'The link of the message, if it has one.' }),
    sent_at: Timestamp(),
  },
  {
    $id: 'SandboxMessage',
    examples: [
      {
        phone: '+5511987650001',
        channel: 'sms',
        template: 'login_code',
        step: null,
        text: 'Semana: 314159 é o seu código. Vale 5 minutos. Não o diga a ninguém.',
        code: '314159',
        link: null,
        sent_at: '2026-11-15T12:00:00.000Z',
      },
    ],
  },
);

const MESSAGES_TIMEOUT_MS = 10_000;
const POLL_MS = 20;

type MessagesDeps = { db: Db; areMessagesPending: () => Promise<boolean> };

export const getSandboxMessages = (deps: MessagesDeps) =>
  createMessagesEndpoint(deps, {
    access: { scope: 'operator', role: 'viewer' },
    findFilter: async () => ({}),
  });

export const getOwnSandboxMessages = (deps: MessagesDeps) =>
  createMessagesEndpoint(deps, {
    access: { scope: 'wallet' },
    findFilter: ({ partnerId }, phone) => findPartnersMessageFilter(deps.db, partnerId, phone),
  });

type InboxAccess = {
  access: Access;
  findFilter: (caller: Caller, phone: string | undefined) => Promise<Pick<MessageFilter, 'phones' | 'codes'>>;
};

const createMessagesEndpoint = (deps: MessagesDeps, { access, findFilter }: InboxAccess) =>
  endpoint('GET /sandbox/messages', {
    access,
    id: 'listMessages',
    summary: 'List sandbox messages',
    description:
      'Messages that would have been sent in live mode. The response waits for messages that are being sent. A partner reads the messages ' +
      'to its own customers, and with `phone` also the login codes that it requested for other phones.',
    query: Type.Object({
      phone: Type.Optional(
        Type.String({
          pattern: '^[ +0-9]*$',
          description: 'Only messages to this phone. Encode the + as %2B.',
        }),
      ),
      email: Type.Optional(Text(254, { description: 'Only e-mails to this address.' })),
      ...listParameters(),
    }),
    responses: listResponse('The messages.', SandboxMessage),
    async handler(request, reply) {
      await waitUntilSent(deps.areMessagesPending);
      // An unescaped + in a query is decoded as a space. No phone begins with a space, so the caller sent a +.
      const phone = request.query.phone?.replace(/^ /, '+');
      const { email } = request.query;
      const filter = { phone, email, ...(await findFilter(request.caller, phone)) };
      return respondWithList(deps.db, { request, reply }, buildMessageListQuery(filter), {
        item: SandboxMessage,
        // URLs in headers must not contain a phone or an e-mail address.
        hasLinkHeader: phone === undefined && email === undefined,
        render: (rows) =>
          rows.map(({ id, sent_at, ...message }) => ({ ...message, sent_at: sent_at.toISOString() })),
      });
    },
  });

/** Waits for messages that are being sent, so that a script can read a code right after requesting it. */
async function waitUntilSent(areMessagesPending: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + MESSAGES_TIMEOUT_MS;
  while (performance.now() < deadlineMs && (await areMessagesPending())) await sleep(POLL_MS);
}
