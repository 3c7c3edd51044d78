import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

const readAsset = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const STYLE = readAsset('page.css');
const SCRIPT = readAsset('page.js');
const allow = (source: string) => `'sha256-${hash('sha256', source, 'base64')}'`;

/** Allows the style and the script of `renderPage`, and nothing else. */
export const PAGE_POLICY = `default-src 'none'; style-src ${allow(STYLE)}; script-src ${allow(SCRIPT)}; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type PageParts = {
  /** A BCP 47 tag. */
  language?: string;
  title: string;
  /** HTML: links beside the name of the site. */
  header?: string;
  /** HTML: follows the content on phones, and stands beside it on wide screens. */
  menu?: string;
  /** HTML. */
  body: string;
};

/** Renders a page that loads nothing from elsewhere. */
export function renderPage({ language = 'en', title, header = '', menu = '', body }: PageParts): string {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<header><a class="brand" href="/docs">Semana <span>API</span></a>${header}</header>
<div class="columns">
<main>
${body}
</main>
${menu}
</div>
<script>${SCRIPT}</script>
</html>
`;
}
