import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { Type } from 'typebox';
import type { Bilingual } from '#core/values/bilingual.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { negotiateLanguage } from '../http/problem-body.ts';
import { isNotModified } from '../http/response-cache.ts';
import { escapeHtml, PAGE_CONTENT_SECURITY_POLICY, renderPage } from './page.ts';

/** A page of the documentation. Its texts are docs/guides/en/NAME.md and docs/guides/pt/NAME.md. */
export type Guide = { readonly name: string; readonly title: Bilingual };

type GuideOptions = {
  /** The guides, in the order of the menu. */
  guides: readonly Guide[];
  /** Replaces texts that differ between installations, such as the URL of the API. */
  adaptToServer: (text: string) => string;
  /** Finds the page that explains a piece of inline code, such as `GET /path` or the code of a problem. */
  findLink: (code: string) => string | undefined;
};

type Language = keyof Bilingual;

const PROJECT = join(import.meta.dirname, '../../..');
const LANGUAGES: Record<Language, { tag: string; name: string }> = {
  en: { tag: 'en', name: 'English' },
  pt: { tag: 'pt-BR', name: 'Português' },
};
const LABELS = {
  reference: { en: 'Reference', pt: 'Referência' },
  menu: { en: 'Pages', pt: 'Páginas' },
  copy: { en: 'Copy', pt: 'Copiar' },
  copied: { en: 'Copied', pt: 'Copiado' },
  languageOfExample: { en: 'Language of the example', pt: 'Linguagem do exemplo' },
};
const EXAMPLE_LANGUAGES = [
  { name: 'curl', folder: 'curl', extension: 'sh' },
  { name: 'Node', folder: 'node', extension: 'mjs' },
  { name: 'Python', folder: 'python', extension: 'py' },
  { name: 'PHP', folder: 'php', extension: 'php' },
];

const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

/**
 * Returns the endpoints of the documentation. A page is at /docs/LANGUAGE/NAME; /docs/NAME is the page in the language that the reader prefers. The
 * first guide is also at /docs and /docs/LANGUAGE.
 */
