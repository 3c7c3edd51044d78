/** An event of a `text/event-stream`. */
export type StreamedEvent = { id: string | undefined; type: string; data: string };

/** Reads a stream of server-sent events. `onRetryDelay` gets the reconnection delay that the server sends. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  onRetryDelay: (ms: number) => void,
): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder();
  let incompleteText = '';
  for await (const chunk of body) {
    incompleteText += decoder.decode(chunk, { stream: true });
    const blocks = incompleteText.split(/\r?\n\r?\n/);
    incompleteText = blocks.pop()!;
    for (const block of blocks) {
      const event: StreamedEvent = { id: undefined, type: 'message', data: '' };
      for (const line of block.split(/\r?\n/)) {
        const [, field, value = ''] = /^(\w+):? ?(.*)$/.exec(line) ?? []; // a comment has no field
        if (field === 'id') event.id = value;
        else if (field === 'event') event.type = value;
        else if (field === 'data') event.data += event.data ? `\n${value}` : value;
        else if (field === 'retry') onRetryDelay(Number(value));
      }
      if (event.data) yield event;
    }
  }
}
