import { endpoint } from '#platform/http/endpoint.ts';
import { WalletEvent } from '../schemas.ts';
import { lastEventIdHeader, sendStream, streamResponse } from '../stream-response.ts';
import { type Streams, tooManyStreams } from '../streams.ts';

export const getWalletEvents = ({ walletStreams: streams }: { walletStreams: Streams }) =>
  endpoint('GET /wallet/events', {
    access: { scope: 'wallet', customer: true },
    id: 'streamEvents',
    summary: 'Stream events of the customer',
    description:
      'Server-sent events about this customer, e.g. `pix.paid` and `installment.paid`, to update a screen automatically. A comment is sent ' +
      'every 15 seconds. The stream ends after 15 minutes, and when the session or the key ends: reconnect with `Last-Event-ID` to miss no ' +
      'event. If that event is no longer retained, the first event is `reset`: reload the data.',
    headers: lastEventIdHeader,
    responses: { 200: streamResponse(WalletEvent) },
    problems: [tooManyStreams],
    handler(request, reply) {
      const { customerId, keyId, sessionId } = request.caller;
      return sendStream({ request, reply }, streams, {
        owner: customerId,
        credentials: { keyId, sessionId },
      });
    },
  });
