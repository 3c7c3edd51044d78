import { EVENT_TYPES, type EventType } from '#events';
import { endpoint } from '#platform/http/endpoint.ts';
import { buildFeedFilter } from '../feed.ts';
import { MerchantEvent } from '../schemas.ts';
import { lastEventIdHeader, sendStream, streamResponse } from '../stream-response.ts';
import { type Streams, tooManyStreams } from '../streams.ts';

/** A clerk gets events of offers, sales and returns, but not of payments and payouts. */
const CLERK_EVENT_TYPES = EVENT_TYPES.filter(
  (type) => type.startsWith('offer.') || type === 'checkout.created' || type === 'checkout.returned',
);

export const getMerchantEvents = ({ merchantStreams: streams }: { merchantStreams: Streams }) =>
  endpoint('GET /merchant/events', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'streamMerchantEvents',
    summary: 'Stream events of the merchant',
    description:
      'Server-sent events of this merchant: offers, sales, returns, payments and payouts. A clerk gets only offers, sales and returns. A ' +
      'comment is sent every 15 seconds. The stream ends after 15 minutes, when the key or the session ends, and when an owner changes the ' +
      'member: reconnect with `Last-Event-ID` to miss no event. Events are retained for two days: if that event is unknown, the first event ' +
      'is `reset`: reload the data.',
    headers: lastEventIdHeader,
    responses: { 200: streamResponse(MerchantEvent) },
    problems: [tooManyStreams],
    handler(request, reply) {
      const { merchantId, keyId, sessionId, member } = request.caller;
      const types: readonly EventType[] = member?.role === 'clerk' ? CLERK_EVENT_TYPES : EVENT_TYPES;
      return sendStream({ request, reply }, streams, {
        owner: String(merchantId),
        credentials: member ? { keyId, sessionId, memberId: member.id } : { keyId },
        filter: buildFeedFilter(request.caller, types),
      });
    },
  });
