import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { notFound } from '#platform/problem.ts';
import { isSignedByTwilio } from './channels/twilio.ts';
import type { Outbound } from './messages.ts';
import { findProviderMessage, insertReport, markReported } from './reports.ts';

/** More than Twilio's parameters ever take. */
const MOST_BYTES = 16 * 1024;

export const twilioCallback = (outbound: Outbound) =>
  endpoint('POST /messages/twilio/status', {
    access: 'open',
    id: 'twilioStatus',
    undocumented: true,
    summary: 'For Twilio: what became of a message',
    problems: [notFound],
    answers: { 200: { description: 'It is written down.', schema: Type.Object({}) } },
    rawBody: true,
    async handler(request, reply) {
      const { db, clock, twilio, metrics } = outbound;
      const form = new URLSearchParams(await readText(request.raw));
      const signature = request.headers['x-twilio-signature'];
      const given = { url: twilio?.callbackUrl() ?? '', form, signature: String(signature ?? '') };
      // A forged callback is answered with 404.
      if (!twilio || !isSignedByTwilio(twilio.authToken, given))
        throw notFound({ en: 'There is nothing here.', pt: 'Não há nada aqui.' });
      const known = await findProviderMessage(db, form.get('MessageSid') ?? '');
      if (known) {
        const code = form.get('ErrorCode');
        const report = {
          status: (form.get('MessageStatus') ?? '').slice(0, 40),
          reason: code ? `twilio_${code.slice(0, 10)}` : null,
          at: clock.now(),
        };
        const isNew = await db.transaction(async (tx) => {
          const isFirst = await insertReport(tx, known.provider_id, report);
          if (isFirst) await markReported(tx, known, report);
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

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MOST_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
