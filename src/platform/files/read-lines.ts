import type { Bilingual } from '#core/values/bilingual.ts';

export const ENCODINGS = ['utf-8', 'latin1'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** An error that rejects the whole file. */
export class FileError extends Error {
  readonly text: Bilingual;

  constructor(text: Bilingual) {
    super(text.en);
    this.text = text;
  }
}

/** Longer than any valid record. The limit prevents a file without line breaks from filling the memory. */
const MAX_LINE_LENGTH = 2_000_000;

export type Bytes = AsyncIterable<Buffer> | Iterable<Buffer>;

/** Reads the lines of a text file. Lines end with \n, \r\n or \r. */
export async function* readLines(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  let partialLine = '';
  for await (const chunk of decode(bytes, encoding)) {
    // A carriage return at the end of a chunk may be half of \r\n, so it is left for the next chunk.
    const lines = (partialLine + chunk).split(/\r\n|\n|\r(?!$)/);
    partialLine = lines.pop()!;
    if (partialLine.length > MAX_LINE_LENGTH) {
      throw new FileError({
        en: 'A line has more than two million characters.',
        pt: 'Uma linha tem mais de dois milhões de caracteres.',
      });
    }
    yield* lines;
  }
  if (partialLine !== '') yield partialLine.replace(/\r$/, '');
}

async function* decode(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decodeChunk = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new FileError({
        en: 'The file is not UTF-8. Save it as UTF-8, or set the encoding to latin1.',
        pt: 'O arquivo não está em UTF-8. Salve em UTF-8 ou diga a codificação: latin1.',
      });
    }
  };
  for await (const chunk of bytes) yield decodeChunk(chunk);
  yield decodeChunk();
}
