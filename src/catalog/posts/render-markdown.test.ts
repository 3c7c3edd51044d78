import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderMarkdown } from './render-markdown.ts';

const ALLOWED_ELEMENTS = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 em strong s a img ul ol li blockquote pre code table thead tbody tr th td'.split(
    ' ',
  ),
);
const ALLOWED_URL = /^(?:https?:|mailto:|\/(?![/\\])|#)/i;
const ANY_VALUE = /^/;
const ALLOWED_ATTRIBUTES: Record<string, RegExp> = {
  href: ALLOWED_URL,
  src: ALLOWED_URL,
  alt: ANY_VALUE,
  title: ANY_VALUE,
  start: /^\d+$/,
  class: /^language-/,
  style: /^text-align:(?:left|right|center)$/,
};

/** Checks that every '<' begins a well-formed tag with an allowed element and allowed attributes. */
function assertHarmless(html: string): void {
  for (const [tagText] of html.matchAll(/<[^<]*/g)) {
    const tag = /^<\/?([a-z][a-z0-9]*)((?:\s+[a-z]+="[^"<>]*")*)\s*>/.exec(tagText);
    assert.ok(tag, `not a well-formed tag: ${tagText}`);
    const [, element, attributes] = tag;
    assert.ok(ALLOWED_ELEMENTS.has(element!), `<${element}> is not allowed`);
    for (const [, name, value] of attributes!.matchAll(/([a-z]+)="([^"]*)"/g)) {
      assert.ok(Object.hasOwn(ALLOWED_ATTRIBUTES, name!), `${name} is not allowed`);
      assert.match(decodeEntities(value!), ALLOWED_ATTRIBUTES[name!]!, `${name}="${value}"`);
    }
  }
}

/** Decodes the entities that the renderer emits. */
function decodeEntities(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<svg/onload=alert(1)>',
  '<!-- --><script>alert(1)</script><!-- -->',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
  '<style>*{background:url(javascript:alert(1))}</style>',
  '<div\n\nonclick="alert(1)">',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](java&Tab;script:alert(1))',
  '[x](java\\script:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '[x](<\u0001javascript:alert(1)>)',
  '[x](%6aavascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](data:text/html,<script>alert(1)</script>)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '![x](javascript:alert(1))',
  '[x](file:///etc/passwd)',
  '[x](ftp://example.com)',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x](\\\\evil.example)',
  '[x](</\t/evil.example>)',
  '[x](https:javascript:alert(1))',
  '<javascript:alert(1)>',
  '<data:text/html,x>',
  '[x]: javascript:alert(1)\n\n[x]',
  '[x][y]\n\n[y]: <javascript:alert(1)> "t"',
  '![x][y]\n\n[y]: data:text/html,x',
  '[x](https://ok.example "\\" onmouseover=alert(1) x=\\"")',
  '[x](https://ok.example/"onmouseover="alert(1))',
  '![" onerror="alert(1)](https://ok.example/x.png)',
  '![a](https://ok.example/x.png "t" onerror=alert(1))',
  '[a![b](javascript:alert(1))](https://ok.example)',
  '[a [b](javascript:alert(1)) c](https://ok.example)',
  '```"><script>alert(1)</script>\nx\n```',
  '```js onload=alert(1)\n</code></pre><script>alert(1)</script>\n```',
  '`<script>alert(1)</script>`',
  '    <script>alert(1)</script>',
  '| <script> | [x](javascript:alert(1)) |\n|---|:-:|\n| <img onerror=x> | y |',
  '> <script>alert(1)</script>\n> > [x](javascript:alert(1))',
  '- <script>\n  - [x](data:x,y)',
  '# <script>alert(1)</script>',
  'javascript:alert(1) data:text/html,x //evil.example ftp://x.example',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;',
  '<a href="x"\u0000onclick=y>',
  '\u0000<script>',
];

test('raw HTML is escaped; no link or image refers to a script, to data or to a disguised foreign host', () => {
  for (const attack of ATTACKS) assertHarmless(renderMarkdown(attack));
});

test('no combination of attacks produces harmful HTML', () => {
  const fragment = fc.oneof(
    fc.constantFrom(...ATTACKS),
    fc.constantFrom(
      '[',
      '](',
      ')',
      '<',
      '>',
      '"',
      "'",
      '`',
      '```',
      '\n',
      '\n\n',
      '|',
      '!',
      '\\',
      '&#',
      ';',
      ' ',
    ),
    fc.string({ maxLength: 6, unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 8 }), (fragments) =>
      assertHarmless(renderMarkdown(fragments.join(''))),
    ),
    { numRuns: 500 },
  );
});

test('a link or image without a URL is dropped', () => {
  const html = renderMarkdown('[um]() dois ![três]() [quatro](/blog/x)');
  assert.equal(html, '<p>um dois  <a href="/blog/x">quatro</a></p>\n');
});

test('headings, emphasis, lists, tables and links to the web, to mail and to our pages are rendered', () => {
  const html = renderMarkdown(
    '## Título\n\nUm *pouco* por **semana**.\n\n1. a\n2. b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n' +
      '[web](https://a.example/?a=1&b=2), [mail](mailto:a@b.example), [nossa](/blog/x), [aqui](#topo), ' +
      'https://c.example ![foto](/media/x.svg)\n',
  );
  for (const expectedHtml of [
    '<h2>Título</h2>',
    '<em>pouco</em>',
    '<strong>semana</strong>',
    '<ol>',
    '<td>1</td>',
    '<a href="https://a.example/?a=1&amp;b=2">web</a>',
    '<a href="mailto:a@b.example">mail</a>',
    '<a href="/blog/x">nossa</a>',
    '<a href="#topo">aqui</a>',
    '<a href="https://c.example">https://c.example</a>',
    '<img src="/media/x.svg" alt="foto">',
  ]) {
    assert.ok(html.includes(expectedHtml), `${expectedHtml} in ${html}`);
  }
});
