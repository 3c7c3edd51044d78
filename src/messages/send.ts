import { saoPauloDay } from '#core/values/day.ts';
import { MINUTE_MS } from '#core/values/duration.ts';
import { limitConcurrency, waitForAllOrThrow, waitWhileUrgent } from '#platform/jobs/concurrency.ts';
import type { CronItem, JobAttempt, Tasks } from '#platform/jobs/jobs.ts';
import { type Channel, type OutgoingMessage, PHONE_CHANNELS, SendFailure } from './channels/channel.ts';
import { PUSH_SUBSCRIPTIONS_EXPIRED } from './channels/push.ts';
import { insertProviderMessage } from './delivery-reports.ts';
import { recordChannelFailure, recordChannelSuccess } from './health.ts';
import { type Contact, type MessagingDeps, Postponement } from './messages.ts';
import { enqueueMessages, type MessageKey } from './outbox.ts';
import {
  DEFAULT_PREFERENCES,
  deletePushSubscriptions,
  findPreferences,
  listPushSubscriptions,
  listRefusedChannels,
  type Preferences,
  saveRefusedAddress,
} from './preferences.ts';
import {
  decryptContent,
  deleteSubjects,
  findMessage,
  findPhoneMessage,
  listPendingMessages,
  type MessageToSend,
  postponeMessage,
  type SendResult,
  savePhoneSendResult,
  saveSendResult,
  upsertCustomerCopy,
} from './store.ts';
import type { Template } from './template.ts';
import { getTemplate, isTemplateName, type TemplateName } from './templates.ts';

type Draft = {
  key: MessageKey;
  row: MessageToSend;
  template: Template<unknown>;
  data: unknown;
  /** The recipient's phone; '' for a customer who no longer exists. */
  phone: string;
  /** The customer with this phone, if any. */
  contact: Contact | undefined;
  preferences: Preferences;
  /** The channels that have refused an address of the recipient permanently. */
  refusedChannels: readonly Channel[];
  attempt: JobAttempt;
};

type AttemptOutcome = Pick<SendResult, 'status' | 'reason'> &
  Partial<Pick<SendResult, 'channel' | 'providerId' | 'text'>>;

const WITHDRAWN: AttemptOutcome = { status: 'withdrawn', reason: null };
const WITHDRAWN_LATE: AttemptOutcome = { status: 'withdrawn', reason: 'late' };

/**
 * Creates the function by which a job sends a message. It skips a message that was sent or withdrawn in the meantime. Its reads and writes
 * share round trips with those of other messages. `withLimit` bounds how many messages are prepared and sent concurrently.
 */
const createMessageSender =
  (deps: MessagingDeps, withLimit: <T>(work: () => Promise<T>) => Promise<T> = (work) => work()) =>
  async (key: MessageKey, attempt: JobAttempt): Promise<void> => {
    const draft = await readDraft(deps, key, attempt);
    if (!draft) return;
    const outcome = await withLimit(() => prepareAndSend(deps, draft));
    if (outcome instanceof Postponement) {
      await postponeMessage(deps.db, key, outcome.until);
      return;
    }
    await saveOutcome(deps, draft, outcome);
    // The job retries with backoff. After its last attempt the sweep retries.
    if (outcome.status === 'retrying' && !attempt.isLast) throw new Error(`not sent: ${outcome.reason}`);
  };

async function prepareAndSend(deps: MessagingDeps, draft: Draft): Promise<AttemptOutcome | Postponement> {
  const now = deps.clock.now();
  if (!isRecipientActive(draft)) return WITHDRAWN;
  const { row, template } = draft;
  const isExpired = now.getTime() >= row.created_at.getTime() + template.ttlMs;
  const isForAnotherDay = row.day !== null && row.day !== saoPauloDay(now.getTime());
  // A message whose first attempt comes too late is withdrawn. An urgent one, or one that was attempted before, has failed.
  if (isForAnotherDay || (isExpired && row.status === 'queued' && !template.isUrgent)) return WITHDRAWN_LATE;
  if (isExpired) {
    deps.metrics.messages.inc({ channel: 'none', outcome: 'failed' });
    return { status: 'failed', reason: row.status === 'retrying' ? null : 'expired' };
  }
  const data = await prepareData(deps, draft, now);
  if (data === null) return WITHDRAWN;
  if (data instanceof Postponement) return data;
  // The preparation may wait for the PSP, and the day of the message may end in the meantime.
  if (row.day !== null && row.day !== saoPauloDay(deps.clock.now().getTime())) return WITHDRAWN_LATE;
  return sendByChannels(deps, { ...draft, data });
}

