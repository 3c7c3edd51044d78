import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Db } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { listedMessages } from '../inbox.ts';

const SandboxMessage = Type.Object(
  {
    phone: TextOrNull({ description: 'The phone of who got it, also of an e-mail.' }),
    channel: Type.Enum(['whatsapp', 'sms', 'email', 'push']),
    template: Type.String({ description: 'Which message: `login_code`, `offer`, `reminder`, ...' }),
    step: Type.Union([Type.Integer(), Type.Null()], { description: 'Of a reminder: days from the due day.' }),
    text: Type.String(),
    code: TextOrNull({ description: 'The login code or PIX code that goes with it, if there is one.' }),
    link: TextOrNull({ description: 'Where it leads, if anywhere.' }),
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
const LOOK_AGAIN_MS = 20;

export const getSandboxMessages = (parts: { db: Db; isAnyUnderWay: () => Promise<boolean> }) =>
  endpoint('GET /sandbox/messages', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listMessages',
    summary: 'Messages that would have been sent',
    description: 'One that was asked for a moment ago is waited for.',
    query: Type.Object({
      phone: Type.Optional(
        Type.String({ pattern: '^[ +0-9]*$', description: 'Only those to this phone. Write its + as %2B.' }),
      ),
      email: Type.Optional(Text(254, { description: 'Only e-mails to this address.' })),
      ...listParameters(),
    }),
    answers: listAnswer('The messages.', SandboxMessage),
    async handler(request, reply) {
      await untilNone(parts.isAnyUnderWay);
      // An unescaped + in a query is decoded as a space. No phone begins with a space, so it was a +.
      const phone = request.query.phone?.replace(/^ /, '+');
      const { email } = request.query;
      return answerList(parts.db, { request, reply }, listedMessages({ phone, email }), {
        item: SandboxMessage,
        isLinked: phone === undefined && email === undefined,
        render: (rows) =>
          rows.map(({ id, sent_at, ...sent }) => ({ ...sent, sent_at: sent_at.toISOString() })),
      });
    },
  });

/** Waits for messages still being sent, so that a script can read a code right after asking for it. */
async function untilNone(isAnyUnderWay: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + MESSAGES_TIMEOUT_MS;
  while (performance.now() < untilMs && (await isAnyUnderWay())) await sleep(LOOK_AGAIN_MS);
}
