import MarkdownIt, { type Token } from 'markdown-it';

/** Raw HTML in a post is shown as text, and links lead nowhere but to the web, mail or our own pages. */
const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false });
markdown.validateLink = (url) => /^(https?:|mailto:|\/(?!\/)|#)/i.test(url.trim());
/** `[x]()` is no link, and `![x]()` no picture: an empty address would lead to the page itself. */
markdown.core.ruler.push('without_address', ({ tokens }) => {
  for (const block of tokens) block.children &&= withAddress(block.children);
});

function withAddress(tokens: readonly Token[]): Token[] {
  let isNoLink = false;
  return tokens.filter((token) => {
    if (token.type === 'link_open') isNoLink = token.attrGet('href') === '';
    const isLink = token.type === 'link_open' || token.type === 'link_close';
    return !(isLink && isNoLink) && token.attrGet('src') !== '';
  });
}

/** In a thread of its own: see post-renderer.ts. */
export function postHtml(body: string): string {
  return markdown.render(body);
}