async function readDraft({ db: { shared }, contacts }: MessagingDeps, key: MessageKey, attempt: JobAttempt) {
  const { customer_id: customerId, id } = key;
  // These reads take one round trip, shared with other messages.
  const [row, customer, preferences] = await Promise.all([
    customerId === null ? findPhoneMessage(shared, id) : findMessage(shared, customerId, id),
    customerId === null ? undefined : contacts.find(shared, customerId),
    customerId === null ? DEFAULT_PREFERENCES : findPreferences(shared, customerId),
  ]);
  if (!row?.parts || (row.status !== 'queued' && row.status !== 'retrying') || !isTemplateName(row.template))
    return undefined;
  const { parts: data, phone: recipientPhone, isOfMember } = decryptContent(shared.vault, id, row.parts);
  const template = getTemplate(row.template);
  const isToUnknownPhone = customerId === null && !isOfMember;
  const contact = isToUnknownPhone ? await contacts.findByPhone(shared, recipientPhone!) : customer;
  const phone = recipientPhone ?? contact?.phone ?? '';
  const addresses = isToCustomersPhone(key, phone, contact) ? [phone, contact.email] : [phone];
  const refusedChannels = await listRefusedChannels(shared, customerId ?? id, addresses);
  return { key, row, template, data, phone, contact, preferences, refusedChannels, attempt };
}

/** Whether the message belongs to a customer and goes to the customer's own phone. */
const isToCustomersPhone = (
  key: MessageKey,
  phone: string,
  contact: Contact | undefined,
): contact is Contact => key.customer_id !== null && phone === contact?.phone;

/** A customer must still exist, and be unlocked for some templates. A phone without a customer is always active. */
const isRecipientActive = ({ key, template, contact }: Draft): boolean =>
  contact
    ? !contact.isErased && !(contact.isLocked && template.requiresUnlockedCustomer === true)
    : key.customer_id === null;

async function prepareData({ preparations }: MessagingDeps, draft: Draft, now: Date): Promise<unknown> {
  const { key, row, data } = draft;
  const prepareMessage = preparations.get(row.template as TemplateName);
  const message = { id: key.id, customerId: key.customer_id, data, now } as never;
  return prepareMessage ? prepareMessage(message) : data;
}

/** Sends the message by the first channel that accepts it. */
async function sendByChannels(deps: MessagingDeps, draft: Draft): Promise<AttemptOutcome> {
  const { db, metrics, clock } = deps;
  const senders = deps.getChannels();
  let lastFailure: { channel: Channel; error: SendFailure } | undefined;
  let mayRetry = false;
  for (const channel of listChannels(draft)) {
    const send = senders[channel];
    if (!send) continue;
    const message = await renderMessage(deps, draft, channel);
    try {
      const { providerId } = await send(message);
      const { customer_id, id: message_id } = draft.key;
      if (providerId !== null)
        await insertProviderMessage(db, { provider_id: providerId, customer_id, message_id }, clock.now());
      metrics.messages.inc({ channel, outcome: 'sent' });
      const { storedText } = draft.template;
      const text = storedText ? storedText(draft.data) : message.text;
      return { status: 'sent', reason: null, channel, providerId, text };
    } catch (error) {
      if (!(error instanceof SendFailure)) throw error;
      lastFailure = { channel, error };
      mayRetry ||= !error.isPermanent;
      if (error.isGeneral) await recordChannelFailure(db, channel, clock.now());
      else if (error.isPermanent) {
        const refusal = { channel, reason: error.reason, customerId: draft.key.customer_id };
        await recordRefusal(deps, refusal, message);
      }
      const outcome = error.isPermanent || draft.attempt.isLast ? 'failed' : 'retrying';
      metrics.messages.inc({ channel, outcome });
      metrics.failures.inc({ channel, reason: error.reason });
    }
  }
  const willRetry = mayRetry && !(draft.template.isUrgent && draft.attempt.isLast);
  return {
    status: willRetry ? 'retrying' : 'failed',
    reason: lastFailure?.error.reason ?? 'no_channel',
    channel: lastFailure?.channel ?? null,
  };
}

/** Lists the template's own channels, or else those of the customer that can reach the recipient. A legal notice uses all others too. */
function listChannels({ key, template, contact, phone, preferences, refusedChannels }: Draft) {
  if (template.channels) return template.channels;
  const isCustomersPhone = isToCustomersPhone(key, phone, contact);
  const preferredChannels = isCustomersPhone ? preferences.channels : PHONE_CHANNELS;
  const otherChannels = isCustomersPhone && template.isLegalNotice ? DEFAULT_PREFERENCES.channels : [];
  const channels = new Set<Channel>([...preferredChannels, ...otherChannels]);
  return [...channels].filter((channel) => !refusedChannels.includes(channel));
}

async function renderMessage(deps: MessagingDeps, draft: Draft, channel: Channel): Promise<OutgoingMessage> {
  const { db, getCreditor, toWalletUrl } = deps;
  const { key, row, template, data, contact, phone } = draft;
  const context = { channel, creditor: getCreditor(), toWalletUrl };
  const isToCustomer = key.customer_id !== null;
  return {
    id: key.id,
    template: row.template,
    step: row.step,
    phone: phone || null,
    email: isToCustomer ? (contact?.email ?? null) : null,
    subscriptions:
      channel === 'push' && isToCustomer ? await listPushSubscriptions(db, key.customer_id!) : [],
    subject: template.subject(data),
    text: template.text(data, context),
    code: template.code?.(data) ?? null,
    link: template.link?.(data, context) ?? null,
    creditor: getCreditor(),
  };
}

