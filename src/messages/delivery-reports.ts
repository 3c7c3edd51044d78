import { Type } from 'typebox';
import { type Queryable, runInBatches, sql, type Tx } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { readRawBody } from '#platform/http/raw-body.ts';
import { notFound } from '#platform/problem.ts';
import { isSignedByTwilio } from './channels/twilio.ts';
import type { MessagingDeps } from './messages.ts';

type ProviderMessage = { provider_id: string; customer_id: string | null; message_id: string };

export const insertProviderMessage = (db: Queryable, message: ProviderMessage, createdAt: Date) =>
  db.run(sql`
    insert into provider_messages (provider_id, customer_id, message_id, created_at)
    values (${message.provider_id}, ${message.customer_id}, ${message.message_id}, ${createdAt}) on conflict do nothing`);

const findProviderMessage = (db: Queryable, providerId: string) =>
  db.row<ProviderMessage>(sql`
    select provider_id, customer_id, message_id from provider_messages where provider_id = ${providerId}`);

type DeliveryReport = { status: string; reason: string | null; reportedAt: Date };

async function insertDeliveryReport(
  tx: Tx,
  providerId: string,
  { status, reason, reportedAt }: DeliveryReport,
) {
  const insertedCount = await tx.run(sql`
    insert into delivery_reports (provider_id, status, reason, reported_at)
    values (${providerId}, ${status}, ${reason}, ${reportedAt}) on conflict do nothing`);
  return insertedCount === 1;
}

/** The status that each report sets, and the statuses that it replaces. Reports arrive in any order: `read` must stay `read`. */
const TRANSITIONS = new Map([
  ['delivered', { status: 'delivered', replacedStatuses: ['sent'] }],
  ['read', { status: 'read', replacedStatuses: ['sent', 'delivered'] }],
  ['undelivered', { status: 'failed', replacedStatuses: ['sent'] }],
  ['failed', { status: 'failed', replacedStatuses: ['sent'] }],
]);

async function applyDeliveryReport(
  tx: Tx,
  { customer_id, message_id }: ProviderMessage,
  { status: reportedStatus, reason, reportedAt }: DeliveryReport,
): Promise<void> {
  const transition = TRANSITIONS.get(reportedStatus);
  if (!transition) return;
  const { status, replacedStatuses } = transition;
  if (customer_id === null)
    await tx.run(sql`
      update phone_messages set status = ${status}, reason = coalesce(${reason}, reason), updated_at = ${reportedAt}
      where id = ${message_id} and status = any(${replacedStatuses})`);
  else
    await tx.run(sql`
      update messages set status = ${status}, reason = coalesce(${reason}, reason), updated_at = ${reportedAt}
      where customer_id = ${customer_id} and id = ${message_id} and status = any(${replacedStatuses})`);
}

export const purgeProviderMessageIds = (db: Queryable, before: Date) =>
  runInBatches(() =>
    db.run(sql`
      delete from provider_messages
      where provider_id in (select provider_id from provider_messages where created_at < ${before} limit 1000)`),
  );

/** Stores the report of a message that we sent, and counts a failure once. */
async function receiveReport({ db, clock, metrics }: MessagingDeps, form: URLSearchParams): Promise<void> {
  const message = await findProviderMessage(db, form.get('MessageSid') ?? '');
  if (!message) return;
  const code = form.get('ErrorCode');
  const report = {
    status: (form.get('MessageStatus') ?? '').slice(0, 40),
    reason: code ? `twilio_${code.slice(0, 10)}` : null,
    reportedAt: clock.now(),
  };
  const isNew = await db.transaction(async (tx) => {
    const isInserted = await insertDeliveryReport(tx, message.provider_id, report);
    if (isInserted) await applyDeliveryReport(tx, message, report);
    return isInserted;
  });
  if (!isNew || report.reason === null) return;
  const channel = form.get('To')?.startsWith('whatsapp:') ? 'whatsapp' : 'sms';
  metrics.failures.inc({ channel, reason: report.reason });
}

/** Larger than any callback of Twilio. */
const MAX_BODY_BYTES = 16 * 1024;
/** The detail of the 404 for a caller without a valid signature. */
const NOT_FOUND_DETAIL = { en: 'There is nothing here.', pt: 'Não há nada aqui.' };

export const twilioStatusEndpoint = (deps: MessagingDeps) =>
  endpoint('POST /messages/twilio/status', {
    access: 'open',
    id: 'twilioStatus',
    undocumented: true,
    summary: 'Receive a delivery status from Twilio',
    problems: [notFound],
    responses: { 200: { description: 'The status is stored.', schema: Type.Object({}) } },
    rawBody: true,
    async handler(request, reply) {
      const { twilio } = deps;
      const signature = request.headers['x-twilio-signature'];
      if (!twilio || typeof signature !== 'string') throw notFound(NOT_FOUND_DETAIL);
      const form = new URLSearchParams((await readRawBody(request.raw, MAX_BODY_BYTES)).toString());
      const signedRequest = { url: twilio.getCallbackUrl(), form, signature };
      if (!isSignedByTwilio(twilio.authToken, signedRequest)) throw notFound(NOT_FOUND_DETAIL);
      await receiveReport(deps, form);
      return reply.header('cache-control', 'no-store').send({});
    },
  });
