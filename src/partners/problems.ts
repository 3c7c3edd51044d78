import { type ProblemMaker, problem } from '#platform/problem.ts';

export const apiKeyMissing = problem({
  code: 'api_key_missing',
  status: 401,
  title: 'The API key is missing',
  titlePt: 'Falta a chave de API',
  cause: 'Every request identifies the calling application with the header x-api-key, and this one has none.',
  remedy: 'Send your key in the header x-api-key.',
});

export const apiKeyInvalid = problem({
  code: 'api_key_invalid',
  status: 401,
  title: 'The API key is not valid',
  titlePt: 'A chave de API não é válida',
  cause: 'The key in x-api-key is unknown, has expired or was revoked.',
  remedy: 'Check for a typing error, or ask the operator for a new key.',
});

export const scopeMissing = problem({
  code: 'scope_missing',
  status: 403,
  title: 'The API key may not do this',
  titlePt: 'A chave de API não permite isto',
  cause: 'The key is valid, but was not given the scope this endpoint needs.',
  remedy: 'Use a key with that scope, or ask the operator to issue one.',
});

export const roleMissing = problem({
  code: 'role_missing',
  status: 403,
  title: 'Your role does not allow this',
  titlePt: 'O seu papel não permite isto',
  cause: 'The key belongs to a person whose role may not do this. `detail` names the least role that may.',
  remedy: 'Ask somebody with that role, or an admin to give you it.',
});

export const originNotAllowed = problem({
  code: 'origin_not_allowed',
  status: 403,
  title: 'The API key may not be used from this website',
  titlePt: 'A chave de API não pode ser usada a partir deste site',
  cause: 'The request comes from a browser page whose origin is not on the list of the key.',
  remedy: 'Ask the operator to add the origin to the key, or call from your server.',
});

export const rateLimited = problem({
  code: 'rate_limited',
  status: 429,
  title: 'Too many requests',
  titlePt: 'Requisições demais',
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