/** Saves that a channel cannot reach an address, so that later messages use other channels. */
async function recordRefusal(
  { db, clock }: MessagingDeps,
  { channel, reason, customerId }: { channel: Channel; reason: string; customerId: string | null },
  { phone, email }: OutgoingMessage,
): Promise<void> {
  const address = channel === 'email' ? email : phone;
  if (channel === 'push') {
    if (reason === PUSH_SUBSCRIPTIONS_EXPIRED && customerId !== null)
      await deletePushSubscriptions(db, customerId);
  } else if (address !== null)
    await saveRefusedAddress(db, { address, channel, reason, refusedAt: clock.now() });
}

/** Saves the outcome of an attempt, and logs a failed message for the operator. */
async function saveOutcome(
  { db: { shared }, clock, log }: MessagingDeps,
  draft: Draft,
  outcome: AttemptOutcome,
): Promise<void> {
  const { key, row, template, contact, attempt } = draft;
  const { customer_id: customerId, id } = key;
  const result: SendResult = {
    channel: null,
    providerId: null,
    text: null,
    ...outcome,
    attempts: outcome.status === 'withdrawn' ? 0 : 1,
    // The content of a customer's message is retained so that staff can resend it, unless it contains a secret.
    discardsContent:
      outcome.status !== 'retrying' && (customerId === null || template.storedText !== undefined),
    attemptedAt: clock.now(),
  };
  const { status, channel, reason } = result;
  const isCopiedToCustomer = customerId === null && contact && status !== 'withdrawn';
  // Another message may be about the same subjects on the next day.
  const mustDeleteSubjects = customerId !== null && status === 'withdrawn' && row.day !== null;
  await Promise.all([
    customerId === null
      ? savePhoneSendResult(shared, id, result)
      : saveSendResult(shared, { customerId, id }, result),
    isCopiedToCustomer ? upsertCustomerCopy(shared, contact.customerId, row, result) : undefined,
    mustDeleteSubjects ? deleteSubjects(shared, customerId, id) : undefined,
    status === 'sent' ? recordChannelSuccess(shared, channel!, id) : undefined,
  ]);
  if (status === 'failed')
    log.error(
      { message_id: id, template: row.template, channel, reason, attempts: attempt.number },
      'a message could not be sent',
    );
}

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    /** `isMoved`: the clock was moved, so the times of attempts say nothing about which messages still have a job. */
    messages_sweep: { isMoved?: boolean };
  }
}

const SWEEP_BATCH_SIZE = 1_000;
/** Maximum messages, except urgent ones, that all jobs of this node handle concurrently, so that they share round trips. */
const MESSAGE_CONCURRENCY = 64;
/** Maximum number of these messages that are prepared or sent concurrently. The others are being read or saved. */
const SEND_CONCURRENCY = 16;
/** Maximum time that messages wait for settlements on this node, which take precedence. */
const MAX_YIELD_MS = 1_000;
/** By then the job of a message has ended, successfully or not. */
const STALE_AFTER_MS = 30 * MINUTE_MS;

export function createMessageTasks(deps: MessagingDeps): Tasks {
  const send = createMessageSender(deps, limitConcurrency(SEND_CONCURRENCY));
  const withMessageLimit = limitConcurrency(MESSAGE_CONCURRENCY);
  return {
    send_messages: {
      queue: 'messages',
      // If one message fails, the job is retried. The retry skips the messages that were sent.
      async run({ messages }, attempt) {
        await waitWhileUrgent(MAX_YIELD_MS);
        await waitForAllOrThrow(messages.map((key) => withMessageLimit(() => send(key, attempt))));
      },
    },
    send_urgent_message: { queue: 'codes', run: createMessageSender(deps) },
    messages_sweep: ({ isMoved = false }) => sweep(deps, { isMoved }),
  };
}

export const MESSAGES_CRON: CronItem[] = [
  { task: 'messages_sweep', match: '*/10 * * * *', afterClockMove: { isMoved: true } },
];

/** Enqueues pending messages again whose job was lost or has used up its attempts, or that were postponed until now. */
async function sweep({ db, clock }: MessagingDeps, { isMoved }: { isMoved: boolean }): Promise<void> {
  const now = clock.now();
  // A message that is being sent must not get a second job.
  const lastAttemptBefore = isMoved ? null : new Date(now.getTime() - STALE_AFTER_MS);
  const pendingMessages = await listPendingMessages(db, { lastAttemptBefore, now, limit: SWEEP_BATCH_SIZE });
  await db.transaction((tx) => enqueueMessages(tx, pendingMessages));
}
