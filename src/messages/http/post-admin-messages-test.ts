import { Type } from 'typebox';
import { HOUR_MS } from '#core/duration.ts';
import { countAttempts } from '#platform/http/attempt-limits.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { readPhone } from '#platform/http/formats.ts';
import { Form, Text, TextOrNull } from '#platform/http/schemas.ts';
import { newId } from '#platform/ids.ts';
import { changeBy, recordCreation } from '#platform/privacy/trail.ts';
import { validationFailed } from '#platform/problem.ts';
import type { Outbound } from '../messages.ts';
import { messageNotSent, tooManyTests } from '../problems.ts';
import { templateNames } from '../schemas.ts';
import { TRIED_CHANNELS, TRIED_TEMPLATE, tryChannel } from '../try-channel.ts';

const LIMIT = { kind: 'test messages', most: 20, windowMs: HOUR_MS };
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const postAdminMessagesTest = ({ db, clock, channels, creditor, walletPage }: Outbound) =>
  endpoint('POST /admin/messages/test', {
    access: { scope: 'operator', role: 'support' },
    id: 'sendTestMessage',
    summary: 'Send an example to yourself',
    description:
      'At once, to a phone or an e-mail address of your own: whether a channel is set up, and what a message looks like there. ' +
      'At most 20 an hour.',
    body: Form(
      {
        channel: Type.Enum([...TRIED_CHANNELS]),
        to: Text(254, { description: 'A phone in E.164, or an e-mail address.' }),
        template: Type.Optional(templateNames(`Whose example; \`${TRIED_TEMPLATE}\` unless sent.`)),
      },
      { examples: [{ channel: 'sms', to: '+5511987650001', template: 'reminder' }] },
    ),
    answers: {
      200: {
        description: 'The provider has taken it.',
        schema: Type.Object({
          channel: Type.Enum([...TRIED_CHANNELS]),
          provider_id: TextOrNull({ description: 'What the provider calls it.' }),
          text: Type.String({ examples: ['Semana: recebemos R$ 51,10 em 22/11.'] }),
        }),
      },
    },
    problems: [messageNotSent, tooManyTests, validationFailed],
    async handler(request) {
      const { channel, to: given, template = TRIED_TEMPLATE } = request.body;
      const to = channel === 'email' ? (EMAIL.test(given) ? given : null) : readPhone(given);
      if (to === null)
        throw validationFailed([
          {
            pointer: '/to',
            message: { en: 'must be an address of that channel', pt: 'deve ser um endereço desse canal' },
          },
        ]);
      const now = clock.now();
      const subject = db.vault.hash('test messages', request.caller.personId);
      await countAttempts(db, [{ limit: LIMIT, subject, refusal: tooManyTests }], now);
      const writing = { creditor: creditor(), walletPage };
      const { providerId, text } = await tryChannel(channels(), writing, { channel, to, template }, now);
      const address = channel === 'email' ? { email: to } : { phone: to };
      const tried = { kind: 'message_test', id: newId('msg', now) };
      await db.transaction((tx) =>
        recordCreation(tx, changeBy(request, now), tried, { channel, template, ...address }),
      );
      return { channel, provider_id: providerId, text };
    },
  });
