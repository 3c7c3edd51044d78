import assert from 'node:assert/strict';
import { eventually } from '../harness.ts';

type StreamedEvent = { id: string; type: string; data: Record<string, unknown> };

/** Opens a stream of server-sent events, and collects its events until the server or the test closes it. */
export async function openEventStream(url: string, headers: Record<string, string>) {
  const disconnection = new AbortController();
  const response = await fetch(url, { headers, signal: disconnection.signal });
  const events: StreamedEvent[] = [];
  let receivedText = '';
  const ended = (async () => {
    let incompleteBlock = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      receivedText += chunk;
      const blocks = (incompleteBlock + chunk).split('\n\n');
      incompleteBlock = blocks.pop()!;
      events.push(...blocks.flatMap(parseBlock));
    }
    return 'ended' as const;
  })();
  ended.catch(() => undefined); // the test closes the stream
  return {
    response,
    events,
    /** Returns everything received so far, with comments and `reset`. */
    readText: () => receivedText,
    /** Resolves when the server ends the stream. Rejects when the test closes it. */
    ended,
    waitForEvent: (type: string) =>
      eventually(`${type} is received`, async () => events.find((event) => event.type === type)),
    waitForText: (part: string) => eventually(`${part} is received`, async () => receivedText.includes(part)),
    close: () => disconnection.abort(),
  };
}

/** Parses a block of the stream: one event, or none for a comment and for `reset`, which has no id. */
function parseBlock(block: string): StreamedEvent[] {
  const [, id, type, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
  if (data === undefined) return [];
  const event: StreamedEvent = JSON.parse(data);
  assert.deepEqual([event.id, event.type], [id, type]);
  return [event];
}
