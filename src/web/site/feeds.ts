import type { Page } from '../server/page.ts';
import type { PageReader } from '../server/reader.ts';
import { xml } from '../text/format.ts';
import type { MakePage } from './visit.ts';

const FEED_POSTS = 20;
/** A sitemap holds at most 50,000 addresses. */
const MOST_PAGES = 400;

const FIXED = [
  '/',
  '/lojas',
  '/perguntas',
  '/blog',
  '/seja-parceiro',
  '/contato',
  '/termos',
  '/privacidade',
  '/widget',
];

/** Atom (RFC 4287). */
export const feedPage: MakePage = async ({ reader, siteUrl }) => {
  const { data } = await reader.read('listPosts', { query: { limit: FEED_POSTS } });
  const entries = data.map(
    ({ slug, title, summary, author, published_at }) => `
  <entry>
    <title>${xml(title)}</title>
    <link href="${siteUrl}/blog/${slug}"/>
    <id>${siteUrl}/blog/${slug}</id>
    <published>${published_at}</published>
    <updated>${published_at}</updated>
    <author><name>${xml(author)}</name></author>
    <summary>${xml(summary)}</summary>
  </entry>`,
  );
  const updated = data[0]?.published_at ?? '1970-01-01T00:00:00Z';
  return {
    type: 'application/atom+xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="pt-BR">
  <title>Blog da Semana</title>
  <link href="${siteUrl}/blog"/>
  <link rel="self" href="${siteUrl}/blog/feed.xml"/>
  <id>${siteUrl}/blog</id>
  <updated>${updated}</updated>${entries.join('')}
</feed>
`,
  };
};

export const sitemapPage: MakePage = async ({ reader, siteUrl }) => {
  const { data: categories } = await reader.read('listCategories', {});
  const merchants = await everything(reader, 'listMerchants');
  const posts = await everything(reader, 'listPosts');
  const addresses: Array<{ path: string; changed?: string }> = [
    ...FIXED.map((path) => ({ path })),
    ...categories.map(({ slug }) => ({ path: `/lojas?categoria=${slug}` })),
    ...merchants.map(({ slug }) => ({ path: `/lojas/${slug}` })),
    ...posts.map(({ slug, published_at }) => ({ path: `/blog/${slug}`, changed: published_at! })),
  ];
  const lines = addresses.map(
    ({ path, changed }) =>
      `  <url><loc>${xml(siteUrl + path)}</loc>${changed ? `<lastmod>${changed}</lastmod>` : ''}</url>`,
  );
  return {
    type: 'application/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('\n')}
</urlset>
`,
  };
};

async function everything(reader: PageReader, operation: 'listMerchants' | 'listPosts') {
  const all: Array<{ slug: string; published_at?: string }> = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data, pagination } = await reader.read(operation, { query: { page, limit: 100 } });
    all.push(...data);
    if (page >= pagination.pages) break;
  }
  return all;
}

/** Invitations are not disallowed here: they say `noindex` themselves, and social networks must read them for the preview. */
export const robotsPage = (siteUrl: string): Page => ({
  type: 'text/plain; charset=utf-8',
  body: `User-agent: *\nDisallow: /carteira\n\nSitemap: ${siteUrl}/sitemap.xml\n`,
});
