import { hash } from 'node:crypto';
import { Type } from 'typebox';
import type { Bilingual } from '#core/values/bilingual.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { negotiateLanguage } from '../http/problem-body.ts';
import { isNotModified } from '../http/response-cache.ts';
import { PAGE_POLICY } from './page.ts';
import { isLanguage, type RenderOptions, renderGuide } from './render-guide.ts';

/**
 * Returns the endpoints of the documentation. A page is at /docs/LANGUAGE/NAME; /docs/NAME is the page in the language that the reader prefers. The
 * first guide is also at /docs and /docs/LANGUAGE.
 */
export function createGuideEndpoints(options: RenderOptions): Endpoint[] {
  const homeName = options.guides[0]!.name;
  const pages = new Map<string, { html: string; etag: string }>();
  const getPage = (name: string, language: keyof Bilingual) => {
    const guide = options.guides.find((candidate) => candidate.name === name);
    const key = `${language}/${name}`;
    if (guide && !pages.has(key)) {
      const html = renderGuide(guide, language, options);
      pages.set(key, { html, etag: `"${hash('sha1', html, 'base64url')}"` });
    }
    return pages.get(key);
  };
  const declareEndpoint = <const Route extends `GET /docs${string}`>(route: Route, id: string) =>
    endpoint(route, {
      access: 'open',
      undocumented: true,
      id,
      summary: 'Get a page of the documentation',
      params: Type.Object({ language: Type.Optional(Type.String()), name: Type.Optional(Type.String()) }),
      responses: {
        200: { description: 'A page.', contentType: 'text/html' },
        304: { description: 'The page that you have is current.' },
      },
      notFound: { en: 'The documentation has no such page.', pt: 'A documentação não tem esta página.' },
      handler(request, reply) {
        const { language = negotiateLanguage(request.headers['accept-language']), name = homeName } =
          request.params;
        const page = isLanguage(name)
          ? getPage(homeName, name)
          : isLanguage(language)
            ? getPage(name, language)
            : undefined;
        if (!page) throw request.notFound();
        const isPageUnchanged = isNotModified(page, request.headers['if-none-match']);
        const response = reply
          .code(isPageUnchanged ? 304 : 200)
          .header('cache-control', 'public, no-cache')
          .header('vary', 'accept-language')
          .header('etag', page.etag)
          .header('content-security-policy', PAGE_POLICY);
        return isPageUnchanged ? response.send() : response.type('text/html; charset=utf-8').send(page.html);
      },
    });
  return [
    declareEndpoint('GET /docs', 'showHomeGuide'),
    declareEndpoint('GET /docs/', 'showHomeGuideWithSlash'),
    declareEndpoint('GET /docs/:name', 'showGuide'),
    declareEndpoint('GET /docs/:language/:name', 'showGuideInLanguage'),
  ];
}
