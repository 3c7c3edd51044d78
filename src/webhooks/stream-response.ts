import { Readable } from 'node:stream';
import { type TSchema, Type } from 'typebox';
import { StreamReset } from './schemas.ts';
import type { Streams } from './streams.ts';

export const lastEventIdHeader = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      description:
        'The `id` of the last received event: the stream continues after it. Without it the stream starts with new events.',
    }),
  ),
});

export const streamResponse = <S extends TSchema>(event: S) => ({
  description:
    'The stream. Each event has an `id`, its type in `event`, and a JSON object in `data`, which the schema describes.',
  contentType: 'text/event-stream',
  schema: Type.Union([event, StreamReset]),
});

type StreamOptions = Omit<Parameters<Streams['open']>[0], 'lastEventId'>;
type StreamRequest = { readonly method: string; readonly headers: { 'last-event-id'?: string | undefined } };
/** The part of a Fastify reply that is used here. */
type StreamReply<S> = {
  header(name: string, value: string): StreamReply<S>;
  type(contentType: string): StreamReply<S>;
  send(payload: Readable): S;
};

/** Sends the stream, or for HEAD only its headers. */
export async function sendStream<S>(
  { request, reply }: { request: StreamRequest; reply: StreamReply<S> },
  streams: Streams,
  options: StreamOptions,
): Promise<S> {
  reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const lastEventId = request.headers['last-event-id'];
  return reply.send(await streams.open({ ...options, ...(lastEventId && { lastEventId }) }));
}
