import { saoPauloDay } from '#core/day.ts';
import type { JobAttempt } from '#platform/jobs/jobs.ts';
import { type Channel, NotSent, type Outgoing, type Send } from './channels/channel.ts';
import { PUSH_GONE } from './channels/push.ts';
import { noteFailure, noteSuccess } from './health.ts';
import { NotBefore, type Outbound } from './messages.ts';
import type { Contact, MessageName } from './outbox.ts';
import {
  deleteSubscriptions,
  findPreferences,
  listRefusals,
  listSubscriptions,
  type Preferences,
  putRefusal,
  USUAL_PREFERENCES,
} from './preferences.ts';
import { putProviderMessage } from './reports.ts';
import {
  deleteSubjects,
  findMessage,
  findPhoneMessage,
  markMessage,
  markPhoneMessage,
  openContent,
  putOff,
  putOwnersCopy,
  type SendResult,
  type WaitingMessage,
} from './store.ts';
import type { Template } from './template.ts';
import { isTemplate, type TemplateName, templateOf } from './templates.ts';

/** A message that is about to be sent. */
type Draft = {
  name: MessageName;
  row: WaitingMessage;
  template: Template<unknown>;
  parts: unknown;
  phone: string;
  /** Whose phone it is; undefined for a stranger. */
  contact: Contact | undefined;
  preferences: Preferences;
  /** The channels by which this person cannot be reached. */
  refused: readonly Channel[];
  attempt: JobAttempt;
};

/** How an attempt ended. */
type End = Pick<SendResult, 'status' | 'reason'> &
  Partial<Pick<SendResult, 'channel' | 'providerId' | 'text'>>;

const WITHDRAWN: End = { status: 'withdrawn', reason: null };
const LATE: End = { status: 'withdrawn', reason: 'late' };

/**
 * The job that sends a message. One that was sent or withdrawn meanwhile is left alone. What it reads and stores shares round trips
 * with other messages; `inTurn` limits what waits for others: preparing, and the channels.
 */
export const sendMessage =
  (outbound: Outbound, inTurn: <T>(work: () => Promise<T>) => Promise<T> = (work) => work()) =>
  async (name: MessageName, attempt: JobAttempt): Promise<void> => {
    const draft = await readDraft(outbound, name, attempt);
    if (!draft) return;
    const end = await inTurn(() => tryToSend(outbound, draft));
    if (end instanceof NotBefore) return void (await putOff(outbound.db, name, end.at));
    await finish(outbound, draft, end);
    // Retried with backoff, later by the sweep.
    if (end.status === 'retrying' && !attempt.isLast) throw new Error(`not sent: ${end.reason}`);
  };

async function tryToSend(outbound: Outbound, draft: Draft): Promise<End | NotBefore> {
  const now = outbound.clock.now();
  if (isForNobody(draft)) return WITHDRAWN;
  const { row, template } = draft;
  const isLate = now.getTime() >= row.created_at.getTime() + template.lifeMs;
  const isOfAnotherDay = row.day !== null && row.day !== saoPauloDay(now.getTime());
  if (isOfAnotherDay || (isLate && row.status === 'queued' && !template.isUrgent)) return LATE;
  if (isLate) {
    outbound.metrics.messages.inc({ channel: 'none', outcome: 'failed' });
    return { status: 'failed', reason: row.status === 'retrying' ? null : 'expired' };
  }
  const parts = await prepare(outbound, draft, now);
  if (parts === null) return WITHDRAWN;
  if (parts instanceof NotBefore) return parts;
  // Preparing may wait for the PSP. If the day ends meanwhile, the message is not sent.
  if (row.day !== null && row.day !== saoPauloDay(outbound.clock.now().getTime())) return LATE;
  return deliver(outbound, { ...draft, parts });
}

async function readDraft(
  { db: { shared }, contacts }: Outbound,
  name: MessageName,
  attempt: JobAttempt,
): Promise<Draft | undefined> {
  const { customer_id: customerId, id } = name;
  // One round trip, which other messages share.
  const [row, customer, preferences] = await Promise.all([
    customerId === null ? findPhoneMessage(shared, id) : findMessage(shared, customerId, id),
    customerId === null ? undefined : contacts.find(shared, customerId),
    customerId === null ? USUAL_PREFERENCES : findPreferences(shared, customerId),
  ]);
  if (!row?.parts || (row.status !== 'queued' && row.status !== 'retrying') || !isTemplate(row.template))
    return undefined;
  const { parts, phone: given, isOfMember } = openContent(shared.vault, id, row.parts);
  const template = templateOf(row.template);
  const isToStranger = customerId === null && !isOfMember;
  const contact = isToStranger ? await contacts.findByPhone(shared, given!) : customer;
  const phone = given ?? contact?.phone ?? '';
  const addresses = isOwn(name, phone, contact) ? [phone, contact.email] : [phone];
  const refused = await listRefusals(shared, customerId ?? id, addresses);
  return { name, row, template, parts, phone, contact, preferences, refused, attempt };
}

/** It goes to the phone of the customer it belongs to. */
const isOwn = (name: MessageName, phone: string, contact: Contact | undefined): contact is Contact =>
  name.customer_id !== null && phone === contact?.phone;

const isForNobody = ({ name, template, contact }: Draft): boolean =>
  contact
    ? contact.isErased || (contact.isLocked && template.isForActive === true)
    : name.customer_id !== null;

