import { endpoint } from '#platform/http/endpoint.ts';
import { answerStream, lastEventIdHeader, streamAnswer } from '../answer-stream.ts';
import { WalletEvent } from '../schemas.ts';
import { type Streams, tooManyStreams } from '../streams.ts';

export const getWalletEvents = ({ walletStreams: streams }: { walletStreams: Streams }) =>
  endpoint('GET /wallet/events', {
    access: { scope: 'wallet', customer: true },
    id: 'streamEvents',
    summary: 'Hear of changes as they happen',
    description:
      'Server-sent events about this customer: `pix.paid`, `installment.paid` and the like, so that a screen turns green by ' +
      'itself. A comment comes every 15 seconds. The stream ends after 15 minutes, with the session and with the key: open it again with ' +
      '`Last-Event-ID`, and nothing is missed. If that event is not known any more, the first event is `reset`: read again ' +
      'what is shown.',
    headers: lastEventIdHeader,
    answers: { 200: streamAnswer(WalletEvent) },
    problems: [tooManyStreams],
    handler(request, reply) {
      const { customerId, keyId, sessionId } = request.caller;
      return answerStream({ request, reply }, streams, {
        owner: customerId,
        credentials: { keyId, sessionId },
      });
    },
  });
