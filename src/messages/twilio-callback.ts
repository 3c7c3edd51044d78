import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { readRawBody } from '#platform/http/raw-body.ts';
import { notFound } from '#platform/problem.ts';
import { isSignedByTwilio } from './channels/twilio.ts';
import { applyDeliveryReport, findProviderMessage, insertDeliveryReport } from './delivery-reports.ts';
import type { MessagingDeps } from './messages.ts';

/** Larger than any callback of Twilio. */
const MAX_BODY_BYTES = 16 * 1024;
/** The detail of the 404 for a caller without a valid signature. */
const NOTHING_HERE = { en: 'There is nothing here.', pt: 'Não há nada aqui.' };

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
      const { db, clock, twilio, metrics } = deps;
      const signature = request.headers['x-twilio-signature'];
      if (!twilio || typeof signature !== 'string') throw notFound(NOTHING_HERE);
      const form = new URLSearchParams((await readRawBody(request.raw, MAX_BODY_BYTES)).toString());
      const signedRequest = { url: twilio.callbackUrl(), form, signature };
      if (!isSignedByTwilio(twilio.authToken, signedRequest)) throw notFound(NOTHING_HERE);
      const message = await findProviderMessage(db, form.get('MessageSid') ?? '');
      if (message) {
        const code = form.get('ErrorCode');
        const report = {
          status: (form.get('MessageStatus') ?? '').slice(0, 40),
          reason: code ? `twilio_${code.slice(0, 10)}` : null,
          at: clock.now(),
        };
        const isNew = await db.transaction(async (tx) => {
          const isFirst = await insertDeliveryReport(tx, message.provider_id, report);
          if (isFirst) await applyDeliveryReport(tx, message, report);
          return isFirst;
        });
        if (isNew && report.reason !== null) {
          const channel = form.get('To')?.startsWith('whatsapp:') ? 'whatsapp' : 'sms';
          metrics.failures.inc({ channel, reason: report.reason });
        }
      }
      return reply.header('cache-control', 'no-store').send({});
    },
  });
