import { inflateSync } from 'node:zlib';

/** Returns the text of all pages. pdfkit writes hexadecimal pieces with kerning between them. */
export function readPdfText(pdf: Buffer): string {
  const streams = [...pdf.toString('latin1').matchAll(/\/FlateDecode\n>>\nstream\n(.*?)\nendstream/gs)];
  return streams
    .map(([, stream]) => inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1'))
    .flatMap((page) => [...page.matchAll(/\[(.*?)\] TJ/gs)])
    .map(([, pieces]) => [...pieces!.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => hex).join(''))
    .map((hex) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('\n');
}
