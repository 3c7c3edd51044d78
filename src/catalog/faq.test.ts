import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../test/harness.ts';

const service = await openService();
/** Used by the test that changes entries, because the other tests rely on the demo data. */
const scratchService = await openService();

type Entry = { id: string; topic: string; question: string; answer: string };
const listEntries = async (query: string): Promise<Entry[]> => {
  const { status, body } = await service.get(`/public/faq${query}`);
  assert.equal(status, 200);
  return body.data;
};

test('entries are grouped by topic, and sorted by position and id within a topic', async () => {
  await scratchService.db.run(sql`truncate faq_entries`);
  await scratchService.db.run(sql`
    insert into faq_entries (id, topic, question, answer, position) values
      ('e', 'b', '?', '!', 1), ('d', 'b', '?', '!', 1), ('c', 'b', '?', '!', 0), ('b', 'a', '?', '!', 9),
      ('a', 'a', '?', '!', -1), ('f', 'c', '?', '!', 0)`);
  await scratchService.db.run(sql`
    insert into faq_entries (id, topic, question, answer, listed) values ('g', 'a', 'hidden', '!', false)`);
  const ids = await eventually('all six entries are listed', async () => {
    const { body } = await scratchService.get('/public/faq');
    return body.data.length === 6 && body.data.map((entry: Entry) => entry.id);
  });
  assert.deepEqual(ids, ['a', 'b', 'c', 'd', 'e', 'f']);
  const { body } = await scratchService.get('/public/faq?topic=a');
  assert.deepEqual(body, {
    data: [
      { id: 'a', topic: 'a', question: '?', answer: '!' },
      { id: 'b', topic: 'a', question: '?', answer: '!' },
    ],
  });
});

test('topic selects the entries of that topic, in the order of the whole list', async () => {
  const allEntries = await listEntries('');
  const topics = [...new Set(allEntries.map((entry) => entry.topic))];
  assert.ok(topics.length >= 6 && allEntries.length >= 25);
  for (const topic of topics) {
    assert.deepEqual(
      await listEntries(`?topic=${topic}`),
      allEntries.filter((entry) => entry.topic === topic),
    );
  }
});

test('an unknown topic returns an empty list, a blank topic returns all entries', async () => {
  for (const topic of ['nenhum', 'PAGAMENTOS', "'", '%F0%9F%98%80', '%25']) {
    assert.deepEqual(await listEntries(`?topic=${topic}`), [], topic);
  }
  assert.deepEqual(await listEntries('?topic='), await listEntries(''));
});

test('an invalid topic gets 400', async () => {
  for (const query of ['topic=%00', `topic=${'x'.repeat(101)}`, 'topic=a&topic=b']) {
    const { status, body } = await service.get(`/public/faq?${query}`);
    assert.equal(status, 400, query);
    assert.equal(body.errors[0].pointer, '/topic');
  }
});

test('the topics of the FAQ are listed with the number of their entries', async () => {
  const { body } = await service.get('/public/faq/topics');
  assert.ok(body.data.length >= 6);
  for (const { topic, entries } of body.data) {
    const { body: faq } = await service.get(`/public/faq?topic=${encodeURIComponent(topic)}`);
    assert.equal(faq.data.length, entries, topic);
  }
});