export function createGuideEndpoints(options: GuideOptions): Endpoint[] {
  const [homeGuide] = options.guides;
  const homeName = homeGuide!.name;
  const pages = new Map<string, { html: string; etag: string }>();
  const getPage = (name: string, language: keyof Bilingual) => {
    const guide = options.guides.find((candidate) => candidate.name === name);
    const pageKey = `${language}/${name}`;
    if (guide && !pages.has(pageKey)) {
      const html = renderGuide(guide, language, options);
      pages.set(pageKey, { html, etag: `"${hash('sha1', html, 'base64url')}"` });
    }
    return pages.get(pageKey);
  };
  /** In `/docs/pt` the language is in the place of the name. */
  const findPage = (name: string, language: string) => {
    if (isLanguage(name)) return getPage(homeName, name);
    return isLanguage(language) ? getPage(name, language) : undefined;
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
        const page = findPage(name, language);
        if (!page) throw request.notFound();
        const isPageUnchanged = isNotModified(page, request.headers['if-none-match']);
        const response = reply
          .code(isPageUnchanged ? 304 : 200)
          .header('cache-control', 'public, no-cache')
          .header('vary', 'accept-language')
          .header('etag', page.etag)
          .header('content-security-policy', PAGE_CONTENT_SECURITY_POLICY);
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

/** Renders a page: its text, the menu, and links to the pages before and after it. */
function renderGuide(guide: Guide, language: Language, options: GuideOptions): string {
  const { guides, adaptToServer } = options;
  const buildPath = (target: Guide, targetLanguage = language) =>
    target === guides[0] ? `/docs/${targetLanguage}` : `/docs/${targetLanguage}/${target.name}`;
  const renderLink = (target: Guide, label: string) => `<a href="${buildPath(target)}">${label}</a>`;
  const source = readFileSync(join(PROJECT, 'docs/guides', language, `${guide.name}.md`), 'utf8');
  const { html, sections } = renderMarkdown(adaptToServer(source), language, options);

  const otherLanguages = Object.entries(LANGUAGES).filter(([code]) => code !== language) as Array<
    [Language, { tag: string; name: string }]
  >;
  const languageLinks = otherLanguages.map(
    ([code, { tag, name }]) =>
      `<a href="${buildPath(guide, code)}" lang="${tag}" hreflang="${tag}">${name}</a>`,
  );
  const menuItems = guides.map((target) => {
    if (target !== guide) return `<li>${renderLink(target, target.title[language])}</li>`;
    const anchors = sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
    return `<li><a href="${buildPath(target)}" aria-current="page">${target.title[language]}</a><ul>${anchors.join('')}</ul></li>`;
  });
  const guideIndex = guides.indexOf(guide);
  const [previousGuide, nextGuide] = [guides[guideIndex - 1], guides[guideIndex + 1]];
  return renderPage({
    language: LANGUAGES[language].tag,
    title: guideIndex === 0 ? 'Semana API' : `${guide.title[language]} · Semana API`,
    header: `<a class="to-menu" href="#menu">${LABELS.menu[language]}</a><a href="/docs/reference/">${LABELS.reference[language]}</a>${languageLinks.join('')}`,
    menu: `<nav id="menu" aria-label="${LABELS.menu[language]}"><ul>${menuItems.join('')}</ul></nav>`,
    body: `${html}
<p class="next"><span>${previousGuide ? renderLink(previousGuide, `← ${previousGuide.title[language]}`) : ''}</span><span>${nextGuide ? renderLink(nextGuide, `${nextGuide.title[language]} →`) : ''}</span></p>`,
  });
}

type Section = { id: string; title: string };

/**
 * Renders a guide. A fence ```` ```examples ```` with `FILE#REGION` stands for that region of examples/LANGUAGE/FILE in each language. A
 * fence with `FILE` stands for the whole program.
 */
function renderMarkdown(
  source: string,
  language: Language,
  { guides, adaptToServer, findLink }: GuideOptions,
) {
  const markdown = new MarkdownIt();
  const sections: Section[] = [];
  const { rules } = markdown.renderer;
  rules.heading_open = (tokens, index) => {
    const { tag } = tokens[index]!;
    if (tag === 'h1') return '<h1>';
    const title = tokens[index + 1]!.children!.map(({ content }) => content).join('');
    const id = toHeadingId(title);
    if (tag === 'h2') sections.push({ id, title });
    return `<${tag} id="${id}"><a href="#${id}">`;
  };
  rules.heading_close = (tokens, index) =>
    tokens[index]!.tag === 'h1' ? '</h1>' : `</a></${tokens[index]!.tag}>`;
  rules.table_open = () => '<div class="table" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  rules.link_open = (tokens, index, settings, _environment, renderer) => {
    const href = String(tokens[index]!.attrGet('href'));
    const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
    const guide = guides.find((candidate) => candidate.name === name);
    if (guide) tokens[index]!.attrSet('href', `/docs/${language}/${guide.name}${anchor}`);
    return renderer.renderToken(tokens, index, settings);
  };
  rules.code_inline = (tokens, index) => {
    const code = `<code>${escapeHtml(tokens[index]!.content)}</code>`;
    const isInLink = tokens[index - 1]?.type === 'link_open';
    const href = isInLink ? undefined : findLink(tokens[index]!.content);
    return href ? `<a href="${escapeHtml(href)}">${code}</a>` : code;
  };
  let exampleCount = 0;
  rules.fence = (tokens, index) => {
    const { info, content } = tokens[index]!;
    if (info !== 'examples') return renderCode(content, language);
    exampleCount += 1;
    return renderExamples(content.trim(), `example-${exampleCount}`, language, adaptToServer);
  };
  return { html: markdown.render(source), sections };
}

/** Derives the id of a heading as GitHub does. */
const toHeadingId = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const renderCode = (code: string, language: Language) =>
  `<div class="code"><pre tabindex="0"><code>${escapeHtml(code)}</code></pre><button class="copy" type="button" hidden data-done="${LABELS.copied[language]}">${LABELS.copy[language]}</button></div>`;

function renderExamples(
  reference: string,
  id: string,
  language: Language,
  adaptToServer: GuideOptions['adaptToServer'],
): string {
  const [file, region] = reference.split('#');
  const variants = EXAMPLE_LANGUAGES.map((example) => ({
    ...example,
    path: join(PROJECT, 'examples', example.folder, `${file}.${example.extension}`),
  })).filter(({ path }) => existsSync(path));
  const languageChoices = variants.map(
    ({ name, folder }, index) =>
      `<input type="radio" name="${id}" id="${id}-${folder}" value="${folder}"${index === 0 ? ' checked' : ''}><label for="${id}-${folder}">${name}</label>`,
  );
  const codeBlocks = variants.map(({ path }) =>
    renderCode(adaptToServer(cutRegion(readFileSync(path, 'utf8'), region)), language),
  );
  return `<fieldset class="examples"><legend>${LABELS.languageOfExample[language]}</legend>${languageChoices.join('')}${codeBlocks.join('')}</fieldset>`;
}

/** Returns the lines between `#region NAME` and `#endregion`, or without a region the whole file without such markers. */
function cutRegion(sourceText: string, region?: string): string {
  if (region === undefined) return sourceText.replace(/^.*#(?:end)?region.*\n/gm, '');
  const regionMatch = new RegExp(`#region ${region}\\n([\\s\\S]*?)\\n[^\\n]*#endregion`).exec(sourceText);
  if (!regionMatch) throw new Error(`The example has no region '${region}'.`);
  return `${regionMatch[1]!.trim()}\n`;
}
