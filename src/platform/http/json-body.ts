import type { FastifyInstance } from 'fastify';
import { malformedJson, unsupportedMediaType } from '../problem.ts';

/** An empty body is treated as missing, because many clients declare JSON in every request. */
export function acceptJsonBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error'); // refuses the member names __proto__ and constructor
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding.trim().toLowerCase() !== 'identity') return done(unsupportedMediaType('content_encoding'));
    if (body.length === 0) return done(null);
    const text = decodeUtf8(body);
    if (text === undefined)
      return done(malformedJson('encoding', describePosition(body, findInvalidByte(body))));
    return parse(request, text, (error, value) => {
      if (!error) return done(null, value);
      const position = findSyntaxError(text);
      // The text is valid JSON, so the parser has refused a member name.
      if (position === undefined) return done(malformedJson('member_name'));
      const byteIndex = Buffer.byteLength(text.slice(0, position));
      return done(malformedJson('syntax', describePosition(Buffer.from(text), byteIndex)));
    });
  });
}

/** Decodes UTF-8. Returns undefined if it is invalid. With `stream` the last character may be incomplete. */
function decodeUtf8(bytes: Uint8Array, options: { stream?: boolean } = {}): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, options);
  } catch {
    return undefined;
  }
}

/** Returns the index of the first byte that cannot be decoded: bisection finds the longest prefix that can. */
function findInvalidByte(bytes: Buffer): number {
  let [validLength, invalidLength] = [0, bytes.length + 1];
  while (invalidLength - validLength > 1) {
    const middle = (validLength + invalidLength) >> 1;
    if (decodeUtf8(bytes.subarray(0, middle), { stream: true }) === undefined) invalidLength = middle;
    else validLength = middle;
  }
  return validLength;
}

/** Returns the line and column of a byte, both from 1. Columns count characters. */
function describePosition(bytes: Buffer, index: number): { line: number; column: number } {
  const lines = bytes.toString('utf8', 0, index).split('\n');
  return { line: lines.length, column: [...lines.at(-1)!].length + 1 };
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: JSON strings must not contain them
const SCALAR =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: end of the pattern
const WHITESPACE = /[ \t\n\r]*/y;

/** Returns the index of the first character that is not valid JSON; undefined if the whole text is JSON. */
export function findSyntaxError(text: string): number | undefined {
  let position = 0;
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = position;
    const [match = ''] = pattern.exec(text) ?? [];
    position += match.length;
    return match;
  };
  const expectedClosings: string[] = [];
  /** What may follow. In an object, a value is preceded by its name. An end is a closing bracket, or the end of the text. */
  let expectation: 'value' | 'value or end' | 'comma or end' = 'value';
  for (;;) {
    skip(WHITESPACE);
    const character = text[position];
    const closingBracket = expectedClosings.at(-1);
    if (expectation !== 'value' && closingBracket !== undefined && character === closingBracket) {
      expectedClosings.pop();
      position++;
      expectation = 'comma or end';
    } else if (expectation === 'comma or end') {
      if (closingBracket === undefined) return position === text.length ? undefined : position;
      if (character !== ',') return position;
      position++;
      expectation = 'value';
    } else {
      if (closingBracket === '}') {
        if (character !== '"' || skip(SCALAR) === '') return position;
        skip(WHITESPACE);
        if (text[position] !== ':') return position;
        position++;
        skip(WHITESPACE);
      }
      if (text[position] === '{' || text[position] === '[') {
        expectedClosings.push(text[position] === '{' ? '}' : ']');
        position++;
        expectation = 'value or end';
      } else if (skip(SCALAR) === '') return position;
      else expectation = 'comma or end';
    }
  }
}
