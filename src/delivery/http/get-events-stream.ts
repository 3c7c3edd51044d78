import { endpoint } from '#platform/http/endpoint.ts';
import { answerStream, lastEventIdHeader, streamAnswer } from '../answer-stream.ts';
import { readerOf } from '../feed.ts';
import { PartnerEvent } from '../schemas.ts';
import { type Streams, tooManyStreams } from '../streams.ts';

export const getEventsStream = ({ feedStreams: streams }: { feedStreams: Streams }) =>
  endpoint('GET /events/stream', {
    access: { scope: 'partner' },
    id: 'streamPartnerEvents',
    summary: 'Hear of events as they happen',
    description:
      'The feed as server-sent events, for a server that follows it. A comment comes every 15 seconds. The stream ends after 15 ' +
      'minutes and with the key: open it again with `Last-Event-ID`, and nothing is missed. If that event is not known any ' +
      'more, the first event is `reset`: catch up with `GET /events`.',
    headers: lastEventIdHeader,
    answers: { 200: streamAnswer(PartnerEvent) },
    problems: [tooManyStreams],
    handler(request, reply) {
      const { partnerId, keyId } = request.caller;
      const reader = readerOf(request.caller);
      return answerStream({ request, reply }, streams, { owner: partnerId, credentials: { keyId }, reader });
    },
  });
