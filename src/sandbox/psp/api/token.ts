import { timingSafeEqual } from 'node:crypto';
import type { Bank } from '../bank.ts';
import type { PspResponse } from './route.ts';
import { object } from './terms.ts';

const RESOURCES = [
  'cob',
  'payloadlocation',
  'pix',
  'webhook',
  'payloadlocationrec',
  'rec',
  'cobr',
  'webhookrec',
  'webhookcobr',
];
const ALL_SCOPES = RESOURCES.flatMap((name) => [`${name}.write`, `${name}.read`]);

/** OAuth2 client credentials, in a Basic header or in the body (JSON or form). Expiry is by real time, not the sandbox's clock. */
export function grantToken(bank: Bank, authorization: string | undefined, body: unknown): PspResponse {
  const fields = object(body) ?? {};
  const [id, secret] = credentials(authorization) ?? [fields.client_id, fields.client_secret];
  if (!same(id, bank.client.id) || !same(secret, bank.client.secret))
    return {
      status: 401,
      body: { error: 'invalid_client', error_description: 'Invalid or inactive credentials' },
    };
  if (fields.grant_type !== 'client_credentials')
    return { status: 400, body: { error: 'unsupported_grant_type' } };
  const wanted = typeof fields.scope === 'string' ? fields.scope.split(/\s+/).filter(Boolean) : [];
  // Unknown scopes are dropped, as OAuth2 allows; the answer lists those granted.
  const scopes = wanted.length > 0 ? ALL_SCOPES.filter((scope) => wanted.includes(scope)) : ALL_SCOPES;
  const expiresAtMs = Date.now() + bank.tokenSeconds * 1000;
  return {
    status: 200,
    body: {
      access_token: bank.keys.issueToken({ scopes, expiresAtMs }),
      token_type: 'Bearer',
      expires_in: bank.tokenSeconds,
      scope: scopes.join(' '),
    },
  };
}

/** 401 without a valid token, 403 when it lacks the scope, null when the call is allowed. */
export function refusal(bank: Bank, authorization: string | undefined, scope: string): 401 | 403 | null {
  const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  const claims = token === undefined ? null : bank.keys.readToken(token);
  if (!claims || claims.expiresAtMs <= Date.now()) return 401;
  return claims.scopes.includes(scope) ? null : 403;
}

function credentials(authorization: string | undefined): [string, string] | null {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? null : [text.slice(0, colon), text.slice(colon + 1)];
}

function same(given: unknown, right: string): boolean {
  const a = Buffer.from(typeof given === 'string' ? given : '');
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
