import type { Endpoint } from './endpoint.ts';

export function needsCustomer({ access }: Endpoint): boolean {
  return access !== 'open' && access.customer === true;
}

export const mayNeedMember = ({ access }: Endpoint) => access !== 'open' && access.member !== undefined;

/** What has to come with the request besides the key, if anything; of alternatives any will do. */
export function securityOf(spec: Endpoint): { security?: object[] } {
  const withToken = { apiKey: [], token: [] };
  if (spec.access === 'open') return { security: [] };
  if (needsCustomer(spec)) return { security: [withToken] };
  if (!mayNeedMember(spec)) return {};
  return { security: spec.access.scope === 'merchant' ? [{ apiKey: [] }, withToken] : [withToken] };
}

export const securitySchemesOf = (endpoints: readonly Endpoint[]) => ({
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'Identifies the calling application.',
  },
  ...(endpoints.some((spec) => needsCustomer(spec) || mayNeedMember(spec)) && {
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'x-token',
      description:
        'Whoever is logged in, a customer or at a till a member of a merchant: the `token` of a login.',
    },
  }),
});
