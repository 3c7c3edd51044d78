import { Type } from 'typebox';
import { HOUR_MS } from '#core/values/duration.ts';
import { CUSTOMER_ROLES } from '#platform/http/access.ts';
import { enforceLimits } from '#platform/http/attempt-limits.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { normalizePhone } from '#platform/http/formats.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Id, StrictObject, Text, TextOrNull } from '#platform/http/schemas.ts';
import { newId } from '#platform/ids.ts';
import { createAuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { invalidField, validationFailed } from '#platform/problem.ts';
import type { Channel } from '../channels/channel.ts';
import type { MessagingDeps } from '../messages.ts';
import {
  MESSAGE_NOT_FOUND,
  messageInProgress,
  messageNotResendable,
  messageNotSent,
  tooManyTestMessages,
} from '../problems.ts';
import { MessageTemplate, renderStaffMessage, StaffMessage } from '../schemas.ts';
import {
  DEFAULT_TEST_TEMPLATE,
  renderTemplates,
  sendTestMessage,
  TEST_CHANNELS,
} from '../send-test-message.ts';
import { defineMessageList, resendMessage } from '../staff-store.ts';
import { TEMPLATE_NAMES } from '../templates.ts';

export const getAdminMessageTemplates = ({ getCreditor, toWalletUrl }: MessagingDeps) =>
  endpoint('GET /admin/message-templates', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listMessageTemplates',
    summary: 'List message templates',
    description: 'Lists the templates with an example text for each channel.',
    query: Type.Object(pageParameters()),
    responses: listResponse('A page of templates, in order of name.', MessageTemplate),
    handler: (request, reply) =>
      respondWithPages(
        { request, reply },
        async ({ offset, limit }) => {
          const templates = renderTemplates({ creditor: getCreditor(), toWalletUrl });
          return { total: templates.length, rows: templates.slice(offset, offset + limit) };
        },
        { item: MessageTemplate, render: (rows) => rows },
      ),
  });

export const getAdminMessages = (deps: MessagingDeps) =>
  listEndpoint('GET /admin/messages', deps, defineMessageList(deps.contacts), {
    id: 'listStaffMessages',
    summary: 'List messages to customers',
    description:
      'Lists messages with their delivery status, newest first. Messages to phones that belong to no customer are left out.',
    cli: {
      columns: 'id, customer_id, template, status, channel, reason, attempts, updated_at',
      examples: ['semana messages list --status failed'],
    },
    page: 'A page of messages.',
    item: StaffMessage,
    render: (rows) =>
      deps.contacts.addCustomerNames(
        deps.db,
        rows.map((row) => renderStaffMessage(deps.db.vault, row)),
      ),
  });

const TEST_MESSAGE_LIMIT = { kind: 'test messages', maxAttempts: 20, windowMs: HOUR_MS };
const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Returns null if the text is not an address of the channel. */
function parseAddress(channel: Channel, text: string): string | null {
  if (channel !== 'email') return normalizePhone(text);
  return EMAIL_PATTERN.test(text) ? text : null;
}

export const postAdminMessagesTest = ({ db, clock, getChannels, getCreditor, toWalletUrl }: MessagingDeps) =>
  endpoint('POST /admin/messages/test', {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    id: 'sendTestMessage',
    summary: 'Send a test message',
    description:
      'Immediately sends the example of a template to a phone or an e-mail address, to check the configuration of a channel. At most ' +
      '20 per hour and staff user.',
    body: StrictObject(
      {
        channel: Type.Enum([...TEST_CHANNELS]),
        to: Text(254, { description: 'A phone number in E.164 format, or an e-mail address.' }),
        template: Type.Optional(
          Type.Enum(TEMPLATE_NAMES, {
            description: `Name of the template; \`${DEFAULT_TEST_TEMPLATE}\` if omitted.`,
          }),
        ),
      },
      { examples: [{ channel: 'sms', to: '+5511987650001', template: 'reminder' }] },
    ),
    responses: {
      200: {
        description: 'The provider has accepted the message.',
        schema: Type.Object({
          channel: Type.Enum([...TEST_CHANNELS]),
          provider_id: TextOrNull({ description: 'The provider’s id of the message.' }),
          text: Type.String({ examples: ['Semana: recebemos R$ 51,10 em 22/11.'] }),
        }),
      },
    },
    problems: [messageNotSent, tooManyTestMessages, validationFailed],
    async handler(request) {
      const { channel, to, template = DEFAULT_TEST_TEMPLATE } = request.body;
      const address = parseAddress(channel, to);
      if (address === null)
        throw invalidField('/to', {
          en: 'must be an address of this channel',
          pt: 'deve ser um endereço desse canal',
        });
      const now = clock.now();
      const subject = db.vault.hash('test messages', request.caller.staffUserId);
      await enforceLimits(db, [{ limit: TEST_MESSAGE_LIMIT, subject, toProblem: tooManyTestMessages }], now);
      const renderContext = { creditor: getCreditor(), toWalletUrl };
      const message = { channel, address, template };
      const { providerId, text } = await sendTestMessage(getChannels(), renderContext, message, now);
      const recipient = channel === 'email' ? { email: address } : { phone: address };
      const entity = { kind: 'message_test', id: newId('msg', now) };
      await db.transaction((tx) =>
        recordAuditEntry(tx, createAuditContext(request, now), entity, { channel, template, ...recipient }),
      );
      return { channel, provider_id: providerId, text };
    },
  });

export const postAdminMessagesIdResend = ({ db, clock, contacts }: MessagingDeps) =>
  endpoint('POST /admin/messages/:id/resend', {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    id: 'resendMessage',
    summary: 'Resend a message',
    description:
      'Creates a new message with current data. If its reason no longer exists when it is sent, it becomes `withdrawn`. Reminders ' +
      'respect quiet hours. Codes and offers cannot be resent.',
    params: Type.Object({ id: Id('msg') }),
    notFound: MESSAGE_NOT_FOUND,
    cli: { done: 'Message {id} is queued.' },
    responses: { 201: { description: 'The new message, still queued.', schema: StaffMessage } },
    problems: [messageInProgress, messageNotResendable],
    async handler(request) {
      const auditContext = createAuditContext(request, clock.now());
      const message = await db.transaction((tx) => resendMessage(tx, request.params.id, auditContext));
      if (!message) throw request.notFound();
      const { parts: _encryptedContent, ...row } = message;
      const [messageWithName] = await contacts.addCustomerNames(db, [renderStaffMessage(db.vault, row)]);
      return messageWithName!;
    },
  });
