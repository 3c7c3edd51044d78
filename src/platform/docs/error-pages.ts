import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { ProblemKind, ProblemMaker } from '../problem.ts';
import { escapeHtml, PAGE_POLICY, page } from './page.ts';

/** The pages that the `type` of every problem points to: cause and remedy. */
export function errorPages(problems: ProblemMaker[]): Endpoint[] {
  const byCode = new Map(problems.map(({ kind }) => [kind.code, kind]));
  const kinds = [...byCode.values()].toSorted((a, b) => a.status - b.status);
  const shared = {
    access: 'open',
    undocumented: true,
    answers: { 200: { description: 'A page.', contentType: 'text/html' } },
  } as const;
  return [
    endpoint('GET /errors', {
      ...shared,
      id: 'listErrors',
      summary: 'All problem codes',
      handler: (_request, reply) =>
        reply
          .type('text/html; charset=utf-8')
          .header('content-security-policy', PAGE_POLICY)
          .send(index(kinds)),
    }),
    endpoint('GET /errors/:code', {
      ...shared,
      id: 'showError',
      summary: 'Cause and remedy of a problem',
      params: Type.Object({ code: Type.String() }),
      notFound: { en: 'There is no problem with this code.', pt: 'Nenhum problema tem este código.' },
      handler(request, reply) {
        const kind = byCode.get(request.params.code);
        if (!kind) throw request.notFound();
        return reply
          .type('text/html; charset=utf-8')
          .header('content-security-policy', PAGE_POLICY)
          .send(single(kind));
      },
    }),
  ];
}

function index(kinds: ProblemKind[]): string {
  const rows = kinds.map(
    ({ code, status, title }) =>
      `<tr><td class="status">${status}</td><td><a href="/errors/${code}"><code>${code}</code></a></td><td>${escapeHtml(title.en)}</td></tr>`,
  );
  return page(
    'Problems',
    `<p class="where"><a href="/docs">Semana API</a></p><h1>Problems</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Programs should look at <code>code</code>.</p>
<table><tr><th>Status</th><th>Code</th><th>Meaning</th></tr>${rows.join('\n')}</table>`,
  );
}

function single({ code, status, title, cause, remedy }: ProblemKind): string {
  return page(
    title.en,
    `<p class="where"><a href="/docs">Semana API</a> · <a href="/errors">Problems</a></p>
<h1>${escapeHtml(title.en)}</h1>
<p><span class="status">HTTP ${status}</span> · <code>${code}</code></p>
<h2>Cause</h2><p>${prose(cause)}</p>
<h2>What to do</h2><p>${prose(remedy)}</p>`,
  );
}

function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
