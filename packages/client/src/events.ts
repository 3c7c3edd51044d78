/** One event of a stream, as `text/event-stream` has it. */
export type StreamedEvent = { id: string | undefined; type: string; data: string };

/** Reads a stream of server-sent events; `retry` gets the server's reconnection delay. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  retry: (ms: number) => void,
): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event: StreamedEvent = { id: undefined, type: 'message', data: '' };
      for (const line of block.split(/\r?\n/)) {
        const [, field, value = ''] = /^(\w+):? ?(.*)$/.exec(line) ?? []; // a comment has no field
        if (field === 'id') event.id = value;
        else if (field === 'event') event.type = value;
        else if (field === 'data') event.data += event.data ? `\n${value}` : value;
        else if (field === 'retry') retry(Number(value));
      }
      if (event.data) yield event;
    }
  }
}
