import { hash } from 'node:crypto';
import { Type } from 'typebox';

export const ifMatchHeader = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The `ETag` of the resource as you read it. If the resource has changed since, the response is 412.',
    }),
  ),
});

export const ETAG_HEADER = { ETag: 'Changes with the resource. Send it back in `If-Match`.' };

export function computeEtag(body: unknown): string {
  return `"${hash('sha1', JSON.stringify(body), 'base64url')}"`;
}
