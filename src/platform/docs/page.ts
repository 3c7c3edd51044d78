import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const readAsset = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const STYLE = readAsset('page.css');
const SCRIPT = readAsset('page.js');
const buildHashSource = (source: string) => `'sha256-${hash('sha256', source, 'base64')}'`;

/** Allows only the style and the script of `renderPage`, and images of the site and in data URLs. */
export const PAGE_CONTENT_SECURITY_POLICY = `default-src 'none'; style-src ${buildHashSource(STYLE)}; script-src ${buildHashSource(SCRIPT)}; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type PageParts = {
  /** A BCP 47 tag, such as pt-BR. */
  language?: string;
  title: string;
  /** HTML of the links beside the name of the site. */
  header?: string;
  /** HTML of the menu, which is below the content on phones and beside it on wide screens. */
  menu?: string;
  /** HTML of the content. */
  body: string;
};

/** Renders a page that loads nothing from other hosts. */
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
