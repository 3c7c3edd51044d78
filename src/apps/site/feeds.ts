import type { Page } from '../server/page.ts';
import { escapeXml } from '../text/format.ts';
import type { SitePageHandler } from './visit.ts';

const MAX_FEED_POSTS = 20;
const PAGE_SIZE = 100;
/** Sitemaps may contain at most this many URLs. */
const MAX_SITEMAP_URLS = 50_000;

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
export const feedPage: SitePageHandler = async ({ api, siteUrl }) => {
  const { data } = await api.listPosts({ query: { limit: MAX_FEED_POSTS } });
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

export const sitemapPage: SitePageHandler = async ({ api, siteUrl }) => {
  const { data: categories } = await api.listCategories();
  const merchants = await Array.fromAsync(api.each('listMerchants', { query: { limit: PAGE_SIZE } }));
  const posts = await Array.fromAsync(api.each('listPosts', { query: { limit: PAGE_SIZE } }));
  const entries: Array<{ path: string; changedAt?: string }> = [
    ...STATIC_PATHS.map((path) => ({ path })),
    ...categories.map(({ slug }) => ({ path: `/lojas?categoria=${slug}` })),
    ...merchants.map(({ slug }) => ({ path: `/lojas/${slug}` })),
    ...posts.map(({ slug, published_at }) => ({ path: `/blog/${slug}`, changedAt: published_at })),
  ];
  const lines = entries
    .slice(0, MAX_SITEMAP_URLS)
    .map(
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

/** Does not disallow `/convite`: social networks read the pages of invitations for previews, and those pages have a `noindex` tag. */
export const buildRobotsPage = (siteUrl: string): Page => ({
  type: 'text/plain; charset=utf-8',
  body: `User-agent: *\nDisallow: /carteira\n\nSitemap: ${siteUrl}/sitemap.xml\n`,
});
