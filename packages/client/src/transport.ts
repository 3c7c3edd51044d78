import { ConnectionError } from './problem.ts';

export type TransportRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
};

export type TransportResponse = {
  status: number;
  /** Headers by lower-case name. */
  headers: Record<string, string | undefined>;
  body: AsyncIterable<Uint8Array>;
};

/** Sends a request. Throws `ConnectionError` if there is no response. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** The transport for browsers, React Native and other runtimes without node:http. */
export const fetchTransport: Transport = async ({ url, ...request }) => {
  const response = await fetch(url, request).catch((error: Error) => {
    throw request.signal?.aborted ? error : new ConnectionError(error.message, { cause: error });
  });
  const { status, headers, body } = response;
  return {
    status,
    headers: Object.fromEntries(headers),
    body: body ? readChunks(body) : readWholeBody(response),
  };
};

/** Reads the chunks of a body. Not all browsers can iterate over a ReadableStream. */
async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads a body as one chunk. The `fetch` of React Native has no stream. */
async function* readWholeBody(response: Response): AsyncGenerator<Uint8Array> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > 0) yield bytes;
}

/** Reads a whole body. Throws `ConnectionError` if the connection breaks. */
export async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    throw new ConnectionError((error as Error).message, { cause: error });
  }
  if (chunks.length === 1) return chunks[0]!;
  const allBytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    allBytes.set(chunk, offset);
    offset += chunk.length;
  }
  return allBytes;
}
