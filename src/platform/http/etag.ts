import { hash } from 'node:crypto';
import { Type } from 'typebox';

export const ifMatchHeader = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The `ETag` of what you read. If it was changed since, nothing is done: 412.',
    }),
  ),
});

export const ETAG_HEADER = { ETag: 'Changes with the thing. Send it back in `If-Match`.' };

/** A strong ETag, of the bytes that are sent. */
export function etagOf(shown: unknown): string {
  return `"${hash('sha1', JSON.stringify(shown), 'base64url')}"`;
}
