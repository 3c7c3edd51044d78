import type { Bilingual } from '#core/bilingual.ts';

export const ENCODINGS = ['utf-8', 'latin1'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The file as a whole cannot be read, so nothing of it is used. */
export class FileFault extends Error {
  readonly text: Bilingual;

  constructor(text: Bilingual) {
    super(text.en);
    this.text = text;
  }
}

/** More than any record needs. A file without line ends must not fill the memory. */
const LONGEST_LINE = 2_000_000;

export type Bytes = AsyncIterable<Buffer> | Iterable<Buffer>;

/** The lines of a text file. Lines end in \n, \r\n or \r. */
export async function* readLines(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of decode(bytes, encoding)) {
    // A carriage return at the end of a chunk may be half of \r\n: it is left for the next chunk.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    if (rest.length > LONGEST_LINE) {
      throw new FileFault({
        en: 'A line has over two million characters.',
        pt: 'Uma linha tem mais de dois milhões de caracteres.',
      });
    }
    yield* lines;
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}

async function* decode(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const text = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new FileFault({
        en: 'The file is not UTF-8. Save it as UTF-8, or name its encoding: latin1.',
        pt: 'O arquivo não está em UTF-8. Salve em UTF-8 ou diga a codificação: latin1.',
      });
    }
  };
  for await (const chunk of bytes) yield text(chunk);
  yield text();
}
