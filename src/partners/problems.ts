import { listRoles, type RequiredRole } from '#platform/http/access.ts';
import { defineProblem, type ProblemFactory } from '#platform/problem.ts';

/** A response with status 401 must name the accepted authentication (RFC 9110). */
const AUTHENTICATE_HEADER = { 'www-authenticate': 'ApiKey realm="semana", header="x-api-key"' };

export const apiKeyMissing = defineProblem({
  code: 'api_key_missing',
  status: 401,
  title: { en: 'The API key is missing', pt: 'Falta a chave de API' },
  cause: 'The request has no header x-api-key, which identifies the calling application.',
  remedy: 'Send your key in the header x-api-key.',
  headers: AUTHENTICATE_HEADER,
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
  remedy: 'Check the key for errors, or ask the operator for a new one.',
  headers: AUTHENTICATE_HEADER,
  detail: (error: 'unknown' | 'expired') =>
    error === 'unknown'
      ? { en: 'The key in x-api-key is unknown.', pt: 'A chave em x-api-key não é conhecida.' }
      : { en: 'The key in x-api-key has expired.', pt: 'A chave em x-api-key expirou.' },
});

export const scopeMissing = defineProblem({
  code: 'scope_missing',
  status: 403,
  title: { en: 'The API key lacks the required scope', pt: 'A chave de API não permite isto' },
  cause: 'The key is valid, but does not have the scope that this endpoint requires.',
  remedy: 'Use a key with that scope, or ask the operator to issue one.',
  detail: (acceptedScopes: readonly string[], keyScopes: readonly string[]) => {
    const scopeList = acceptedScopes.map((scope) => `'${scope}'`).join(', ');
    const joinScopes = (conjunction: string) => scopeList.replace(/, ('\w+')$/, ` ${conjunction} $1`);
    const grantedScopes = keyScopes.join(', ');
    return {
      en: `This requires a key with the scope ${joinScopes('or')}; yours has ${grantedScopes}.`,
      pt: `É preciso uma chave com o escopo ${joinScopes('ou')}; a sua tem ${grantedScopes}.`,
    };
  },
});

export const roleMissing = defineProblem({
  code: 'role_missing',
  status: 403,
  title: { en: 'Your role does not allow this', pt: 'O seu papel não permite isto' },
  cause:
    'The role of the staff user or of the member of the merchant does not allow this. `detail` names the roles that do.',
  remedy: 'Ask a person with such a role, or ask an admin or owner to give you the role.',
  detail: (
    permittedRoles: readonly string[],
    role: string,
    fields: Readonly<Record<string, RequiredRole>> = {},
  ) => {
    const quoteRoles = (roles: readonly string[], conjunction: string) =>
      roles.map((name) => `'${name}'`).join(` ${conjunction} `);
    const describeFields = (preposition: string, conjunction: string) =>
      Object.entries(fields)
        .map(
          ([field, requiredRole]) =>
            `, ${preposition} \`${field}\` ${quoteRoles(listRoles(requiredRole), conjunction)}`,
        )
        .join('');
    return {
      en: `This requires the role ${quoteRoles(permittedRoles, 'or')}${describeFields('with', 'or')}; yours is '${role}'.`,
      pt: `É preciso ter o papel ${quoteRoles(permittedRoles, 'ou')}${describeFields('com', 'ou')}; o seu é '${role}'.`,
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
  cause: 'The request comes from a browser page whose origin is not in the list of the key.',
  remedy: 'Ask the operator to add the origin to the key, or call the API from your server.',
});

export const rateLimited = defineProblem({
  code: 'rate_limited',
  status: 429,
  title: { en: 'Too many requests', pt: 'Requisições demais' },
  cause:
    'The key has used its requests of this minute, or there were too many requests about one phone or from one IP address.',
  remedy:
    'Wait the seconds given in `Retry-After`. The header `RateLimit` has the remaining requests of the key. A server that calls on ' +
    'behalf of many consumers should use a key marked as `backend` and send their IP addresses in x-client-ip.',
});

export const keyNotRotatable = defineProblem({
  code: 'key_ended',
  status: 409,
  title: { en: 'The key cannot be rotated', pt: 'A chave não pode mais ser rotacionada' },
  cause: 'The key was revoked, has expired, or already has a successor. `detail` says which.',
  remedy: 'Issue a new key, or rotate the successor.',
});

export const partnerProblems: ProblemFactory[] = [
  apiKeyMissing,
  apiKeyInvalid,
  scopeMissing,
  originNotAllowed,
  rateLimited,
];

export const nameTaken = defineProblem({
  code: 'name_taken',
  status: 409,
  title: { en: 'The name is taken', pt: 'Já existe um com esse nome' },
  cause: 'Names are unique, and a partner with this name exists.',
  remedy: 'Choose another name, or use the existing partner.',
  detail: (name: string) => ({
    en: `A partner named '${name}' already exists.`,
    pt: `Já existe um parceiro chamado '${name}'.`,
  }),
});
