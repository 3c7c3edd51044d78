import type { Endpoint } from './endpoint.ts';

export function requiresCustomer({ access }: Endpoint): boolean {
  return access !== 'open' && access.customer === true;
}

export const mayRequireMember = ({ access }: Endpoint) =>
  access !== 'open' && access.memberRole !== undefined;

/** The credentials that an endpoint requires, if they differ from the default, an API key. Any one of the alternatives is enough. */
export function buildSecurity(spec: Endpoint): { security?: object[] } {
  const withToken = { apiKey: [], token: [] };
  if (spec.access === 'open') return { security: [] };
  if (requiresCustomer(spec)) return { security: [withToken] };
  if (!mayRequireMember(spec)) return {};
  return { security: spec.access.scope === 'merchant' ? [{ apiKey: [] }, withToken] : [withToken] };
}

export const buildSecuritySchemes = (endpoints: readonly Endpoint[]) => ({
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The API key of the calling application.',
  },
  ...(endpoints.some((spec) => requiresCustomer(spec) || mayRequireMember(spec)) && {
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'x-token',
      description:
        'The access token of the logged-in customer, or of a member of a merchant at a till: the `token` that a login returns.',
    },
  }),
});
