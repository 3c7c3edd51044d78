import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { escapeHtml } from '#platform/docs/page.ts';
import { GUIDES } from '../src/guides.ts';
import { getExpectedOutput, listExamples, listMissingPrograms, runExample } from './examples.ts';
import { openService, shareService } from './harness.ts';
import { PROJECT } from './project.ts';
import { openWebhookReceiver } from './support/webhook-receiver.ts';

const service = await shareService();
const LANGUAGES = ['en', 'pt'] as const;
/** Links to other hosts, which the test does not follow. */
const OTHER_HOSTS = ['https://www.standardwebhooks.com/'];

const readPage = async (path: string): Promise<string> => {
  const page = await service.get(path, { key: null });
  assert.equal(page.status, 200, path);
  return page.text;
};
const paths = LANGUAGES.flatMap((language) => GUIDES.map(({ name }) => `/docs/${language}/${name}`));
const pages = new Map<string, string>();
for (const path of paths) pages.set(path, await readPage(path));
const matchAll = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, group]) => group!);

test('every guide is declared, and has a page in both languages with a strict policy and an ETag', async () => {
  for (const language of LANGUAGES)
    assert.deepEqual(
      readdirSync(join(PROJECT, 'docs/guides', language)).toSorted(),
      GUIDES.map(({ name }) => `${name}.md`).toSorted(),
    );
  for (const path of paths) {
    const { headers, text } = await service.get(path, { key: null });
    assert.doesNotMatch(headers.get('content-security-policy')!, /unsafe|\*|https?:/);
    assert.match(text, path.startsWith('/docs/en') ? /<html lang="en">/ : /<html lang="pt-BR">/);
    const conditionalResponse = await service.get(path, {
      key: null,
      headers: { 'if-none-match': headers.get('etag')! },
    });
    assert.deepEqual([conditionalResponse.status, conditionalResponse.text], [304, ''], path);
  }
});

test('/docs is in the language of the reader, and links to the reference, the guides and the other language', async () => {
  for (const [acceptedLanguages, language, otherLanguage] of [
    ['pt-BR,pt;q=0.9', 'pt', 'en'],
    ['en', 'en', 'pt'],
  ] as const)
    for (const path of ['/docs', '/docs/', `/docs/${language}`]) {
      const { status, headers, text } = await service.get(path, {
        key: null,
        headers: { 'accept-language': acceptedLanguages },
      });
      assert.equal(status, 200);
      assert.equal(headers.get('vary'), 'accept-language');
      assert.equal(text, pages.get(`/docs/${language}/start`));
      for (const href of ['/docs/reference/', `/docs/${otherLanguage}`, `/docs/${language}/wallet`])
        assert.ok(text.includes(`href="${href}"`), href);
    }
  assert.match(await readPage('/docs/webhooks'), /<html lang="en">/);
  for (const path of ['/docs/none', '/docs/en/none', '/docs/fr/wallet'])
    assert.equal((await service.get(path, { key: null })).status, 404, path);
});

test('every link points to a page, an operation or a section that exists', async () => {
  const { paths: operationsByPath, tags } = (await service.get('/openapi.json', { key: null })).body;
  const tagSlugs = tags.map(({ name }: { name: string }) => name.toLowerCase().replaceAll(' ', '-'));
  const targetPages = new Map<string, string>();
  for (const [path, html] of pages)
    for (const link of matchAll(html, /<a [^>]*href="([^"]+)"/g)) {
      if (/^https?:/.test(link)) {
        assert.ok(OTHER_HOSTS.includes(link), link);
        continue;
      }
      const { pathname, hash } = new URL(link, `${service.partnerUrl}${path}`);
      const [, tagSlug, method, operationPath] = /^#tag\/([\w-]+)\/(\w+)(\/.+)$/.exec(decodeURI(hash)) ?? [];
      if (pathname === '/docs/reference/' && hash) {
        assert.ok(tagSlugs.includes(tagSlug), link);
        assert.ok(operationsByPath[operationPath!]?.[method!.toLowerCase()], link);
        continue;
      }
      const targetPage = targetPages.get(pathname) ?? (await readPage(pathname));
      targetPages.set(pathname, targetPage);
      const id = decodeURIComponent(hash.slice(1));
      if (id) assert.ok(targetPage.includes(`id="${id}"`), `${path}: ${link}`);
    }
});

