import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoint } from '#platform/http/endpoint.ts';

const PAGE_FOLDER = join(import.meta.dirname, '../page');

/** A page to scan, pay and set faults by hand. It holds no data: everything goes through the endpoints. */
export const getSandboxPsp = (operatorKey: string) =>
  endpoint('GET /sandbox/psp', {
    access: 'open',
    id: 'showPspPage',
    summary: 'A page to pay a code and to switch on misbehaviour',
    answers: { 200: { description: 'The page.', contentType: 'text/html' } },
    async handler(_request, reply) {
      const [html, style, script] = await Promise.all(
        ['page.html', 'page.css', 'page.js'].map((name) => readFile(join(PAGE_FOLDER, name), 'utf8')),
      );
      const page = html!
        .replace('<link rel="stylesheet" href="page.css">', () => `<style>${style}</style>`)
        .replace('<script src="page.js"></script>', () => `<script>${script}</script>`)
        .replace('OPERATOR_KEY', () => attribute(operatorKey));
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-security-policy', policy(style!, script!))
        .send(page);
    },
  });

/** A content security policy that allows this style and this script, by hash, and nothing else. */
function policy(style: string, script: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return (
    `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; connect-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
}

function attribute(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
