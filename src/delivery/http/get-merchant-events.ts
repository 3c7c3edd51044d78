import { EVENT_TYPES, type EventType } from '#events';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerStream, lastEventIdHeader, streamAnswer } from '../answer-stream.ts';
import { readerOf } from '../feed.ts';
import { MerchantEvent } from '../schemas.ts';
import { type Streams, tooManyStreams } from '../streams.ts';

/** Of offers, sales and returns: not of what customers pay, nor of the merchant's money. */
const CLERKS = EVENT_TYPES.filter(
  (type) => type.startsWith('offer.') || type === 'checkout.created' || type === 'checkout.returned',
);

export const getMerchantEvents = ({ merchantStreams: streams }: { merchantStreams: Streams }) =>
  endpoint('GET /merchant/events', {
    access: { scope: 'merchant', member: 'clerk' },
    id: 'streamMerchantEvents',
    summary: 'Hear of what happens to your merchant',
    description:
      'Server-sent events of this merchant: offers, sales, returns, what customers paid, payouts. A clerk hears of offers, sales and ' +
      'returns. A comment comes every 15 seconds. The stream ends after 15 minutes, with the key, with the session, and when an owner ' +
      'changes the member: open it again with `Last-Event-ID`, and nothing is missed. If that event is not known any more, which is ' +
      'so after two days, the first event is `reset`: read again what is shown.',
    headers: lastEventIdHeader,
    answers: { 200: streamAnswer(MerchantEvent) },
    problems: [tooManyStreams],
    handler(request, reply) {
      const { merchantId, keyId, sessionId, member } = request.caller;
      const wanted: readonly EventType[] = member?.role === 'clerk' ? CLERKS : EVENT_TYPES;
      return answerStream({ request, reply }, streams, {
        owner: String(merchantId),
        credentials: member ? { keyId, sessionId, memberId: member.id } : { keyId },
        reader: readerOf(request.caller, wanted),
      });
    },
  });
