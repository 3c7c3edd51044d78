import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/purchase-driver.ts';
import { upsertPosts } from './content/record-store.ts';
import { writeContent } from './import/import-records.ts';
import { PostRenderer } from './posts/post-renderer.ts';

const service = await openService();
/** Used by tests that change posts, because the other tests rely on the demo data. */
const scratchService = await openService();

type Post = { slug: string; published_at: string };

async function insertPost(slug: string, publishedAt: Date | null): Promise<void> {
  await scratchService.db.run(sql`
    insert into posts (slug, title, summary, author, published_at, body, body_html)
    values (${slug}, 'T', 'S', 'A', ${publishedAt}, '# B', '<h1>B</h1>')`);
}

const findNewestSlug = async (): Promise<string> =>
  (await scratchService.get('/public/blog')).body.data[0].slug;

test('posts are listed newest first, ten per page, and the links lead through all pages', async () => {
  const listedPosts: Post[] = [];
  let nextUrl: string | undefined = '/public/blog';
  while (nextUrl) {
    const { body, headers } = await service.get(nextUrl);
    assert.equal(body.pagination.limit, 10);
    assert.ok(body.data.length === 10 || body.pagination.page === body.pagination.pages);
    listedPosts.push(...body.data);
    nextUrl = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)?.[1]?.slice(service.partnerUrl.length);
  }
  const storedPosts = await service.db.rows<{ slug: string }>(sql`
    select slug from posts where published_at <= ${service.clock.now()} order by published_at desc, slug`);
  assert.ok(storedPosts.length >= 25);
  assert.deepEqual(
    listedPosts.map((post) => post.slug),
    storedPosts.map((post) => post.slug),
  );
});

test('limit and page select posts, and the pagination has the total', async () => {
  const { body } = await service.get('/public/blog?limit=3&page=2');
  const { body: allPosts } = await service.get('/public/blog?limit=100');
  assert.deepEqual(body.data, allPosts.data.slice(3, 6));
  assert.deepEqual(body.pagination, {
    page: 2,
    limit: 3,
    total: allPosts.data.length,
    pages: Math.ceil(allPosts.data.length / 3),
  });
  assert.deepEqual((await service.get('/public/blog?page=99')).body.data, []);
  for (const query of ['limit=0', 'limit=101', 'page=0']) {
    assert.equal((await service.get(`/public/blog?${query}`)).status, 400, query);
  }
});

test('drafts and scheduled posts are in no list, and 404 by their slug', async () => {
  const unpublishedPosts = await service.db.rows<{ slug: string }>(sql`
    select slug from posts where published_at is null or published_at > ${service.clock.now()}`);
  assert.equal(unpublishedPosts.length, 2, 'the demo has one of each');
  const { body } = await service.get('/public/blog?limit=100');
  for (const { slug } of unpublishedPosts) {
    assert.ok(!body.data.some((post: Post) => post.slug === slug));
    const response = await service.get(`/public/blog/${slug}`);
    assert.equal(response.status, 404);
    assert.equal(response.body.code, 'not_found');
  }
});

test('a scheduled post appears at its time, although earlier responses are cached', async () => {
  const soonTime = new Date(scratchService.clock.now().getTime() + 60_000);
  const laterTime = new Date(scratchService.clock.now().getTime() + 120_000);
  await insertPost('soon', soonTime);
  await insertPost('later', laterTime);
  await insertPost('draft', null);
  const newestSlugBefore = await findNewestSlug();
  const { total } = (await scratchService.get('/public/blog')).body.pagination;
  for (let i = 0; i < 3; i++) {
    assert.equal(await findNewestSlug(), newestSlugBefore);
    assert.equal((await scratchService.get('/public/blog/soon')).status, 404);
  }

  scratchService.clock.set(new Date(soonTime.getTime() - 1).toISOString());
  assert.equal(await findNewestSlug(), newestSlugBefore);
  assert.equal((await scratchService.get('/public/blog/soon')).status, 404);
  scratchService.clock.set(soonTime.toISOString());
  assert.equal(await findNewestSlug(), 'soon');
  assert.equal((await scratchService.get('/public/blog')).body.pagination.total, total + 1);
  assert.equal((await scratchService.get('/public/blog/soon')).body.published_at, soonTime.toISOString());
  scratchService.clock.set(laterTime.toISOString());
  assert.equal(await findNewestSlug(), 'later');
});

