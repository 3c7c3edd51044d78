import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Sent } from '../http/response-cache.ts';
import type { ProblemFactory, ProblemKind } from '../problem.ts';
import { escapeHtml, PAGE_CONTENT_SECURITY_POLICY, renderPage } from './page.ts';

/** Returns the endpoints of the pages that the `type` of a problem points to. A page has the cause and remedy of its problem. */
export function createErrorPageEndpoints(problems: ProblemFactory[]): Endpoint[] {
  const kindsByCode = new Map(problems.map(({ kind }) => [kind.code, kind]));
  const kinds = [...kindsByCode.values()].toSorted((a, b) => a.status - b.status);
  const sharedSpec = {
    access: 'open',
    undocumented: true,
    responses: { 200: { description: 'A page.', contentType: 'text/html' } },
  } as const;
  return [
    endpoint('GET /errors', {
      ...sharedSpec,
      id: 'listErrors',
      summary: 'List problem codes',
      handler: (_request, reply) => sendPage(reply, renderIndex(kinds)),
    }),
    endpoint('GET /errors/:code', {
      ...sharedSpec,
      id: 'showError',
      summary: 'Get cause and remedy of a problem',
      params: Type.Object({ code: Type.String() }),
      notFound: { en: 'There is no problem with this code.', pt: 'Nenhum problema tem este código.' },
      handler(request, reply) {
        const problemKind = kindsByCode.get(request.params.code);
        if (!problemKind) throw request.notFound();
        return sendPage(reply, renderProblem(problemKind));
      },
    }),
  ];
}

type HtmlReply = {
  type(contentType: string): { header(name: string, value: string): { send(page: string): Sent } };
};
const sendPage = (reply: HtmlReply, page: string): Sent =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', PAGE_CONTENT_SECURITY_POLICY)
    .send(page);

function renderIndex(kinds: ProblemKind[]): string {
  const tableRows = kinds.map(
    ({ code, status, title }) =>
      `<tr><td class="status">${status}</td><td><a href="/errors/${code}"><code>${code}</code></a></td><td>${escapeHtml(title.en)}</td></tr>`,
  );
  return renderPage({
    title: 'Problems · Semana',
    body: `<p class="where"><a href="/docs">Semana API</a> · <a href="/docs/en/errors">Errors</a></p><h1>Problems</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Programs should check <code>code</code>.</p>
<div class="table" tabindex="0"><table><tr><th>Status</th><th>Code</th><th>Meaning</th></tr>${tableRows.join('\n')}</table></div>`,
  });
}

function renderProblem({ code, status, title, cause, remedy }: ProblemKind): string {
  return renderPage({
    title: `${title.en} · Semana`,
    body: `<p class="where"><a href="/docs">Semana API</a> · <a href="/errors">Problems</a></p>
<h1>${escapeHtml(title.en)}</h1>
<p><span class="status">HTTP ${status}</span> · <code>${code}</code></p>
<h2>Cause</h2><p>${renderProse(cause)}</p>
<h2>What to do</h2><p>${renderProse(remedy)}</p>`,
  });
}

function renderProse(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
