import type { PageReader } from '../server/catalog-cache.ts';
import type { Page } from '../server/page.ts';
import { escapeXml } from '../text/format.ts';
import type { SitePageHandler } from './visit.ts';

const MAX_FEED_POSTS = 20;
const PAGE_SIZE = 100;
/** The maximum number of pages that are read of each list. A sitemap may contain at most 50,000 URLs. */
const MAX_PAGES = 400;

const STATIC_PATHS = [
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

/** An Atom feed (RFC 4287). */
export const feedPage: SitePageHandler = async ({ reader, siteUrl }) => {
  const { data } = await reader.read('listPosts', { query: { limit: MAX_FEED_POSTS } });
  const entries = data.map(
    ({ slug, title, summary, author, published_at }) => `
  <entry>
    <title>${escapeXml(title)}</title>
    <link href="${siteUrl}/blog/${slug}"/>
    <id>${siteUrl}/blog/${slug}</id>
    <published>${published_at}</published>
    <updated>${published_at}</updated>
    <author><name>${escapeXml(author)}</name></author>
    <summary>${escapeXml(summary)}</summary>
  </entry>`,
  );
  const updatedAt = data[0]?.published_at ?? '1970-01-01T00:00:00Z';
  return {
    type: 'application/atom+xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="pt-BR">
  <title>Blog da Semana</title>
  <link href="${siteUrl}/blog"/>
  <link rel="self" href="${siteUrl}/blog/feed.xml"/>
  <id>${siteUrl}/blog</id>
  <updated>${updatedAt}</updated>${entries.join('')}
</feed>
`,
  };
};

export const sitemapPage: SitePageHandler = async ({ reader, siteUrl }) => {
  const { data: categories } = await reader.read('listCategories', {});
  const merchants = await readAllItems(reader, 'listMerchants');
  const posts = await readAllItems(reader, 'listPosts');
  const entries: Array<{ path: string; changedAt?: string }> = [
    ...STATIC_PATHS.map((path) => ({ path })),
    ...categories.map(({ slug }) => ({ path: `/lojas?categoria=${slug}` })),
    ...merchants.map(({ slug }) => ({ path: `/lojas/${slug}` })),
    ...posts.map(({ slug, published_at }) => ({ path: `/blog/${slug}`, changedAt: published_at! })),
  ];
  const lines = entries.map(
    ({ path, changedAt }) =>
      `  <url><loc>${escapeXml(siteUrl + path)}</loc>${changedAt ? `<lastmod>${changedAt}</lastmod>` : ''}</url>`,
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

async function readAllItems(reader: PageReader, operation: 'listMerchants' | 'listPosts') {
  const items: Array<{ slug: string; published_at?: string }> = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data, pagination } = await reader.read(operation, { query: { page, limit: PAGE_SIZE } });
    items.push(...data);
    if (page >= pagination.pages) break;
  }
  return items;
}

/** Does not disallow `/convite`: social networks read the pages of invitations for previews, and those pages have a `noindex` tag. */
export const buildRobotsPage = (siteUrl: string): Page => ({
  type: 'text/plain; charset=utf-8',
  body: `User-agent: *\nDisallow: /carteira\n\nSitemap: ${siteUrl}/sitemap.xml\n`,
});
