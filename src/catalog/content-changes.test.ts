import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Sql, sql } from '#platform/database/db.ts';
import { eventually, type Node, openService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/purchase-driver.ts';
import type { KindName } from './content/kinds.ts';
import { importRecords } from './import/import-records.ts';

const service = await openService();
const nodes: Node[] = [service, await service.startNode()];

type Item = { slug: string; name: string; merchants: number };

/** Reads the merchant's name from every endpoint that returns merchants. `nameOrStatus` is the status of the response if the merchant is not found. */
async function readFromAllEndpoints(node: Node, slug: string) {
  const get = async (path: string) => (await node.get(path)).body;
  const [list, categoryList, searchResult, singleResponse, categories] = await Promise.all([
    get('/public/merchants?limit=100'),
    get('/public/merchants?category=moda&limit=100'),
    get('/public/merchants?q=zebra&limit=100'),
    node.get(`/public/merchants/${slug}`),
    get('/public/categories'),
  ]);
  const findItem = (items: Item[]) => items.find((item) => item.slug === slug);
  const moda = categories.data.find((category: Item) => category.slug === 'moda');
  return {
    listedName: findItem(list.data)?.name,
    listedCount: list.pagination.total as number,
    nameInModa: findItem(categoryList.data)?.name,
    foundName: findItem(searchResult.data)?.name,
    nameOrStatus:
      singleResponse.status === 200 ? (singleResponse.body.name as string) : singleResponse.status,
    categoryName: singleResponse.body.category?.name,
    modaSummary: moda && `${moda.name}: ${moda.merchants}`,
  };
}

/** Fills the caches of both nodes, so that a node that is not notified of a change returns the old data. */
async function fillCaches(slug: string): Promise<void> {
  for (const node of nodes) for (let i = 0; i < 2; i++) await readFromAllEndpoints(node, slug);
}

async function assertOnBothNodes(
  slug: string,
  expected: Partial<Awaited<ReturnType<typeof readFromAllEndpoints>>>,
): Promise<void> {
  for (const node of nodes) {
    const actual = await waitForSame(expected, async () => {
      const contentByEndpoint = await readFromAllEndpoints(node, slug);
      return Object.fromEntries(
        Object.keys(expected).map((name) => [
          name,
          contentByEndpoint[name as keyof typeof contentByEndpoint],
        ]),
      );
    });
    assert.deepEqual(actual, expected);
  }
}

/** Returns the expected value, or after a timeout the last value that was read, so that an assertion shows the difference. */
async function waitForSame<T>(expected: T, read: () => Promise<T>): Promise<T> {
  const readIfSame = async () => JSON.stringify(await read()) === JSON.stringify(expected) && expected;
  return eventually('both nodes show the change', readIfSame).catch(read) as Promise<T>;
}

async function importLines(kind: KindName, records: Array<Record<string, unknown>>): Promise<void> {
  async function* numberRecords() {
    for (const [i, record] of records.entries()) yield { line: i + 1, record };
  }
  const invalidLines: string[] = [];
  const onInvalidLine = (line: number, message: { en: string }) =>
    void invalidLines.push(`${line}: ${message.en}`);
  await importRecords(service.db, numberRecords(), {
    getMaxRate: () => 5,
    kind,
    mode: 'skip-invalid-lines',
    auditContext: {
      actor: { id: 'tester', ipAddress: null, requestId: null },
      action: 'test',
      now: new Date(),
    },
    onInvalidLine,
  });
  assert.deepEqual(invalidLines, []);
}

// The demo data has 77 listed merchants, 7 of them in the category moda; the zebra is one more.
const zebra = { slug: 'zebra', name: 'Zebra Modas', category: 'moda', listed: true };
const runSql = (statement: Sql) => service.db.run(statement);

test('every node sees immediately that a merchant is added, renamed, moved, unlisted, listed again and removed', async () => {
  await fillCaches('zebra');
  await runSql(sql`
    insert into merchants (slug, name, name_key, category_slug) values ('zebra', 'Zebra Modas', '', 'moda')`);
  await assertOnBothNodes('zebra', {
    listedName: 'Zebra Modas',
    listedCount: 78,
    nameInModa: 'Zebra Modas',
    foundName: 'Zebra Modas',
    nameOrStatus: 'Zebra Modas',
    modaSummary: 'Moda e calçados: 8',
  });

  await fillCaches('zebra');
  await runSql(sql`update merchants set name = 'Ágata e Zebra' where slug = 'zebra'`);
  await assertOnBothNodes('zebra', {
    listedName: 'Ágata e Zebra',
    foundName: 'Ágata e Zebra',
    nameOrStatus: 'Ágata e Zebra',
  });

  await fillCaches('zebra');
  await runSql(sql`update merchants set category_slug = 'casa' where slug = 'zebra'`);
  await assertOnBothNodes('zebra', {
    nameInModa: undefined,
    categoryName: 'Casa e decoração',
    modaSummary: 'Moda e calçados: 7',
  });

  await fillCaches('zebra');
  await runSql(sql`update merchants set listed = false where slug = 'zebra'`);
  await assertOnBothNodes('zebra', {
    listedName: undefined,
    listedCount: 77,
    foundName: undefined,
    nameOrStatus: 404,
  });

  await fillCaches('zebra');
  await runSql(sql`update merchants set listed = true, category_slug = 'moda' where slug = 'zebra'`);
  await assertOnBothNodes('zebra', {
    listedName: 'Ágata e Zebra',
    listedCount: 78,
    nameInModa: 'Ágata e Zebra',
  });

  await fillCaches('zebra');
  await runSql(sql`delete from merchants where slug = 'zebra'`);
  await assertOnBothNodes('zebra', {
    listedName: undefined,
    listedCount: 77,
    foundName: undefined,
    nameOrStatus: 404,
  });
});

test('every node sees immediately what an import adds and replaces', async () => {
  await fillCaches('zebra');
  await importLines('merchants', [zebra]);
  await assertOnBothNodes('zebra', {
    listedName: 'Zebra Modas',
    foundName: 'Zebra Modas',
    nameOrStatus: 'Zebra Modas',
    listedCount: 78,
  });
  await fillCaches('zebra');
  await importLines('merchants', [{ ...zebra, name: 'Zebra & Filhos' }]);
  await assertOnBothNodes('zebra', {
    listedName: 'Zebra & Filhos',
    foundName: 'Zebra & Filhos',
    nameOrStatus: 'Zebra & Filhos',
  });
  await fillCaches('zebra');
  await importLines('merchants', [{ ...zebra, listed: false }]);
  await assertOnBothNodes('zebra', {
    listedName: undefined,
    foundName: undefined,
    nameOrStatus: 404,
    listedCount: 77,
  });
});

test('a renamed category has its new name in all its merchants, and is found by it', async () => {
  await importLines('merchants', [zebra]);
  await fillCaches('zebra');
  await importLines('categories', [{ slug: 'moda', name: 'Roupas' }]);
  await assertOnBothNodes('zebra', { categoryName: 'Roupas', modaSummary: 'Roupas: 8' });
  for (const node of nodes) {
    const { body } = await node.get('/public/merchants?q=roupas&category=moda&limit=100');
    assert.equal(body.pagination.total, 8);
  }
  await runSql(sql`update categories set name = 'Moda e calçados' where slug = 'moda'`);
  await assertOnBothNodes('zebra', { categoryName: 'Moda e calçados' });
});

test('every node sees that a category is added or removed', async () => {
  await fillCaches('zebra');
  await runSql(sql`insert into categories (slug, name) values ('viagens', 'Viagens')`);
  const listSlugs = async (node: Node) =>
    (await node.get('/public/categories')).body.data.map((category: Item) => category.slug) as string[];
  for (const node of nodes)
    await eventually('the category is listed', async () => (await listSlugs(node)).includes('viagens'));
  await runSql(sql`delete from categories where slug = 'viagens'`);
  for (const node of nodes)
    await eventually('the category is not listed', async () => !(await listSlugs(node)).includes('viagens'));
});

test('two merchants that swap slugs keep everything else, even if they have the same name', async () => {
  await importLines('merchants', [
    { ...zebra, slug: 'zebra-um', name: 'Zebra', city: 'Olinda' },
    { ...zebra, slug: 'zebra-dois', name: 'Zebra', city: 'Recife' },
    { ...zebra, slug: 'zebra-meio', name: 'Zebra', city: 'Natal' },
  ]);
  const readCities = async (node: Node) => {
    const [allResponse, ...bySlug] = await Promise.all([
      node.get('/public/merchants?category=moda&limit=100'),
      node.get('/public/merchants/zebra-um'),
      node.get('/public/merchants/zebra-dois'),
      node.get('/public/merchants/zebra-meio'),
    ]);
    const zebras = allResponse.body.data.filter((item: Item) => item.name === 'Zebra');
    const searchResponse = await node.get('/public/merchants?q=zebra&limit=100');
    return {
      all: zebras.map((item: { slug: string; city: string }) => `${item.slug} ${item.city}`),
      bySlug: bySlug.map(({ body }) => body.city),
      foundCount: searchResponse.body.data.filter((item: Item) => item.name === 'Zebra').length,
    };
  };
  const originalCities = {
    all: ['zebra-dois Recife', 'zebra-meio Natal', 'zebra-um Olinda'],
    bySlug: ['Olinda', 'Recife', 'Natal'],
    foundCount: 3,
  };
  const swappedCities = {
    all: ['zebra-dois Olinda', 'zebra-meio Natal', 'zebra-um Recife'],
    bySlug: ['Recife', 'Olinda', 'Natal'],
    foundCount: 3,
  };
  for (const node of nodes)
    assert.deepEqual(await waitForSame(originalCities, () => readCities(node)), originalCities);
  for (const expected of [swappedCities, originalCities, swappedCities]) {
    await service.db.transaction(async (tx) => {
      await tx.run(sql`update merchants set slug = 'zebra-tres' where slug = 'zebra-um'`);
      await tx.run(sql`update merchants set slug = 'zebra-um' where slug = 'zebra-dois'`);
      await tx.run(sql`update merchants set slug = 'zebra-dois' where slug = 'zebra-tres'`);
    });
    for (const node of nodes) assert.deepEqual(await waitForSame(expected, () => readCities(node)), expected);
  }
  await runSql(sql`delete from merchants where name = 'Zebra'`);
  for (const node of nodes)
    await eventually('the merchants are not found', async () => (await readCities(node)).foundCount === 0);
});

test('every node sees immediately that FAQ entries and posts are added, changed and removed', async () => {
  const readFaq = async (node: Node) => {
    const [allResponse, topicResponse] = await Promise.all([
      node.get('/public/faq'),
      node.get('/public/faq?topic=zebra'),
    ]);
    const listIds = (response: typeof allResponse) =>
      response.body.data.map((entry: { id: string }) => entry.id) as string[];
    return { isListed: listIds(allResponse).includes('zebra'), topicEntries: topicResponse.body.data };
  };
  const readPosts = async (node: Node) => {
    const [list, post] = await Promise.all([node.get('/public/blog'), node.get('/public/blog/zebra')]);
    return { newestSlug: list.body.data[0].slug, title: post.body.published_at && post.body.title };
  };
  const [{ newestSlug }] = await Promise.all([readPosts(nodes[0]!), readPosts(nodes[1]!)]);
  const entry = { id: 'zebra', topic: 'zebra', question: 'Q?', answer: 'A.' };
  const post = { slug: 'zebra', title: 'T', summary: 'S', author: 'A', body: 'B' };
  const steps: Array<
    [change: () => Promise<unknown>, read: (node: Node) => Promise<unknown>, expected: unknown]
  > = [
    [() => importLines('faq', [entry]), readFaq, { isListed: true, topicEntries: [entry] }],
    [
      () => runSql(sql`update faq_entries set answer = 'Outra.' where id = 'zebra'`),
      readFaq,
      { isListed: true, topicEntries: [{ ...entry, answer: 'Outra.' }] },
    ],
    [() => importLines('faq', [{ ...entry, listed: false }]), readFaq, { isListed: false, topicEntries: [] }],
    [
      () => importLines('faq', [{ ...entry, listed: true }]),
      readFaq,
      { isListed: true, topicEntries: [entry] },
    ],
    [
      () => runSql(sql`delete from faq_entries where id = 'zebra'`),
      readFaq,
      { isListed: false, topicEntries: [] },
    ],
    [
      () => importLines('posts', [{ ...post, published_at: service.clock.now().toISOString() }]),
      readPosts,
      { newestSlug: 'zebra', title: 'T' },
    ],
    [
      () => runSql(sql`update posts set title = 'Novo' where slug = 'zebra'`),
      readPosts,
      { newestSlug: 'zebra', title: 'Novo' },
    ],
    [() => runSql(sql`delete from posts where slug = 'zebra'`), readPosts, { newestSlug, title: undefined }],
  ];
  for (const [change, read, expected] of steps) {
    for (const node of nodes) for (let i = 0; i < 2; i++) await read(node);
    await change();
    for (const node of nodes) {
      const actual = await waitForSame(expected, () => read(node));
      assert.deepEqual(actual, expected);
    }
  }
});

test('once the staff API has responded, the partner API of the same node has the change: texts and API keys', async () => {
  const call = async (method: string, path: string, body?: object) =>
    (await service.staff(method, path, { key: OPERATOR_KEY, ...(body && { body }) })).body;
  const [{ id }] = (await service.get('/public/faq')).body.data;
  // A response that does not wait for the caches is stale only in some of the rounds.
  for (let i = 0; i < 25; i++) {
    await call('PATCH', `/admin/faq/${id}`, { answer: `Resposta ${i}` });
    const { data } = (await service.get('/public/faq')).body;
    assert.equal(data.find((entry: { id: string }) => entry.id === id).answer, `Resposta ${i}`);
    const createdKey = await call('POST', '/admin/keys', { partner: 'Demo partner', scopes: ['public'] });
    assert.equal((await service.get('/public/faq', { key: createdKey.key })).status, 200);
    await call('POST', `/admin/keys/${createdKey.id}/revoke`);
    assert.equal((await service.get('/public/faq', { key: createdKey.key })).status, 401);
  }
});

test('changes during an outage of the change feed are seen as soon as it is back', async () => {
  for (let round = 1; round <= 3; round++) {
    await fillCaches('zebra');
    await runSql(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'semana changeFeed' and datname = current_database()`);
    await importLines('merchants', [{ ...zebra, name: `Zebra ${round}` }]);
    await importLines('categories', [{ slug: 'moda', name: `Moda ${round}` }]);
    await importLines('faq', [{ id: 'z', topic: 'corte', question: '?', answer: `${round}` }]);
    await assertOnBothNodes('zebra', {
      listedName: `Zebra ${round}`,
      nameInModa: `Zebra ${round}`,
      foundName: `Zebra ${round}`,
      nameOrStatus: `Zebra ${round}`,
      categoryName: `Moda ${round}`,
    });
    for (const node of nodes) {
      const { body } = await node.get('/public/faq?topic=corte');
      assert.equal(body.data[0].answer, `${round}`);
    }
  }
});

test('after all content is deleted, the catalog is empty on every node', async () => {
  await fillCaches('zebra');
  await runSql(sql`truncate merchants`);
  await assertOnBothNodes('zebra', {
    listedName: undefined,
    listedCount: 0,
    foundName: undefined,
    nameOrStatus: 404,
  });
  await runSql(sql`truncate faq_entries, posts`);
  for (const node of nodes) {
    await eventually('the FAQ is empty', async () => (await node.get('/public/faq')).body.data.length === 0);
    await eventually(
      'the blog is empty',
      async () => (await node.get('/public/blog')).body.data.length === 0,
    );
    const { body } = await node.get('/public/categories');
    assert.ok(body.data.every((category: Item) => category.merchants === 0));
  }
});
