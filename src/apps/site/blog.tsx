import { toMediaPath } from '../server/media.ts';
import { formatLongDate, keepAmountsTogether } from '../text/format.ts';
import { PageHead, Pagination, PostCard } from '../ui/components.tsx';
import { Layout } from '../ui/layout.tsx';
import type { SitePageHandler } from './visit.ts';

const buildListPath = (page: number) => (page === 1 ? '/blog' : `/blog?pagina=${page}`);

export const blogPage: SitePageHandler = async ({ api, siteUrl, pageNumber: page }) => {
  const { data, pagination } = await api.listPosts({ query: { page } });
  const description =
    'Dinheiro explicado semana a semana: orçamento, parcelas, hábitos e histórias de lojas de bairro.';
  if (page > pagination.pages && page > 1)
    return { redirectTo: buildListPath(Math.max(pagination.pages, 1)) };
  return (
    <Layout head={{ title: 'Blog', description, path: buildListPath(page), siteUrl }}>
      <div class="wrap">
        <PageHead title="Blog" lead="Dinheiro explicado semana a semana, com exemplos e sem sermão." />
        {data.length === 0 && <p class="empty">Ainda não há textos no blog.</p>}
        <ul class="grid posts">
          {data.map((post, i) => (
            <PostCard key={post.slug} post={post} wide={page === 1 && i === 0} />
          ))}
        </ul>
        <Pagination page={page} pages={pagination.pages} buildHref={buildListPath} />
      </div>
    </Layout>
  );
};

export const postPage: SitePageHandler = async ({ api, siteUrl, params }) => {
  const slug = params.slug!;
  const post = await api.getPost({ path: { slug } });
  const { title, summary, author, published_at, tags, body_html } = post;
  const cover = toMediaPath(post.cover_url);
  const head = {
    title,
    description: summary,
    path: `/blog/${slug}`,
    siteUrl,
    kind: 'article' as const,
  };
  return (
    <Layout head={head}>
      <article class="wrap article">
        <PageHead
          title={title}
          lead={keepAmountsTogether(summary)}
          crumbs={[{ href: '/blog', text: 'Blog' }]}
        >
          <p class="muted byline">
            {author} · <time dateTime={published_at}>{formatLongDate(published_at)}</time>
          </p>
        </PageHead>
        {cover && (
          <img class="article-cover" src={cover} alt="" width="1200" height="630" fetchpriority="high" />
        )}
        {/* Safe to insert: the API renders it from Markdown and drops raw HTML. */}
        <div class="prose" dangerouslySetInnerHTML={{ __html: prepareBody(body_html) }} />
        {tags.length > 0 && (
          <ul class="chips" aria-label="Assuntos">
            {tags.map((tag) => (
              <li key={tag}>
                <span class="chip still">{tag}</span>
              </li>
            ))}
          </ul>
        )}
      </article>
    </Layout>
  );
};

/** Keeps amounts on one line, loads pictures from this site only, and makes wide tables scrollable, also by keyboard. */
function prepareBody(html: string): string {
  return keepAmountsTogether(html)
    .replace(/<img src="([^"]*)"([^>]*)>/g, (_, src: string, otherAttributes: string) => {
      const path = toMediaPath(src.replaceAll('&amp;', '&'));
      return path ? `<img src="${path.replaceAll('"', '')}"${otherAttributes}>` : '';
    })
    .replaceAll('<table>', '<div class="scroll" tabindex="0" role="group" aria-label="Tabela"><table>')
    .replaceAll('</table>', '</table></div>');
}
