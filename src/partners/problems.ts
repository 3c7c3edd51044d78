import { defineProblem, type ProblemMaker } from '#platform/problem.ts';

/** A 401 says what would be accepted instead (RFC 9110). */
const CHALLENGE = { 'www-authenticate': 'ApiKey realm="semana", header="x-api-key"' };

export const apiKeyMissing = defineProblem({
  code: 'api_key_missing',
  status: 401,
  title: { en: 'The API key is missing', pt: 'Falta a chave de API' },
  cause: 'Every request identifies the calling application with the header x-api-key, and this one has none.',
  remedy: 'Send your key in the header x-api-key.',
  headers: CHALLENGE,
  detail: {
    en: 'Send your API key in the header x-api-key.',
    pt: 'Envie sua chave de API no cabeçalho x-api-key.',
  },
});

export const apiKeyInvalid = defineProblem({
  code: 'api_key_invalid',
  status: 401,
  title: { en: 'The API key is not valid', pt: 'A chave de API não é válida' },
  cause: 'The key in x-api-key is unknown, has expired or was revoked.',
  remedy: 'Check for a typing error, or ask the operator for a new key.',
  headers: CHALLENGE,
  detail: (fault: 'unknown' | 'expired') =>
    fault === 'unknown'
      ? { en: 'The key in x-api-key is not known.', pt: 'A chave em x-api-key não é conhecida.' }
      : { en: 'The key in x-api-key has expired.', pt: 'A chave em x-api-key expirou.' },
});

export const scopeMissing = defineProblem({
  code: 'scope_missing',
  status: 403,
  title: { en: 'The API key may not do this', pt: 'A chave de API não permite isto' },
  cause: 'The key is valid, but was not given the scope this endpoint needs.',
  remedy: 'Use a key with that scope, or ask the operator to issue one.',
  detail: (scopes: readonly string[], given: readonly string[]) => {
    const [last, ...others] = scopes.map((scope) => `'${scope}'`).toReversed();
    const either = (or: string) =>
      others.length === 0 ? last : `${others.toReversed().join(', ')} ${or} ${last}`;
    const yours = given.join(', ');
    return {
      en: `This needs a key with the scope ${either('or')}; yours has ${yours}.`,
      pt: `É preciso uma chave com o escopo ${either('ou')}; a sua tem ${yours}.`,
    };
  },
});

export const roleMissing = defineProblem({
  code: 'role_missing',
  status: 403,
  title: { en: 'Your role does not allow this', pt: 'O seu papel não permite isto' },
  cause:
    'The key belongs to a person, or the token to a member of a merchant, whose role may not do this. `detail` names the least role that may.',
  remedy: 'Ask somebody with that role, or an admin or owner to give you it.',
  detail: (least: string, role: string, fields: Readonly<Record<string, string>> = {}) => {
    const more = (with_: string) =>
      Object.entries(fields)
        .map(([field, higher]) => `, ${with_} \`${field}\` '${higher}'`)
        .join('');
    return {
      en: `This needs the role '${least}'${more('with')}; yours is '${role}'.`,
      pt: `É preciso ter o papel '${least}'${more('com')}; o seu é '${role}'.`,
    };
  },
});

export const originNotAllowed = defineProblem({
  code: 'origin_not_allowed',
  status: 403,
  title: {
    en: 'The API key may not be used from this website',
    pt: 'A chave de API não pode ser usada a partir deste site',
  },
  cause: 'The request comes from a browser page whose origin is not on the list of the key.',
  remedy: 'Ask the operator to add the origin to the key, or call from your server.',
  detail: {
    en: 'This key may not be used by pages of this origin.',
    pt: 'Páginas desta origem não podem usar esta chave.',
  },
});

export const rateLimited = defineProblem({
  code: 'rate_limited',
  status: 429,
  title: { en: 'Too many requests', pt: 'Requisições demais' },
  cause:
    'The key has used up its requests of this minute, or too much was about one phone or came from one address.',
  remedy:
    'Wait the seconds given in `Retry-After`; `RateLimit` tells beforehand how many requests the key has left. A server that ' +
    "calls for many consumers uses a key marked as a backend's and names each one's address in x-client-ip.",
});

export const partnerProblems: ProblemMaker[] = [
  apiKeyMissing,
  apiKeyInvalid,
  scopeMissing,
  originNotAllowed,
  rateLimited,
];