test('a post that is no longer published is not found', async () => {
  scratchService.clock.advance(1_000);
  await insertPost('mistake', scratchService.clock.now());
  await eventually('the post is listed', async () => (await findNewestSlug()) === 'mistake');
  assert.equal((await scratchService.get('/public/blog/mistake')).status, 200);
  await scratchService.db.run(sql`update posts set published_at = null where slug = 'mistake'`);
  await eventually('the post is not found by its slug', async () => {
    return (await scratchService.get('/public/blog/mistake')).status === 404;
  });
  assert.notEqual(await findNewestSlug(), 'mistake');
});

test('a single post has the fields of the list and its text as Markdown and HTML', async () => {
  const [listedPost] = (await service.get('/public/blog?limit=1')).body.data;
  const { body } = await service.get(`/public/blog/${listedPost.slug}`);
  const { body: markdown, body_html, ...otherFields } = body;
  assert.deepEqual(otherFields, listedPost);
  assert.deepEqual(Object.keys(listedPost), [
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
  assert.ok(listedPost.cover_url.startsWith(`${service.partnerUrl}/media/`));
});

test('unknown and invalid slugs get 404 not_found', async () => {
  for (const slug of ['nenhum', '%00', '__proto__', 'a%2Fb', '%F0%9F%98%80', "'", 'x'.repeat(290), '-']) {
    const { status, body } = await service.get(`/public/blog/${slug}`);
    assert.equal(status, 404, slug);
    assert.equal(body.code, 'not_found');
  }
});

const POST_FIELDS = { title: 'T', summary: 'S', author: 'A', published_at: '2020-01-01T00:00:00Z' };
const callAsOperator = (method: string, path: string, body: object) =>
  scratchService.staff(method, path, { key: OPERATOR_KEY, body });

test('body_html of a post is safe to put into a page', async () => {
  const attack = 'Oi <script>alert(1)</script> [x](javascript:alert(1))';
  assert.equal(
    (await callAsOperator('POST', '/admin/posts', { ...POST_FIELDS, slug: 'attack', body: attack })).status,
    201,
  );
  const { body } = await scratchService.get('/public/blog/attack');
  assert.equal(body.body_html, '<p>Oi &lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1))</p>\n');
});

test('HTML is rendered when a post is created, updated or imported, not when it is read', async () => {
  const readHtml = async () => (await scratchService.get('/public/blog/stored')).body.body_html;
  await callAsOperator('POST', '/admin/posts', { ...POST_FIELDS, slug: 'stored', body: '*a*' });
  assert.equal(await readHtml(), '<p><em>a</em></p>\n');
  await callAsOperator('PATCH', '/admin/posts/stored', { body: '**b**' });
  await eventually(
    'the updated HTML is returned',
    async () => (await readHtml()) === '<p><strong>b</strong></p>\n',
  );
  await scratchService.db.transaction((tx) =>
    writeContent(tx, 'posts', [{ ...POST_FIELDS, slug: 'stored', body: '~~c~~' }]),
  );
  await eventually('the imported HTML is returned', async () => (await readHtml()) === '<p><s>c</s></p>\n');
  await scratchService.db.run(sql`update posts set body_html = '<p>as stored</p>' where slug = 'stored'`);
  await eventually(
    'the stored HTML is returned unchanged',
    async () => (await readHtml()) === '<p>as stored</p>',
  );
});

test('a post that takes too long to render is refused, and the next one is accepted', async () => {
  // Rendering nested picture brackets takes quadratic time.
  const impatientRenderer = new PostRenderer({ deadlineMs: 1 });
  assert.equal(await impatientRenderer.render('![!['.repeat(50_000)), undefined);
  const patientRenderer = new PostRenderer({ deadlineMs: 60_000 });
  const [slowRendering, quickRendering] = [
    patientRenderer.render('![!['.repeat(500)),
    patientRenderer.render('*a*'),
  ];
  assert.match((await slowRendering)!, /^<p>!\[/);
  assert.equal(await quickRendering, '<p><em>a</em></p>\n');

  const buildRecord = (slug: string, body: string) => ({
    ...POST_FIELDS,
    slug,
    body,
    published_at: null,
    cover_url: null,
    tags: [],
  });
  const stubRenderer = { render: async (body: string) => (body === 'slow' ? undefined : body) };
  const slowRecord = buildRecord('slow', 'slow');
  const violations = await scratchService.db.transaction((tx) =>
    upsertPosts(tx, [slowRecord, buildRecord('quick', 'quick')], stubRenderer),
  );
  assert.deepEqual([...violations.keys()], [slowRecord]);
  assert.match(violations.get(slowRecord)!.message.en, /takes too long/);
  const storedPosts = await scratchService.db.rows(
    sql`select slug from posts where slug in ('slow', 'quick')`,
  );
  assert.deepEqual(storedPosts, [{ slug: 'quick' }]);
});
