import scalar from '@scalar/fastify-api-reference';
import type { Door } from '../http/door.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { needsCustomer } from '../http/security.ts';

/** The page has its own script and may load nothing from elsewhere, so it works without internet access. */
const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; frame-ancestors 'none'";

/** /docs: the API reference, to read and try out. Mount it after the endpoints. */
export async function mountReference(door: Door, title: string, demoKey: string | null): Promise<void> {
  await door.server.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: title,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      authentication: {
        // Both at once (AND): a customer's endpoint needs key and token. Other endpoints ignore the token.
        preferredSecurityScheme: door.endpoints.some(needsCustomer) ? [['apiKey', 'token']] : 'apiKey',
        ...(demoKey && { securitySchemes: { apiKey: { value: demoKey } } }),
      },
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    },
    hooks: {
      onRequest(_request, reply, done) {
        reply.header('content-security-policy', REFERENCE_POLICY);
        done();
      },
    },
  });
  door.readOnly('/docs', '/docs/', '/docs/js/scalar.js');
}

/**
 * /openapi.json. `document` is called once all endpoints are mounted, with the address of the door: `publicUrl`, or the one the
 * caller used.
 */
export function openApiEndpoints(document: (url: string) => object, publicUrl?: () => string): Endpoint[] {
  let made: { url: string; text: string } | undefined;
  const shared = { access: 'open', undocumented: true } as const;
  return [
    endpoint('GET /openapi.json', {
      ...shared,
      id: 'openapi',
      summary: 'This interface as OpenAPI 3.1',
      answers: { 200: { description: 'The document.', contentType: 'application/json' } },
      handler(request, reply) {
        const url = publicUrl?.() ?? `${request.protocol}://${request.host}`;
        if (made?.url !== url) made = { url, text: JSON.stringify(document(url), null, 2) };
        // Readable by tools on other origins: everything in it is public.
        return reply
          .header('access-control-allow-origin', '*')
          .type('application/json; charset=utf-8')
          .send(made.text);
      },
    }),
    endpoint('GET /', {
      ...shared,
      id: 'home',
      summary: 'The way to the reference',
      answers: { 302: { description: 'To /docs.' } },
      handler: (_request, reply) => reply.header('location', '/docs').send(),
    }),
  ];
}
