import { Readable } from 'node:stream';
import { type TSchema, Type } from 'typebox';
import { StreamReset } from './schemas.ts';
import type { Streams } from './streams.ts';

export const lastEventIdHeader = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      description:
        'The `id` of the last event that was heard; the stream goes on after it. Without it, from now on.',
    }),
  ),
});

export const streamAnswer = <S extends TSchema>(event: S) => ({
  description:
    'The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes.',
  contentType: 'text/event-stream',
  schema: Type.Union([event, StreamReset]),
});

type StreamOptions = Omit<Parameters<Streams['open']>[0], 'lastEventId'>;
type StreamRequest = { readonly method: string; readonly headers: { 'last-event-id'?: string | undefined } };
/** The part of a reply that is used here. */
type StreamReply<S> = {
  header(name: string, value: string): StreamReply<S>;
  type(contentType: string): StreamReply<S>;
  send(payload: Readable): S;
};

/** The stream; for HEAD its headers. */
export async function answerStream<S>(
  { request, reply }: { request: StreamRequest; reply: StreamReply<S> },
  streams: Streams,
  wish: StreamOptions,
): Promise<S> {
  reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const lastEventId = request.headers['last-event-id'];
  return reply.send(await streams.open({ ...wish, ...(lastEventId && { lastEventId }) }));
}
