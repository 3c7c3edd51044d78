export type Encoding = 'utf-8' | 'latin1';

/** The file as a whole cannot be read, so nothing of it is imported. */
export class FileFault extends Error {}

/** More than any record needs. A file without line ends must not fill the memory. */
const LONGEST_LINE = 2_000_000;

/** The lines of a text file. Lines end in \n, \r\n or \r. */
export async function* readLines(bytes: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of decode(bytes, encoding)) {
    // A carriage return at the end of a chunk may be half of \r\n: it is left for the next chunk.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    if (rest.length > LONGEST_LINE) throw new FileFault('A line has over two million characters.');
    yield* lines;
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}

async function* decode(bytes: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const text = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new FileFault('The file is not UTF-8. Save it as UTF-8, or say --encoding latin1.');
    }
  };
  for await (const chunk of bytes) yield text(chunk);
  yield text();
}