test('operations and problem codes that the guides name exist, so that they become links', () => {
  for (const [path, html] of pages) {
    const prose = html.replace(/<pre[\s\S]*?<\/pre>|<nav[\s\S]*?<\/nav>/g, '');
    const quotedCodeWithoutLink = matchAll(prose, /(?<!<a href="[^"]+">)<code>([^<]+)<\/code>/g);
    assert.deepEqual(
      quotedCodeWithoutLink.filter((code) => /^(?:GET|POST|PUT|PATCH|DELETE) \//.test(code)),
      [],
      path,
    );
    const problemCodesWithoutLink = matchAll(prose, /\b(?:4\d\d|503)\b[^<]*<code>([a-z]+_[a-z_]+)<\/code>/g);
    assert.deepEqual(
      problemCodesWithoutLink,
      [],
      `${path}: a problem code after a status has no link, because it has no page`,
    );
  }
});

test('both languages have the same sections, examples and tables', () => {
  const listElements = (html: string) => matchAll(html, /<(h[123]|pre|table|fieldset|li)\b/g);
  for (const { name } of GUIDES)
    assert.deepEqual(
      listElements(pages.get(`/docs/pt/${name}`)!),
      listElements(pages.get(`/docs/en/${name}`)!),
      name,
    );
});

test('examples contain the URL of this API, and each program is quoted completely', () => {
  const allPages = [...pages.values()].join('\n');
  assert.ok(allPages.includes(service.partnerUrl));
  assert.doesNotMatch(allPages, /localhost:3000/);
  for (const language of ['curl', 'node', 'python', 'php'] as const)
    for (const file of listExamples(language)) {
      const text = readFileSync(join(PROJECT, 'examples', language, file), 'utf8');
      const regions = matchAll(text, /#region \w+\n([\s\S]*?)\n[^\n]*#endregion/g);
      assert.ok(regions.length > 0, file);
      for (const region of regions) {
        const quotedText = region.trim().replaceAll('http://localhost:3000', service.partnerUrl);
        assert.ok(
          allPages.includes(escapeHtml(quotedText)),
          `${language}/${file} has a region that no guide quotes`,
        );
      }
    }
});

test('a guide quotes complete programs, without their region markers', () => {
  const program = readFileSync(join(PROJECT, 'examples/python/pay.py'), 'utf8');
  const page = pages.get('/docs/en/webhooks')!;
  const lines = program.trim().split('\n');
  for (const line of [lines.at(0)!, lines.at(-1)!]) assert.ok(page.includes(escapeHtml(line)), line);
  assert.doesNotMatch([...pages.values()].join('\n'), /#(?:end)?region/);
});

test('the reference links to guides that exist', async () => {
  const { description } = (await service.get('/openapi.json', { key: null })).body.info;
  const links = matchAll(description, /\]\((\/docs[^)]*)\)/g);
  assert.equal(links.length, GUIDES.length);
  for (const link of links) await readPage(link);
});

test('a container image contains the guides and the examples', () => {
  const image = readFileSync(join(PROJECT, 'deploy/Containerfile'), 'utf8');
  const context = readFileSync(join(PROJECT, '.dockerignore'), 'utf8');
  for (const folder of ['docs/guides', 'examples']) {
    assert.ok(existsSync(join(PROJECT, folder)));
    assert.match(image, new RegExp(`^COPY ${folder} ${folder}$`, 'm'));
    assert.match(context, new RegExp(`^!${folder}$`, 'm'));
  }
});

for (const language of ['curl', 'node'] as const) {
  const missingPrograms = listMissingPrograms(language);
  test(`the examples in ${language} do what the guides say`, {
    skip: missingPrograms.length > 0 && `not installed: ${missingPrograms.join(', ')}`,
  }, async () => {
    const sandbox = await openService();
    const receiver = await openWebhookReceiver();
    const env = { SEMANA_URL: sandbox.partnerUrl, HOOK_URL: receiver.url };
    const checkExample = async (file: string) =>
      assert.match(await runExample(language, file, env), getExpectedOutput(file), file);
    await Promise.all(listExamples(language).map(checkExample));
  });
}
