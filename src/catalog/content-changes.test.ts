import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Sql, sql } from '#platform/database/db.ts';
import { eventually, type Node, openService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/shop.ts';
import { importRecords } from './import/import-records.ts';
import type { KindName } from './import/kinds.ts';

const service = await openService();
const nodes: Node[] = [service, await service.join()];

type Item = { slug: string; name: string; merchants: number };

/** What a caller sees of the merchants, at every address that shows them. */
async function see(node: Node, slug: string) {
  const get = async (path: string) => (await node.get(path)).body;
  const [list, inCategory, found, single, categories] = await Promise.all([
    get('/public/merchants?limit=100'),
    get('/public/merchants?category=moda&limit=100'),
    get('/public/merchants?q=zebra&limit=100'),
    node.get(`/public/merchants/${slug}`),
    get('/public/categories'),
  ]);
  const pick = (items: Item[]) => items.find((item) => item.slug === slug);
  const moda = categories.data.find((category: Item) => category.slug === 'moda');
  return {
    listed: pick(list.data)?.name,
    total: list.pagination.total as number,
    inModa: pick(inCategory.data)?.name,
    found: pick(found.data)?.name,
    single: single.status === 200 ? (single.body.name as string) : single.status,
    categoryName: single.body.category?.name,
    moda: moda && `${moda.name}: ${moda.merchants}`,
  };
}

/** Both nodes answer from memory now, so a change that is not told to them would not be seen. */
async function warm(slug: string): Promise<void> {
  for (const node of nodes) for (let i = 0; i < 2; i++) await see(node, slug);
}

async function seenOnBoth(slug: string, expected: Partial<Awaited<ReturnType<typeof see>>>): Promise<void> {
  for (const node of nodes) {
    const seen = await eventuallySame(expected, async () => {
      const all = await see(node, slug);
      return Object.fromEntries(Object.keys(expected).map((name) => [name, all[name as keyof typeof all]]));
    });
    assert.deepEqual(seen, expected);
  }
}

/** What is asked for, or else what was there last: so that the difference is shown. */
async function eventuallySame<T>(expected: T, look: () => Promise<T>): Promise<T> {
  let last: T | undefined;
  const same = async () => {
    last = await look();
    return JSON.stringify(last) === JSON.stringify(expected);
  };
  await eventually('both nodes show the change', same).catch(() => undefined);
  return last!;
}

async function importLines(kind: KindName, records: Array<Record<string, unknown>>): Promise<void> {
  async function* numbered() {
    for (const [i, record] of records.entries()) yield { line: i + 1, record };
  }
  const faults: string[] = [];
  const onFault = (line: number, fault: { en: string }) => void faults.push(`${line}: ${fault.en}`);
  await importRecords(service.db, numbered(), {
    kind,
    keep: 'rest',
    change: { actor: { id: 'tester', address: null, requestId: null }, action: 'test', now: new Date() },
    onFault,
    onProgress: () => undefined,
  });
  assert.deepEqual(faults, []);
}

const zebra = { slug: 'zebra', name: 'Zebra Modas', category: 'moda', listed: true };
const change = (statement: Sql) => service.db.run(statement);

test('a merchant that is added, renamed, moved, unlisted, listed again and removed is seen so at once on every node', async () => {
  await warm('zebra');
  await change(sql`
    insert into merchants (slug, name, name_key, category_slug) values ('zebra', 'Zebra Modas', '', 'moda')`);
  await seenOnBoth('zebra', {
    listed: 'Zebra Modas',
    total: 78,
    inModa: 'Zebra Modas',
    found: 'Zebra Modas',
    single: 'Zebra Modas',
    moda: 'Moda e calçados: 8',
  });

  await warm('zebra');
  await change(sql`update merchants set name = 'Ágata e Zebra' where slug = 'zebra'`);
  await seenOnBoth('zebra', { listed: 'Ágata e Zebra', found: 'Ágata e Zebra', single: 'Ágata e Zebra' });

  await warm('zebra');
  await change(sql`update merchants set category_slug = 'casa' where slug = 'zebra'`);
  await seenOnBoth('zebra', {
    inModa: undefined,
    categoryName: 'Casa e decoração',
    moda: 'Moda e calçados: 7',
  });

  await warm('zebra');
  await change(sql`update merchants set listed = false where slug = 'zebra'`);
  await seenOnBoth('zebra', { listed: undefined, total: 77, found: undefined, single: 404 });

  await warm('zebra');
  await change(sql`update merchants set listed = true, category_slug = 'moda' where slug = 'zebra'`);
  await seenOnBoth('zebra', { listed: 'Ágata e Zebra', total: 78, inModa: 'Ágata e Zebra' });

  await warm('zebra');
  await change(sql`delete from merchants where slug = 'zebra'`);
  await seenOnBoth('zebra', { listed: undefined, total: 77, found: undefined, single: 404 });
});

test('what an import adds and replaces is seen at once on every node', async () => {
  await warm('zebra');
  await importLines('merchants', [zebra]);
  await seenOnBoth('zebra', {
    listed: 'Zebra Modas',
    found: 'Zebra Modas',
    single: 'Zebra Modas',
    total: 78,
  });
  await warm('zebra');
  await importLines('merchants', [{ ...zebra, name: 'Zebra & Filhos' }]);
  await seenOnBoth('zebra', { listed: 'Zebra & Filhos', found: 'Zebra & Filhos', single: 'Zebra & Filhos' });
  await warm('zebra');
  await importLines('merchants', [{ ...zebra, listed: false }]);
  await seenOnBoth('zebra', { listed: undefined, found: undefined, single: 404, total: 77 });
});

test('a category that is renamed is seen so in every merchant of it, and found by its new name', async () => {
  await importLines('merchants', [zebra]);
  await warm('zebra');
  await importLines('categories', [{ slug: 'moda', name: 'Roupas' }]);
  await seenOnBoth('zebra', { categoryName: 'Roupas', moda: 'Roupas: 8' });
  for (const node of nodes) {
    const { body } = await node.get('/public/merchants?q=roupas&category=moda&limit=100');
    assert.equal(body.pagination.total, 8);
  }
  await change(sql`update categories set name = 'Moda e calçados' where slug = 'moda'`);
  await seenOnBoth('zebra', { categoryName: 'Moda e calçados' });
});

test('a category that is added or removed is seen so', async () => {
  await warm('zebra');
  await change(sql`insert into categories (slug, name) values ('viagens', 'Viagens')`);
  const slugs = async (node: Node) =>
    (await node.get('/public/categories')).body.data.map((category: Item) => category.slug) as string[];
  for (const node of nodes) await eventually('there', async () => (await slugs(node)).includes('viagens'));
  await change(sql`delete from categories where slug = 'viagens'`);
  for (const node of nodes) await eventually('gone', async () => !(await slugs(node)).includes('viagens'));
});

test('two merchants that exchange slugs keep everything else, also when they are namesakes', async () => {
  await importLines('merchants', [
    { ...zebra, slug: 'zebra-um', name: 'Zebra', city: 'Olinda' },
    { ...zebra, slug: 'zebra-dois', name: 'Zebra', city: 'Recife' },
    { ...zebra, slug: 'zebra-meio', name: 'Zebra', city: 'Natal' },
  ]);
  const cities = async (node: Node) => {
    const [all, ...bySlug] = await Promise.all([
      node.get('/public/merchants?category=moda&limit=100'),
      node.get('/public/merchants/zebra-um'),
      node.get('/public/merchants/zebra-dois'),
      node.get('/public/merchants/zebra-meio'),
    ]);
    const zebras = all.body.data.filter((item: Item) => item.name === 'Zebra');
    const found = await node.get('/public/merchants?q=zebra&limit=100');
    return {
      all: zebras.map((item: { slug: string; city: string }) => `${item.slug} ${item.city}`),
      bySlug: bySlug.map(({ body }) => body.city),
      found: found.body.data.filter((item: Item) => item.name === 'Zebra').length,
    };
  };
  const before = {
    all: ['zebra-dois Recife', 'zebra-meio Natal', 'zebra-um Olinda'],
    bySlug: ['Olinda', 'Recife', 'Natal'],
    found: 3,
  };
  const after = {
    all: ['zebra-dois Olinda', 'zebra-meio Natal', 'zebra-um Recife'],
    bySlug: ['Recife', 'Olinda', 'Natal'],
    found: 3,
  };
  for (const node of nodes) assert.deepEqual(await eventuallySame(before, () => cities(node)), before);
  for (const expected of [after, before, after]) {
    await service.db.transaction(async (tx) => {
      await tx.run(sql`update merchants set slug = 'zebra-tres' where slug = 'zebra-um'`);
      await tx.run(sql`update merchants set slug = 'zebra-um' where slug = 'zebra-dois'`);
      await tx.run(sql`update merchants set slug = 'zebra-dois' where slug = 'zebra-tres'`);
    });
    for (const node of nodes) assert.deepEqual(await eventuallySame(expected, () => cities(node)), expected);
  }
  await change(sql`delete from merchants where name = 'Zebra'`);
  for (const node of nodes) await eventually('gone', async () => (await cities(node)).found === 0);
});

test('questions and posts that are added, changed and removed are seen so at once on every node', async () => {
  const questions = async (node: Node) => {
    const [all, some] = await Promise.all([node.get('/public/faq'), node.get('/public/faq?topic=zebra')]);
    const ids = (answer: typeof all) => answer.body.data.map((entry: { id: string }) => entry.id) as string[];
    return { all: ids(all).includes('zebra'), some: some.body.data };
  };
  const posts = async (node: Node) => {
    const [list, single] = await Promise.all([node.get('/public/blog'), node.get('/public/blog/zebra')]);
    return { newest: list.body.data[0].slug, title: single.body.published_at && single.body.title };
  };
  const [{ newest }] = await Promise.all([posts(nodes[0]!), posts(nodes[1]!)]);
  const entry = { id: 'zebra', topic: 'zebra', question: 'Q?', answer: 'A.' };
  const post = { slug: 'zebra', title: 'T', summary: 'S', author: 'A', body: 'B' };
  const steps: Array<[() => Promise<unknown>, (node: Node) => Promise<unknown>, unknown]> = [
    [() => importLines('faq', [entry]), questions, { all: true, some: [entry] }],
    [
      () => change(sql`update faq_entries set answer = 'Outra.' where id = 'zebra'`),
      questions,
      { all: true, some: [{ ...entry, answer: 'Outra.' }] },
    ],
    [() => importLines('faq', [{ ...entry, listed: false }]), questions, { all: false, some: [] }],
    [() => importLines('faq', [{ ...entry, listed: true }]), questions, { all: true, some: [entry] }],
    [() => change(sql`delete from faq_entries where id = 'zebra'`), questions, { all: false, some: [] }],
    [
      () => importLines('posts', [{ ...post, published_at: service.clock.now().toISOString() }]),
      posts,
      { newest: 'zebra', title: 'T' },
    ],
    [
      () => change(sql`update posts set title = 'Novo' where slug = 'zebra'`),
      posts,
      { newest: 'zebra', title: 'Novo' },
    ],
    [() => change(sql`delete from posts where slug = 'zebra'`), posts, { newest, title: undefined }],
  ];
  for (const [step, look, expected] of steps) {
    for (const node of nodes) for (let i = 0; i < 2; i++) await look(node);
    await step();
    for (const node of nodes) {
      const seen = await eventuallySame(expected, () => look(node));
      assert.deepEqual(seen, expected);
    }
  }
});

test('what the staff door has answered is true at the front door of the same node: texts, and keys', async () => {
  const staff = async (method: string, path: string, body?: object) =>
    (await service.staff(method, path, { key: OPERATOR_KEY, ...(body && { body }) })).body;
  const [{ id }] = (await service.get('/public/faq')).body.data;
  for (let i = 0; i < 25; i++) {
    await staff('PATCH', `/admin/faq/${id}`, { answer: `Resposta ${i}` });
    const { data } = (await service.get('/public/faq')).body;
    assert.equal(data.find((entry: { id: string }) => entry.id === id).answer, `Resposta ${i}`);
    const made = await staff('POST', '/admin/keys', { partner: 'Demo partner', scopes: ['public'] });
    assert.equal((await service.get('/public/faq', { key: made.key })).status, 200);
    await staff('POST', `/admin/keys/${made.id}/revoke`);
    assert.equal((await service.get('/public/faq', { key: made.key })).status, 401);
  }
});

test('what changed while the change feed was cut is seen as soon as it is back', async () => {
  for (let round = 1; round <= 3; round++) {
    await warm('zebra');
    await change(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'semana changeFeed' and datname = current_database()`);
    await importLines('merchants', [{ ...zebra, name: `Zebra ${round}` }]);
    await importLines('categories', [{ slug: 'moda', name: `Moda ${round}` }]);
    await importLines('faq', [{ id: 'z', topic: 'corte', question: '?', answer: `${round}` }]);
    await seenOnBoth('zebra', {
      listed: `Zebra ${round}`,
      inModa: `Zebra ${round}`,
      found: `Zebra ${round}`,
      single: `Zebra ${round}`,
      categoryName: `Moda ${round}`,
    });
    for (const node of nodes) {
      const { body } = await node.get('/public/faq?topic=corte');
      assert.equal(body.data[0].answer, `${round}`);
    }
  }
});

test('a catalog that is emptied is empty everywhere', async () => {
  await warm('zebra');
  await change(sql`truncate merchants`);
  await seenOnBoth('zebra', { listed: undefined, total: 0, found: undefined, single: 404 });
  await change(sql`truncate faq_entries, posts`);
  for (const node of nodes) {
    await eventually('no questions', async () => (await node.get('/public/faq')).body.data.length === 0);
    await eventually('no posts', async () => (await node.get('/public/blog')).body.data.length === 0);
    const { body } = await node.get('/public/categories');
    assert.ok(body.data.every((category: Item) => category.merchants === 0));
  }
});
