import assert from 'node:assert/strict';
import { eventually } from '../harness.ts';

type StreamedEvent = { id: string; type: string; data: Record<string, unknown> };

/** Opens a stream of server-sent events and collects its events. */
export async function openEventStream(url: string, headers: Record<string, string>) {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const received: StreamedEvent[] = [];
  let text = '';
  const ended = (async () => {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop()!;
      received.push(...blocks.flatMap(parseEvent));
    }
    return 'ended' as const;
  })();
  ended.catch(() => undefined); // closed by the test
  return {
    response,
    received,
    /** Everything received so far, with comments and `reset`. */
    text: () => text,
    ended,
    waitForEvent: (type: string) =>
      eventually(`${type} is received`, async () => received.find((event) => event.type === type)),
    waitForText: (part: string) => eventually(`${part} is received`, async () => text.includes(part)),
    close: () => abort.abort(),
  };
}

/** Returns nothing for a comment, or an event without id, which is `reset`. */
function parseEvent(block: string): StreamedEvent[] {
  const [, id, type, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
  if (data === undefined) return [];
  const event: StreamedEvent = JSON.parse(data);
  assert.deepEqual([event.id, event.type], [id, type]);
  return [event];
}
