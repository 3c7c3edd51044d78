import { timingSafeEqual } from 'node:crypto';
import type { Bank } from '../bank.ts';
import { asObject, type PspResponse } from './protocol.ts';

const RESOURCES = ['cob', 'pix', 'webhook', 'payloadlocationrec', 'rec', 'cobr', 'webhookrec', 'webhookcobr'];
const ALL_SCOPES = RESOURCES.flatMap((name) => [`${name}.write`, `${name}.read`]);

export function grantToken(bank: Bank, authorization: string | undefined, body: unknown): PspResponse {
  const fields = asObject(body) ?? {};
  const [id, secret] = parseCredentials(authorization) ?? [fields.client_id, fields.client_secret];
  if (!isEqual(id, bank.client.id) || !isEqual(secret, bank.client.secret))
    return {
      status: 401,
      body: { error: 'invalid_client', error_description: 'Invalid or inactive credentials' },
    };
  if (fields.grant_type !== 'client_credentials')
    return { status: 400, body: { error: 'unsupported_grant_type' } };
  const requestedScopes = typeof fields.scope === 'string' ? fields.scope.split(/\s+/).filter(Boolean) : [];
  // Unknown scopes are dropped, as OAuth2 allows. The response lists the granted scopes.
  const scopes =
    requestedScopes.length > 0 ? ALL_SCOPES.filter((scope) => requestedScopes.includes(scope)) : ALL_SCOPES;
  const expiresAtMs = Date.now() + bank.tokenSeconds * 1000;
  return {
    status: 200,
    body: {
      access_token: bank.identity.issueToken({ scopes, expiresAtMs }),
      token_type: 'Bearer',
      expires_in: bank.tokenSeconds,
      scope: scopes.join(' '),
    },
  };
}

/** Returns 401 without a valid token, 403 if the token lacks the scope, and null if the call is allowed. */
export function checkToken(bank: Bank, authorization: string | undefined, scope: string): 401 | 403 | null {
  const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  const claims = token === undefined ? null : bank.identity.verifyToken(token);
  if (!claims || claims.expiresAtMs <= Date.now()) return 401;
  return claims.scopes.includes(scope) ? null : 403;
}

function parseCredentials(authorization: string | undefined): [id: string, secret: string] | null {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? null : [text.slice(0, colon), text.slice(colon + 1)];
}

function isEqual(receivedValue: unknown, expected: string): boolean {
  const receivedBytes = Buffer.from(typeof receivedValue === 'string' ? receivedValue : '');
  const expectedBytes = Buffer.from(expected);
  return receivedBytes.length === expectedBytes.length && timingSafeEqual(receivedBytes, expectedBytes);
}
