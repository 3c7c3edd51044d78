import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../test/harness.ts';

const service = await openService();
const scratch = await openService();

type Post = { slug: string; published_at: string };

async function write(slug: string, publishedAt: Date | null): Promise<void> {
  await scratch.db.run(sql`
    insert into posts (slug, title, summary, author, published_at, body)
    values (${slug}, 'T', 'S', 'A', ${publishedAt}, '# B')`);
}

const newest = async (): Promise<string> => (await scratch.get('/public/blog')).body.data[0].slug;

test('posts come newest first, ten to a page, and the links lead through all of them', async () => {
  const seen: Post[] = [];
  let next: string | undefined = '/public/blog';
  while (next) {
    const { body, headers } = await service.get(next);
    assert.equal(body.pagination.limit, 10);
    assert.ok(body.data.length === 10 || body.pagination.page === body.pagination.pages);
    seen.push(...body.data);
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)?.[1]?.slice(service.frontUrl.length);
  }
  const stored = await service.db.rows<{ slug: string }>(sql`
    select slug from posts where published_at <= ${service.clock.now()} order by published_at desc, slug`);
  assert.ok(stored.length >= 25);
  assert.deepEqual(
    seen.map((post) => post.slug),
    stored.map((post) => post.slug),
  );
});

test('limit is accepted', async () => {
  const { body } = await service.get('/public/blog?limit=3&page=2');
  const { body: whole } = await service.get('/public/blog?limit=100');
  assert.deepEqual(body.data, whole.data.slice(3, 6));
  assert.deepEqual(body.pagination, {
    page: 2,
    limit: 3,
    total: whole.data.length,
    pages: Math.ceil(whole.data.length / 3),
  });
  assert.deepEqual((await service.get('/public/blog?page=99')).body.data, []);
  for (const query of ['limit=0', 'limit=101', 'page=0']) {
    assert.equal((await service.get(`/public/blog?${query}`)).status, 400, query);
  }
});

test('drafts and posts of the future are in no list, and 404 by their slug', async () => {
  const hidden = await service.db.rows<{ slug: string }>(sql`
    select slug from posts where published_at is null or published_at > ${service.clock.now()}`);
  assert.equal(hidden.length, 2, 'the demo has one of each');
  const { body } = await service.get('/public/blog?limit=100');
  for (const { slug } of hidden) {
    assert.ok(!body.data.some((post: Post) => post.slug === slug));
    const answer = await service.get(`/public/blog/${slug}`);
    assert.equal(answer.status, 404);
    assert.equal(answer.body.code, 'not_found');
  }
});

test('a post of the future appears at its instant, although the answers before it are kept', async () => {
  const soon = new Date(scratch.clock.now().getTime() + 60_000);
  const later = new Date(scratch.clock.now().getTime() + 120_000);
  await write('soon', soon);
  await write('later', later);
  await write('draft', null);
  const before = await newest();
  const { total } = (await scratch.get('/public/blog')).body.pagination;
  for (let i = 0; i < 3; i++) {
    assert.equal(await newest(), before);
    assert.equal((await scratch.get('/public/blog/soon')).status, 404);
  }

  scratch.clock.set(new Date(soon.getTime() - 1).toISOString());
  assert.equal(await newest(), before);
  assert.equal((await scratch.get('/public/blog/soon')).status, 404);
  scratch.clock.set(soon.toISOString());
  assert.equal(await newest(), 'soon');
  assert.equal((await scratch.get('/public/blog')).body.pagination.total, total + 1);
  assert.equal((await scratch.get('/public/blog/soon')).body.published_at, soon.toISOString());
  scratch.clock.set(later.toISOString());
  assert.equal(await newest(), 'later');
});

test('a post that is taken back is gone', async () => {
  scratch.clock.advance(1_000);
  await write('mistake', scratch.clock.now());
  await eventually('it is there', async () => (await newest()) === 'mistake');
  assert.equal((await scratch.get('/public/blog/mistake')).status, 200);
  await scratch.db.run(sql`update posts set published_at = null where slug = 'mistake'`);
  await eventually('it is gone by its slug', async () => {
    return (await scratch.get('/public/blog/mistake')).status === 404;
  });
  assert.notEqual(await newest(), 'mistake');
});

test('a single post has what lists have, and its text as Markdown and HTML', async () => {
  const [listed] = (await service.get('/public/blog?limit=1')).body.data;
  const { body } = await service.get(`/public/blog/${listed.slug}`);
  const { body: markdown, body_html, ...rest } = body;
  assert.deepEqual(rest, listed);
  assert.deepEqual(Object.keys(listed), [
    'slug',
    'title',
    'summary',
    'cover_url',
    'author',
    'tags',
    'published_at',
  ]);
  assert.match(markdown, /^##? /m);
  assert.match(body_html, /<h[12]>/);
  assert.ok(listed.cover_url.startsWith(`${service.frontUrl}/media/`));
});

test('404 for odd slugs', async () => {
  for (const slug of ['nenhum', '%00', '__proto__', 'a%2Fb', '%F0%9F%98%80', "'", 'x'.repeat(290), '-']) {
    const { status, body } = await service.get(`/public/blog/${slug}`);
    assert.equal(status, 404, slug);
    assert.equal(body.code, 'not_found');
  }
});

test('body_html of a post is safe to put into a page', async () => {
  await scratch.db.run(sql`
    insert into posts (slug, title, summary, author, published_at, body)
    values ('attack', 'T', 'S', 'A', '2020-01-01', ${'Oi <script>alert(1)</script> [x](javascript:alert(1))'})`);
  const { body } = await scratch.get('/public/blog/attack');
  assert.equal(body.body_html, '<p>Oi &lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1))</p>\n');
});
