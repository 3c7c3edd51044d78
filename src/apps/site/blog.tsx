import { toMediaPath } from '../server/media.ts';
import { formatLongDate, keepAmountsTogether } from '../text/format.ts';
import { PageHead, Pagination, PostCard } from '../ui/components.tsx';
import { Layout } from '../ui/layout.tsx';
import type { SitePageHandler } from './visit.ts';

const WORDS_PER_MINUTE = 200;
const MAX_OTHER_POSTS = 3;
const buildListPath = (page: number) => (page === 1 ? '/blog' : `/blog?pagina=${page}`);

export const blogPage: SitePageHandler = async ({ reader, siteUrl, pageNumber: page }) => {
  const { data, pagination } = await reader.read('listPosts', { query: { page } });
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

export const postPage: SitePageHandler = async ({ reader, siteUrl, params }) => {
  const slug = params.slug!;
  const post = await reader.read('getPost', { path: { slug } });
  // Reads one post more than is shown, because the list may contain this post.
  const newestPosts = await reader.read('listPosts', { query: { limit: MAX_OTHER_POSTS + 1 } });
  const otherPosts = newestPosts.data.filter((other) => other.slug !== slug).slice(0, MAX_OTHER_POSTS);
  const { title, summary, author, published_at, tags, body, body_html } = post;
  const cover = toMediaPath(post.cover_url);
  const minutes = Math.max(1, Math.round(body.split(/\s+/).length / WORDS_PER_MINUTE));
  const image = `/og/blog/${slug}.png`;
  const head = {
    title,
    description: summary,
    path: `/blog/${slug}`,
    siteUrl,
    image,
    kind: 'article' as const,
    structuredData: {
      '@type': 'Article',
      headline: title,
      description: summary,
      datePublished: published_at,
      image: siteUrl + image,
      author: { '@type': 'Person', name: author },
      publisher: { '@type': 'Organization', name: 'Semana' },
      mainEntityOfPage: `${siteUrl}/blog/${slug}`,
    },
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
            {author} · <time dateTime={published_at}>{formatLongDate(published_at)}</time> · {minutes} min de
            leitura
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
      {otherPosts.length > 0 && (
        <section class="section soft">
          <div class="wrap">
            <h2>Leia também</h2>
            <ul class="grid posts">
              {otherPosts.map((other) => (
                <PostCard key={other.slug} post={other} level={3} />
              ))}
            </ul>
          </div>
        </section>
      )}
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
