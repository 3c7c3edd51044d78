import MarkdownIt, { type Token } from 'markdown-it';

/** Escapes raw HTML in a post, and allows only links to the web, to mail addresses and to our own pages. */
const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false });
markdown.validateLink = (url) => /^(https?:|mailto:|\/(?!\/)|#)/i.test(url.trim());
/** Drops the links of `[x]()` and the pictures of `![x]()`: an empty URL would refer to the page itself. */
markdown.core.ruler.push('drop_empty_urls', ({ tokens }) => {
  for (const block of tokens) block.children &&= dropEmptyUrls(block.children);
});

function dropEmptyUrls(tokens: readonly Token[]): Token[] {
  let isEmptyLink = false;
  return tokens.filter((token) => {
    if (token.type === 'link_open') isEmptyLink = token.attrGet('href') === '';
    const isLinkToken = token.type === 'link_open' || token.type === 'link_close';
    return !(isLinkToken && isEmptyLink) && token.attrGet('src') !== '';
  });
}

/** Can take minutes for a malicious text: call it in a worker thread, see post-renderer.ts. */
export function renderMarkdown(body: string): string {
  return markdown.render(body);
}
