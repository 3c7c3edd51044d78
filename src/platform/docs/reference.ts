import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import { requiresCustomer } from '../http/access.ts';
import type { ApiServer } from '../http/api-server.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { isNotModified } from '../http/response-cache.ts';

/** The page has its own script and may load nothing from other hosts, so it works without internet access. */
const REFERENCE_PAGE_CSP =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; frame-ancestors 'none'";

/** Serves the interactive API reference at `path`. Mount it after the endpoints. */
export async function mountReference(
  apiServer: ApiServer,
  path: `/${string}`,
  title: string,
  demoKey: string | null,
): Promise<void> {
  await apiServer.fastify.register(scalar, {
    routePrefix: path,
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
        // The page sends API key and token together: endpoints for customers require both, and other endpoints ignore the token.
        preferredSecurityScheme: apiServer.endpoints.some(requiresCustomer)
          ? [['apiKey', 'token']]
          : 'apiKey',
        ...(demoKey && { securitySchemes: { apiKey: { value: demoKey } } }),
      },
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    },
    hooks: {
      onRequest(_request, reply, done) {
        reply.header('content-security-policy', REFERENCE_PAGE_CSP);
        done();
      },
    },
  });
  apiServer.allowOnlyGet(path, `${path}/`, `${path}/js/scalar.js`);
}

const COMPRESSIONS = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (text: string) => promisify(gzip)(text),
  identity: async (text: string) => Buffer.from(text),
};
type Encoding = keyof typeof COMPRESSIONS;

function selectEncoding(acceptEncoding = ''): Encoding {
  const acceptedEncodings = acceptEncoding
    .split(',')
    .map((encodingItem) => encodingItem.trim().toLowerCase())
    .filter((encodingItem) => !/;\s*q=0(\.0*)?$/.test(encodingItem))
    .map((encodingItem) => encodingItem.split(';')[0]!.trim());
  return (['br', 'gzip'] as const).find((encoding) => acceptedEncodings.includes(encoding)) ?? 'identity';
}

function createDocumentEncoder(document: object) {
  const documentText = JSON.stringify(document);
  const digest = hash('sha1', documentText, 'base64url');
  const bodies = new Map<Encoding, Promise<Buffer>>();
  return (encoding: Encoding): { etag: string; body: Promise<Buffer> } => {
    const body = bodies.get(encoding) ?? COMPRESSIONS[encoding](documentText);
    bodies.set(encoding, body);
    return { etag: `"${digest}-${encoding}"`, body };
  };
}

/** Returns the endpoints of openapi.json and of `/`. `buildDocument` is called after all endpoints are mounted, with `publicUrl` or the URL that the caller used. */
export function createOpenApiEndpoints(
  buildDocument: (url: string) => object,
  publicUrl?: () => string,
): Endpoint[] {
  let cachedDocument: { url: string; encode: ReturnType<typeof createDocumentEncoder> } | undefined;
  const sharedSpec = { access: 'open', undocumented: true } as const;
  return [
    endpoint('GET /openapi.json', {
      ...sharedSpec,
      id: 'openapi',
      summary: 'Get the OpenAPI 3.1 document',
      responses: {
        200: { description: 'The document.', contentType: 'application/json' },
        304: { description: 'The document that you have is current.' },
      },
      async handler(request, reply) {
        const url = publicUrl?.() ?? `${request.protocol}://${request.host}`;
        if (cachedDocument?.url !== url)
          cachedDocument = { url, encode: createDocumentEncoder(buildDocument(url)) };
        const encoding = selectEncoding(String(request.headers['accept-encoding'] ?? ''));
        const { etag, body } = cachedDocument.encode(encoding);
        const isCurrent = isNotModified({ etag }, request.headers['if-none-match']);
        const response = reply
          .code(isCurrent ? 304 : 200)
          // Tools on other origins may read the document, because all of it is public.
          .header('access-control-allow-origin', '*')
          .header('cache-control', 'public, no-cache')
          .header('vary', 'accept-encoding')
          .header('etag', etag);
        if (isCurrent) return response.send();
        if (encoding !== 'identity') response.header('content-encoding', encoding);
        return response.type('application/json; charset=utf-8').send(await body);
      },
    }),
    endpoint('GET /', {
      ...sharedSpec,
      id: 'home',
      summary: 'Redirect to the documentation',
      responses: { 302: { description: 'Redirects to /docs.' } },
      handler: (_request, reply) => reply.header('location', '/docs').send(),
    }),
  ];
}
