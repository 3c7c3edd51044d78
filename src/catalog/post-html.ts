import MarkdownIt from 'markdown-it';

/** Raw HTML in a post is shown as text, and links lead nowhere but to the web, mail or our own pages. */
const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false });
markdown.validateLink = (url) => /^(https?:|mailto:|\/(?!\/)|#)/i.test(url.trim());

/** In a thread of its own: see post-renderer.ts. */
export function postHtml(body: string): string {
  return markdown.render(body);
}