async function prepare({ preparations }: Outbound, draft: Draft, now: Date): Promise<unknown> {
  const { name, row, parts } = draft;
  const prepared = preparations.get(row.template as TemplateName);
  const message = { id: name.id, customerId: name.customer_id, parts, now } as never;
  return prepared ? prepared(message) : parts;
}

/** Channel after channel, until one takes it. */
async function deliver(outbound: Outbound, draft: Draft): Promise<End> {
  const { db, metrics, clock } = outbound;
  let failure: { channel: Channel; error: NotSent } | undefined;
  let mayRetry = false;
  for (const [channel, send] of listWays(outbound, draft)) {
    const message = await write(outbound, draft, channel);
    try {
      const { providerId } = await send(message);
      const { customer_id, id: message_id } = draft.name;
      if (providerId !== null)
        await putProviderMessage(db, { provider_id: providerId, customer_id, message_id }, clock.now());
      metrics.messages.inc({ channel, outcome: 'sent' });
      const { kept } = draft.template;
      const text = kept ? kept(draft.parts) : message.text;
      return { status: 'sent', reason: null, channel, providerId, text };
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      failure = { channel, error };
      mayRetry ||= !error.permanent;
      if (error.concernsAll) await noteFailure(db, channel, clock.now());
      else if (error.permanent) {
        const refusal = { channel, reason: error.reason, customerId: draft.name.customer_id };
        await markRefused(outbound, refusal, message);
      }
      const outcome = error.permanent || draft.attempt.isLast ? 'failed' : 'retrying';
      metrics.messages.inc({ channel, outcome });
      metrics.failures.inc({ channel, reason: error.reason });
    }
  }
  const isTriedOn = mayRetry && !(draft.template.isUrgent && draft.attempt.isLast);
  return {
    status: isTriedOn ? 'retrying' : 'failed',
    reason: failure?.error.reason ?? 'no_channel',
    channel: failure?.channel ?? null,
  };
}

/** In the customer's order. A legal notice uses all other channels as well. Channels that cannot reach this person are left out. */
function listWays(
  { channels }: Outbound,
  { name, template, contact, phone, preferences, refused }: Draft,
): Array<[Channel, Send]> {
  const all = channels();
  const isToOwn = isOwn(name, phone, contact);
  const wanted: readonly Channel[] = isToOwn ? preferences.channels : ['sms', 'whatsapp'];
  const order = template.channels ?? [
    ...wanted,
    ...(isToOwn && template.isLegal ? USUAL_PREFERENCES.channels : []),
  ];
  return [...new Set(order)]
    .filter((channel) => template.channels !== undefined || !refused.includes(channel))
    .flatMap((channel) => (all[channel] ? [[channel, all[channel]] as [Channel, Send]] : []));
}

async function write(outbound: Outbound, draft: Draft, channel: Channel): Promise<Outgoing> {
  const { db, creditor, walletPage } = outbound;
  const { name, row, template, parts, contact, phone } = draft;
  const writing = { channel, creditor: creditor(), walletPage };
  const isOwn = name.customer_id !== null;
  return {
    id: name.id,
    template: row.template,
    step: row.step,
    phone: phone || null,
    email: isOwn ? (contact?.email ?? null) : null,
    subscriptions: channel === 'push' && isOwn ? await listSubscriptions(db, name.customer_id!) : [],
    subject: template.subject(parts),
    text: template.text(parts, writing),
    code: template.code?.(parts) ?? null,
    link: template.link?.(parts, writing) ?? null,
    creditor: creditor(),
  };
}

async function markRefused(
  { db, clock }: Outbound,
  { channel, reason, customerId }: { channel: Channel; reason: string; customerId: string | null },
  { phone, email }: Outgoing,
): Promise<void> {
  const address = channel === 'email' ? email : phone;
  if (channel === 'push') {
    if (reason === PUSH_GONE && customerId !== null) await deleteSubscriptions(db, customerId);
  } else if (address !== null) await putRefusal(db, { address, channel, reason, at: clock.now() });
}

/** Stores how an attempt ended. A message that failed is logged for the operator. */
async function finish({ db: { shared }, clock, log }: Outbound, draft: Draft, end: End): Promise<void> {
  const { name, row, template, contact, attempt } = draft;
  const { customer_id: customerId, id } = name;
  const outcome: SendResult = {
    channel: null,
    providerId: null,
    text: null,
    ...end,
    attempts: end.status === 'withdrawn' ? 0 : 1,
    // The parts of a customer's message are kept, so that it can be sent again. Those with secrets are not.
    isForgotten: end.status !== 'retrying' && (customerId === null || template.kept !== undefined),
    at: clock.now(),
  };
  const { status, channel, reason } = outcome;
  const isCopied = customerId === null && contact && status !== 'withdrawn';
  // Another message may be about its subjects on the next day.
  const isUntold = customerId !== null && status === 'withdrawn' && row.day !== null;
  await Promise.all([
    customerId === null
      ? markPhoneMessage(shared, id, outcome)
      : markMessage(shared, { customerId, id }, outcome),
    isCopied ? putOwnersCopy(shared, contact.customerId, row, outcome) : undefined,
    isUntold ? deleteSubjects(shared, customerId, id) : undefined,
    status === 'sent' ? noteSuccess(shared, channel!, id) : undefined,
  ]);
  if (status !== 'failed') return;
  const what = { message_id: id, template: row.template, channel, reason, attempts: attempt.number };
  log.error(what, 'a message could not be sent');
}
